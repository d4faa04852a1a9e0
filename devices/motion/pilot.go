package motion

// State tells what the platform does.
type State uint32

// The states of a platform.
const (
	Absent  State = iota // no port, or none configured
	Opening              // port open, controller booting or being asked where it stands
	Homing               // ramping from where it stands to the centre
	Ready                // resting at the centre, takes demands
	Active               // following demands
	Parking              // ramping to the park position
	Parked               // resting there
	Fault                // demand was no number, or the controller neither takes nor answers
	Halted               // held where it stopped, until it is ordered to home or to park
)

var stateNames = [...]string{"absent", "opening", "homing", "ready", "active", "parking", "parked", "fault", "halted"}

// String returns the state's name in lower case.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "unknown"
}

const (
	deadMan   = 0.05 // a demand older than this is nobody's: the platform parks [s]
	engage    = 1.0  // from the home speed to the full speed after taking up demands [s]
	faultHold = 0.25 // standing still after a bad demand, before parking [s]
)

// orders is what the outside wants of the pilot in one step.
type orders struct {
	elapsed float64 // since the step before, by the clock [s]
	demand  Legs
	fresh   bool    // demand came since the step before
	age     float64 // of a fresh demand [s]
	bad     bool    // a demand that was no number came since the step before
	halt    bool    // stop and hold, whatever else is ordered
	park    bool    // park and stay so, whatever is demanded
	homes   uint64  // grows with each order to home
}

// pilot decides where the actuators go next. It is pure: no clock, no line.
type pilot struct {
	cfg    Config
	centre Legs
	dt     float64 // [s]

	state  State
	axis   [Axes]limiter
	demand Legs    // newest
	quiet  float64 // since the newest demand, by the clock [s]
	active float64 // since demands were taken up [s]
	held   float64 // since the fault [s]
	homes  uint64  // orders to home that were obeyed
}

func newPilot(cfg Config) *pilot {
	p := &pilot{cfg: cfg, centre: all(0.5), dt: cfg.period().Seconds()}
	for i := range p.axis {
		p.axis[i].dt = p.dt
		p.axis[i].reset(0.5)
	}
	return p
}

// start places the pilot where the platform was found. A fault and a halt
// outlive the line they came on.
func (p *pilot) start(at Legs) {
	for i := range p.axis {
		p.axis[i].reset(at[i])
	}
	if p.state != Fault && p.state != Halted {
		p.state = Homing
	}
	p.quiet, p.active, p.held = 0, 0, 0
}

// step returns where the actuators shall be one dt later.
func (p *pilot) step(o orders) Legs {
	p.listen(o)
	p.decide(o)
	switch p.state {
	case Active:
		return p.move(p.demand, p.activeSpeed())
	case Parking, Parked:
		return p.move(p.cfg.Park, p.cfg.ParkSpeed)
	case Fault:
		return p.stepFault()
	case Halted:
		return p.hold()
	default:
		return p.move(p.centre, p.cfg.HomeSpeed)
	}
}

// listen keeps the newest demand and its age. While it is halted a bad demand
// is no reason to move, and an order to home waits.
func (p *pilot) listen(o orders) {
	p.quiet += o.elapsed
	if o.fresh {
		p.demand, p.quiet = o.demand, o.age
	}
	switch {
	case o.halt:
		p.state = Halted
	case o.homes != p.homes:
		p.homes = o.homes
		p.state = Homing
	}
	if o.bad && p.state != Fault && p.state != Halted {
		p.state, p.held = Fault, 0
	}
}

// decide moves on to the next state, if it is time.
func (p *pilot) decide(o orders) {
	lively := o.fresh && p.quiet <= deadMan && !o.park
	switch p.state {
	case Homing, Ready, Active:
		if o.park || (p.state == Active && p.quiet > deadMan) {
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
		if o.park && !o.halt {
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

func (p *pilot) engage() { p.state, p.active = Active, 0 }

// stepFault holds, then parks.
func (p *pilot) stepFault() Legs {
	p.held += p.dt
	if p.held < faultHold {
		return p.hold()
	}
	return p.move(p.cfg.Park, p.cfg.ParkSpeed)
}

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
	for i := range Axes {
		v = max(v, p.cfg.MaxSpeed[i])
	}
	return v
}

func (p *pilot) move(to Legs, speed float64) (l Legs) {
	for i := range p.axis {
		l[i] = p.axis[i].step(to[i], p.limits(i, speed))
	}
	return l
}

func (p *pilot) hold() (l Legs) {
	for i := range p.axis {
		l[i] = p.axis[i].brake(p.limits(i, p.cfg.MaxSpeed[i]))
	}
	return l
}

func (p *pilot) limits(axis int, speed float64) limits {
	return limits{p.cfg.Min[axis], p.cfg.Max[axis], min(speed, p.cfg.MaxSpeed[axis]), p.cfg.MaxAccel[axis]}
}

// still reports that every axis rests at the place given.
func (p *pilot) still(at Legs) bool {
	for i := range p.axis {
		if !p.axis[i].still(at[i], p.limits(i, p.cfg.MaxSpeed[i])) {
			return false
		}
	}
	return true
}

// halted reports that the platform was halted and has come to rest.
func (p *pilot) halted() bool {
	for i := range p.axis {
		if p.axis[i].velocity != 0 {
			return false
		}
	}
	return p.state == Halted
}

// atPark reports that the platform rests where it parks, also in a fault.
func (p *pilot) atPark() bool {
	return (p.state == Parked || p.state == Fault) && p.still(p.cfg.Park)
}
