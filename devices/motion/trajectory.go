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

// orders is what the outside wants of the trajectory in one step.
type orders struct {
	elapsed      float64 // since the step before, by the clock [s]
	demand       wire.Legs
	fresh        bool        // demand came since the step before
	age          float64     // of a fresh demand [s]
	faults       wire.Faults // what is wrong at this moment
	halt         bool        // stop and stay so, whatever else is ordered
	park         bool        // park and stay so, whatever is demanded
	locked       bool        // a belt, door or dead-man was open: park and stay so until ordered home
	unresponsive bool        // it is not known whether the controller follows: stop until it is
	homes        uint64      // grows with each order to home
}

// trajectory decides where the actuators go next. It is pure: no clock, no line.
type trajectory struct {
	cfg    Config
	centre wire.Legs
	dt     float64 // [s]

	state         State
	axis          [wire.Axes]limiter
	interpolation [wire.Axes]interpolation // of what is demanded
	demand        wire.Legs                // newest that is believed
	quiet         float64                  // since the newest demand, by the clock [s]
	active        float64                  // since demands were taken up [s]
	held          float64                  // since the fault [s]
	alone         bool                     // rig stood still, and it is to be found out where the platform is
	suspect       float64                  // for how long demands have been too far from the believed one [s]
	cause         wire.Faults              // of the state Fault
	unresponsive  bool
	homes         uint64 // orders to home that were obeyed
	heldInPlace   bool   // found with its belt or door open: it stays there, also where a halt or a fault would park it
	warnings      uint64 // demands that jumped
}

func newTrajectory(cfg Config) *trajectory {
	t := &trajectory{cfg: cfg, centre: wire.All(0.5), dt: cfg.period().Seconds()}
	for i := range t.axis {
		t.axis[i].dt = t.dt
		t.axis[i].reset(0.5)
	}
	return t
}

// start begins the trajectory where the platform was found. A fault and a halt
// outlive the line they came on, and a platform that rig itself left alone parks. One that is
// found while its belt or door is open stays where it is, unless it had parked there: somebody
// may be climbing in.
func (t *trajectory) start(at wire.Legs, locked bool) {
	for i := range t.axis {
		t.axis[i].reset(at[i])
	}
	parks := t.state == Parking || t.state == Parked
	t.heldInPlace = locked && !(parks && t.nearPark())
	switch {
	case t.state == Fault || t.state == Halted:
	case t.heldInPlace:
		t.state = Halted
	case locked, t.alone && parks:
		t.state = Parking
	default:
		t.state = Homing
	}
	t.quiet, t.active, t.held, t.suspect, t.unresponsive, t.alone = 0, 0, 0, 0, false, false
}

// at returns where the actuators were sent last.
func (t *trajectory) at() (l wire.Legs) {
	for i := range t.axis {
		l[i] = t.axis[i].position
	}
	return l
}

// nearPark reports that no axis is far from where it parks.
func (t *trajectory) nearPark() bool {
	for i := range t.axis {
		if math.Abs(t.axis[i].position-t.cfg.Park[i]) > far {
			return false
		}
	}
	return true
}

// step returns where the actuators shall be one dt later.
func (t *trajectory) step(o orders) wire.Legs {
	t.listen(&o)
	t.decide(&o)
	if t.unresponsive = o.unresponsive; o.unresponsive {
		return t.hold()
	}
	switch t.state {
	case Active:
		return t.follow(t.activeSpeed())
	case Parking, Parked:
		return t.move(t.cfg.Park, t.cfg.ParkSpeed)
	case Fault:
		return t.stepFault()
	case Halted:
		return t.stepHalted()
	default:
		return t.move(t.centre, t.cfg.HomeSpeed)
	}
}

// listen keeps the newest demand and its age. While it is halted a fault is no
// reason to move, and an order to home waits, as it does for a belt or door.
func (t *trajectory) listen(o *orders) {
	t.alone = false
	if o.elapsed > deadMan+t.dt {
		t.resume(o)
	}
	t.quiet += o.elapsed
	for i := range t.interpolation {
		t.interpolation[i].pass(o.elapsed)
	}
	if o.fresh {
		t.quiet = o.age
		t.believe(o)
	}
	switch {
	case o.halt:
		t.state = Halted
	case o.homes != t.homes && !o.locked:
		t.homes = o.homes
		t.state, t.cause, t.heldInPlace = Homing, 0, false
	}
	wrong := o.faults & wire.Latching
	t.cause |= wrong
	if wrong != 0 && t.state != Halted && t.state != Fault {
		t.state, t.held = Fault, 0
	}
	if t.unresponsive && !o.unresponsive && t.state == Active {
		t.engage()
	}
}

// leftAlone parks a platform that rig itself did not look after for a time: nothing was demanded
// of it meanwhile. After a second the drive has ended, too, until somebody confirms it, and a
// platform that waits at its centre or is on its way there waits for nobody.
func (t *trajectory) leftAlone(gap time.Duration) {
	const ended = time.Second
	t.alone = true
	if t.state == Active || gap > ended && (t.state == Ready || t.state == Homing) {
		t.state = Parking
	}
}

// resume begins anew after a time in which nothing was sent: the actuators came to rest
// where they were sent last. Demands are taken up as the first ones are, wherever they
// went meanwhile.
func (t *trajectory) resume(o *orders) {
	for i := range t.axis {
		t.axis[i].reset(t.axis[i].position)
	}
	if t.state != Active {
		return
	}
	if t.suspect = 0; o.fresh {
		t.demand = o.demand
	}
	t.engage()
}

