package motion

import (
	"math"
	"time"

	"rig.example/rig/devices/motion/wire"
)

const (
	deadMan   = 0.05 // a demand older than this is nobody's: the platform parks [s]
	engage    = 1.0  // from the home speed to the full speed after taking up demands [s]
	faultHold = 0.25 // standing still after a fault, before parking [s]
	spikeHold = 0.2  // a demand that jumped is not followed for so long; then it is taken to be meant [s]
)

// orders is what the outside wants of the pilot in one step.
type orders struct {
	elapsed float64 // since the step before, by the clock [s]
	demand  wire.Legs
	fresh   bool        // demand came since the step before
	age     float64     // of a fresh demand [s]
	faults  wire.Faults // what is wrong at this moment
	halt    bool        // stop and stay so, whatever else is ordered
	park    bool        // park and stay so, whatever is demanded
	locked  bool        // a belt, door or dead-man was open: park and stay so until ordered home
	hush    bool        // it is not known whether the controller follows: stop until it is
	homes   uint64      // grows with each order to home
}

// pilot decides where the actuators go next. It is pure: no clock, no line.
type pilot struct {
	cfg    Config
	centre wire.Legs
	dt     float64 // [s]

	state    State
	axis     [wire.Axes]limiter
	course   [wire.Axes]course // of what is demanded
	demand   wire.Legs         // newest that is believed
	quiet    float64           // since the newest demand, by the clock [s]
	active   float64           // since demands were taken up [s]
	held     float64           // since the fault [s]
	alone    bool              // rig stood still, and it is to be found out where the platform is
	suspect  float64           // for how long demands have been too far from the believed one [s]
	cause    wire.Faults       // of the state Fault
	hushed   bool
	homes    uint64 // orders to home that were obeyed
	kept     bool   // found with its belt or door open: it stays there, also where a halt or a fault would park it
	warnings uint64 // demands that jumped
}

func newPilot(cfg Config) *pilot {
	p := &pilot{cfg: cfg, centre: wire.All(0.5), dt: cfg.period().Seconds()}
	for i := range p.axis {
		p.axis[i].dt = p.dt
		p.axis[i].reset(0.5)
	}
	return p
}

// start places the pilot where the platform was found. A fault and a halt
// outlive the line they came on, and a platform that rig itself left alone parks. One that is
// found while its belt or door is open stays where it is, unless it had parked there: somebody
// may be climbing in.
func (p *pilot) start(at wire.Legs, locked bool) {
	for i := range p.axis {
		p.axis[i].reset(at[i])
	}
	parks := p.state == Parking || p.state == Parked
	p.kept = locked && !(parks && p.nearPark())
	switch {
	case p.state == Fault || p.state == Halted:
	case p.kept:
		p.state = Halted
	case locked, p.alone && parks:
		p.state = Parking
	default:
		p.state = Homing
	}
	p.quiet, p.active, p.held, p.suspect, p.hushed, p.alone = 0, 0, 0, 0, false, false
}

// at returns where the actuators were sent last.
func (p *pilot) at() (l wire.Legs) {
	for i := range p.axis {
		l[i] = p.axis[i].position
	}
	return l
}

// nearPark reports that no axis is far from where it parks.
func (p *pilot) nearPark() bool {
	for i := range p.axis {
		if math.Abs(p.axis[i].position-p.cfg.Park[i]) > far {
			return false
		}
	}
	return true
}

// step returns where the actuators shall be one dt later.
func (p *pilot) step(o orders) wire.Legs {
	p.listen(&o)
	p.decide(&o)
	if p.hushed = o.hush; o.hush {
		return p.hold()
	}
	switch p.state {
	case Active:
		return p.follow(p.activeSpeed())
	case Parking, Parked:
		return p.move(p.cfg.Park, p.cfg.ParkSpeed)
	case Fault:
		return p.stepFault()
	case Halted:
		return p.stepHalted()
	default:
		return p.move(p.centre, p.cfg.HomeSpeed)
	}
}

// listen keeps the newest demand and its age. While it is halted a fault is no
// reason to move, and an order to home waits, as it does for a belt or door.
func (p *pilot) listen(o *orders) {
	p.alone = false
	if o.elapsed > deadMan+p.dt {
		p.resume(o)
	}
	p.quiet += o.elapsed
	for i := range p.course {
		p.course[i].pass(o.elapsed)
	}
	if o.fresh {
		p.quiet = o.age
		p.believe(o)
	}
	switch {
	case o.halt:
		p.state = Halted
	case o.homes != p.homes && !o.locked:
		p.homes = o.homes
		p.state, p.cause, p.kept = Homing, 0, false
	}
	wrong := o.faults & wire.Latching
	p.cause |= wrong
	if wrong != 0 && p.state != Halted && p.state != Fault {
		p.state, p.held = Fault, 0
	}
	if p.hushed && !o.hush && p.state == Active {
		p.engage()
	}
}

// leftAlone parks a platform that rig itself did not look after for a time: nothing was demanded
// of it meanwhile. After a second the drive has ended, too, until somebody confirms it, and a
// platform that waits at its centre or is on its way there waits for nobody.
func (p *pilot) leftAlone(gap time.Duration) {
	const ended = time.Second
	p.alone = true
	if p.state == Active || gap > ended && (p.state == Ready || p.state == Homing) {
		p.state = Parking
	}
}

// resume begins anew after a time in which nothing was sent: the actuators came to rest
// where they were sent last. Demands are taken up as the first ones are, wherever they
// went meanwhile.
func (p *pilot) resume(o *orders) {
	for i := range p.axis {
		p.axis[i].reset(p.axis[i].position)
	}
	if p.state != Active {
		return
	}
	if p.suspect = 0; o.fresh {
		p.demand = o.demand
	}
	p.engage()
}