// believe takes the demand, unless it is too far from the one before: such a
// jump is nobody's wish. When it lasts it is taken all the same, gently.
func (t *trajectory) believe(o *orders) {
	if t.state != Active || !t.jumped(&o.demand) {
		t.demand, t.suspect = o.demand, 0
		for i := range t.interpolation {
			t.interpolation[i].hear(t.demand[i], o.age, t.cfg.MaxSpeed[i])
		}
		return
	}
	if t.suspect == 0 {
		t.warnings++
		t.settle()
	}
	if t.suspect += max(o.elapsed, t.dt); t.suspect > spikeHold {
		t.demand, t.suspect = o.demand, 0
		t.engage()
	}
}

func (t *trajectory) jumped(to *wire.Legs) bool {
	if t.cfg.Spike == 0 {
		return false
	}
	for i, v := range to {
		v = min(max(v, t.cfg.Min[i]), t.cfg.Max[i])
		before := min(max(t.demand[i], t.cfg.Min[i]), t.cfg.Max[i])
		if v-before > t.cfg.Spike || before-v > t.cfg.Spike {
			return true
		}
	}
	return false
}

// decide moves on to the next state, if it is time.
func (t *trajectory) decide(o *orders) {
	stay := o.park || o.locked
	lively := o.fresh && t.quiet <= deadMan && !stay
	switch t.state {
	case Homing, Ready, Active:
		if stay || (t.state == Active && t.quiet > deadMan) {
			t.state = Parking
			return
		}
		t.takeUp(lively)
	case Parking:
		if lively {
			t.engage()
		} else if t.still(t.cfg.Park) {
			t.state = Parked
		}
	case Parked:
		if lively {
			t.state = Homing
		}
	case Halted:
		if o.park && !o.halt && !t.heldInPlace {
			t.state = Parking
		}
	}
}

// takeUp goes from homing to ready to active.
func (t *trajectory) takeUp(lively bool) {
	switch {
	case t.state == Homing && t.still(t.centre):
		t.state = Ready
	case t.state == Ready && lively:
		t.engage()
	case t.state == Active:
		t.active += t.dt
	}
}

func (t *trajectory) engage() {
	t.state, t.active = Active, 0
	t.settle()
}

// settle takes what is demanded to stand.
func (t *trajectory) settle() {
	for i := range t.interpolation {
		t.interpolation[i].begin(t.demand[i])
	}
}

// stepFault holds, then parks.
func (t *trajectory) stepFault() wire.Legs {
	t.held += t.dt
	if t.held < faultHold || t.stays() {
		return t.hold()
	}
	return t.move(t.cfg.Park, t.cfg.ParkSpeed)
}

func (t *trajectory) stepHalted() wire.Legs {
	if t.parksOnHalt() && !t.stays() {
		return t.move(t.cfg.Park, t.cfg.ParkSpeed)
	}
	return t.hold()
}

// stays reports that neither a fault nor a halt parks the platform. It was found
// with its belt or door open, or its controller lost its reference, or that one's own
// emergency stop was pressed: when it is released, the actuators would run after the path.
func (t *trajectory) stays() bool {
	return t.heldInPlace || t.cause&(wire.FaultStop|wire.FaultReference) != 0
}

func (t *trajectory) parksOnHalt() bool { return t.cfg.StopAction == StopPark }

// activeSpeed grows from the home speed to any speed, so that the first
// demands, however far, are approached gently [strokes/s].
func (t *trajectory) activeSpeed() float64 {
	const any = 1e3
	if t.active >= engage {
		return any
	}
	return t.cfg.HomeSpeed + (t.fastest()-t.cfg.HomeSpeed)*t.active/engage
}

func (t *trajectory) fastest() float64 {
	v := t.cfg.HomeSpeed
	for i := range wire.Axes {
		v = max(v, t.cfg.MaxSpeed[i])
	}
	return v
}

// follow goes after what is demanded.
func (t *trajectory) follow(speed float64) (l wire.Legs) {
	for i, c := range t.interpolation {
		l[i] = t.axis[i].step(c.at, c.speed, t.limits(i, speed))
	}
	return l
}

func (t *trajectory) move(to wire.Legs, speed float64) (l wire.Legs) {
	for i := range t.axis {
		l[i] = t.axis[i].step(to[i], 0, t.limits(i, speed))
	}
	return l
}

func (t *trajectory) hold() (l wire.Legs) {
	for i := range t.axis {
		l[i] = t.axis[i].brake(t.limits(i, t.cfg.MaxSpeed[i]))
	}
	return l
}

func (t *trajectory) limits(axis int, speed float64) limits {
	c := &t.cfg
	return limits{c.Min[axis], c.Max[axis], min(speed, c.MaxSpeed[axis]), c.MaxAccel[axis], c.MaxJerk[axis]}
}

// still reports that every axis rests at the place given.
func (t *trajectory) still(at wire.Legs) bool {
	for i := range t.axis {
		if !t.axis[i].still(at[i], t.limits(i, t.cfg.MaxSpeed[i])) {
			return false
		}
	}
	return true
}

// resting reports that no axis moves.
func (t *trajectory) resting() bool {
	for i := range t.axis {
		if !t.axis[i].resting() {
			return false
		}
	}
	return true
}

// halted reports that the platform was halted, or has to stay in a fault, and
// that it came to rest.
func (t *trajectory) halted() bool {
	held := t.state == Halted && !t.parksOnHalt()
	stays := t.stays() && (t.state == Halted || t.state == Fault)
	return (held || stays) && t.resting()
}

// atPark reports that the platform rests where it parks, also in a fault, and
// when that is what a halt does.
func (t *trajectory) atPark() bool {
	switch t.state {
	case Parked, Fault:
		return t.still(t.cfg.Park)
	case Halted:
		return t.parksOnHalt() && t.still(t.cfg.Park)
	}
	return false
}