// believe takes the demand, unless it is too far from the one before: such a
// jump is nobody's wish. When it lasts it is taken all the same, gently.
func (p *pilot) believe(o *orders) {
	if p.state != Active || !p.jumped(&o.demand) {
		p.demand, p.suspect = o.demand, 0
		for i := range p.course {
			p.course[i].hear(p.demand[i], o.age, p.cfg.MaxSpeed[i])
		}
		return
	}
	if p.suspect == 0 {
		p.warnings++
		p.settle()
	}
	if p.suspect += max(o.elapsed, p.dt); p.suspect > spikeHold {
		p.demand, p.suspect = o.demand, 0
		p.engage()
	}
}

func (p *pilot) jumped(to *wire.Legs) bool {
	if p.cfg.Spike == 0 {
		return false
	}
	for i, v := range to {
		v = min(max(v, p.cfg.Min[i]), p.cfg.Max[i])
		before := min(max(p.demand[i], p.cfg.Min[i]), p.cfg.Max[i])
		if v-before > p.cfg.Spike || before-v > p.cfg.Spike {
			return true
		}
	}
	return false
}

// decide moves on to the next state, if it is time.
func (p *pilot) decide(o *orders) {
	stay := o.park || o.locked
	lively := o.fresh && p.quiet <= deadMan && !stay
	switch p.state {
	case Homing, Ready, Active:
		if stay || (p.state == Active && p.quiet > deadMan) {
			p.state = Parking
			return
		}
		p.takeUp(lively)
	case Parking:
		if lively {
			p.engage()
		} else if p.still(p.cfg.Park) {
			p.state = Parked
		}
	case Parked:
		if lively {
			p.state = Homing
		}
	case Halted:
		if o.park && !o.halt && !p.kept {
			p.state = Parking
		}
	}
}

// takeUp goes from homing to ready to active.
func (p *pilot) takeUp(lively bool) {
	switch {
	case p.state == Homing && p.still(p.centre):
		p.state = Ready
	case p.state == Ready && lively:
		p.engage()
	case p.state == Active:
		p.active += p.dt
	}
}

func (p *pilot) engage() {
	p.state, p.active = Active, 0
	p.settle()
}

// settle takes what is demanded to stand.
func (p *pilot) settle() {
	for i := range p.course {
		p.course[i].begin(p.demand[i])
	}
}

// stepFault holds, then parks.
func (p *pilot) stepFault() wire.Legs {
	p.held += p.dt
	if p.held < faultHold || p.stays() {
		return p.hold()
	}
	return p.move(p.cfg.Park, p.cfg.ParkSpeed)
}

func (p *pilot) stepHalted() wire.Legs {
	if p.parksOnHalt() && !p.stays() {
		return p.move(p.cfg.Park, p.cfg.ParkSpeed)
	}
	return p.hold()
}

// stays reports that neither a fault nor a halt parks the platform. It was found
// with its belt or door open, or its controller lost its reference, or that one's own
// emergency stop was pressed: when it is released, the actuators would run after the path.
func (p *pilot) stays() bool { return p.kept || p.cause&(wire.FaultStop|wire.FaultReference) != 0 }

func (p *pilot) parksOnHalt() bool { return p.cfg.StopAction == StopPark }

// activeSpeed grows from the home speed to any speed, so that the first
// demands, however far, are approached gently [strokes/s].
func (p *pilot) activeSpeed() float64 {
	const any = 1e3
	if p.active >= engage {
		return any
	}
	return p.cfg.HomeSpeed + (p.fastest()-p.cfg.HomeSpeed)*p.active/engage
}

func (p *pilot) fastest() float64 {
	v := p.cfg.HomeSpeed
	for i := range wire.Axes {
		v = max(v, p.cfg.MaxSpeed[i])
	}
	return v
}

// follow goes after what is demanded.
func (p *pilot) follow(speed float64) (l wire.Legs) {
	for i, c := range p.course {
		l[i] = p.axis[i].step(c.at, c.speed, p.limits(i, speed))
	}
	return l
}

func (p *pilot) move(to wire.Legs, speed float64) (l wire.Legs) {
	for i := range p.axis {
		l[i] = p.axis[i].step(to[i], 0, p.limits(i, speed))
	}
	return l
}

func (p *pilot) hold() (l wire.Legs) {
	for i := range p.axis {
		l[i] = p.axis[i].brake(p.limits(i, p.cfg.MaxSpeed[i]))
	}
	return l
}

func (p *pilot) limits(axis int, speed float64) limits {
	c := &p.cfg
	return limits{c.Min[axis], c.Max[axis], min(speed, c.MaxSpeed[axis]), c.MaxAccel[axis], c.MaxJerk[axis]}
}

// still reports that every axis rests at the place given.
func (p *pilot) still(at wire.Legs) bool {
	for i := range p.axis {
		if !p.axis[i].still(at[i], p.limits(i, p.cfg.MaxSpeed[i])) {
			return false
		}
	}
	return true
}

// resting reports that no axis moves.
func (p *pilot) resting() bool {
	for i := range p.axis {
		if !p.axis[i].resting() {
			return false
		}
	}
	return true
}

// halted reports that the platform was halted, or has to stay in a fault, and
// that it came to rest.
func (p *pilot) halted() bool {
	held := p.state == Halted && !p.parksOnHalt()
	stays := p.stays() && (p.state == Halted || p.state == Fault)
	return (held || stays) && p.resting()
}

// atPark reports that the platform rests where it parks, also in a fault, and
// when that is what a halt does.
func (p *pilot) atPark() bool {
	switch p.state {
	case Parked, Fault:
		return p.still(p.cfg.Park)
	case Halted:
		return p.parksOnHalt() && p.still(p.cfg.Park)
	}
	return false
}
