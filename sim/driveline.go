package sim

import (
	"math"
	"slices"
)

// shaft is what the driveline does to one wheel.
type shaft struct {
	torque float64 // [N·m], positive forward
	slope  float64 // how much of it is lost for each rad/s that the wheel gains
}

// engine is the constant part of engine and clutch, in rad/s.
type engine struct {
	curve    []TorquePoint // RPM holds rad/s here
	idle     float64
	launch   float64
	friction float64
	drag     float64
	inertia  float64
	capacity float64 // of the clutch [N·m]
}

const perRPM = math.Pi / 30 // rad/s

func newEngine(d Driveline) engine {
	e := engine{
		curve:    slices.Clone(d.Torque),
		idle:     d.Idle * perRPM,
		launch:   d.Launch * perRPM,
		friction: d.Friction,
		drag:     d.Drag,
		inertia:  d.Inertia,
		capacity: d.ClutchMax,
	}
	for i := range e.curve {
		e.curve[i].RPM *= perRPM
	}
	return e
}

// torque returns what the engine gives at a speed [rad/s]: its curve by the
// throttle, its friction by what is missing to full throttle, and below idle
// whatever keeps it alive.
func (e *engine) torque(speed, throttle float64) float64 {
	t := throttle*e.full(speed) - (1-throttle)*(e.friction+e.drag*max(speed, 0))
	const governor = 1.0 // [N·m·s/rad]
	return max(t, min(governor*(e.idle-speed), e.full(e.idle)))
}

// full returns the torque at full throttle, by lines between the curve's points.
func (e *engine) full(speed float64) float64 {
	last := len(e.curve) - 1
	if speed <= e.curve[0].RPM {
		return e.curve[0].Torque
	}
	for i := 1; i <= last; i++ {
		a, b := e.curve[i-1], e.curve[i]
		if speed < b.RPM {
			return a.Torque + (b.Torque-a.Torque)*(speed-a.RPM)/(b.RPM-a.RPM)
		}
	}
	return e.curve[last].Torque
}

// hold returns the most the clutch can carry [N·m]. Besides the pedal, an
// automatic opens it towards idle, so that the engine never stalls.
func (e *engine) hold(speed, pedal float64) float64 {
	closed := (speed - e.idle) / (e.launch - e.idle)
	return e.capacity * (1 - pedal) * min(max(closed, 0), 1)
}

// ratio returns engine speed over wheel speed in a gear that the car has, 0 in
// neutral.
func (c *Car) ratio(gear int8) float64 {
	d := &c.p.Driveline
	switch {
	case gear > 0:
		return d.Gears[gear-1] * d.Final
	case gear < 0:
		return -d.Reverse * d.Final
	}
	return 0
}

// driveline steps the engine and returns the torque on each wheel: the
// clutch's through gear and final drive, the same on both wheels of an axle.
//
// The clutch is a stiff viscous link that slips at what it can hold; the link
// is solved with the engine, and the wheels solve their side by its slope: each as
// if all gained alike, which is stable with any ratio and any number of driven wheels.
func (c *Car) driveline(s *State, in Input) (out [4]shaft) {
	const link = 40.0 // [N·m·s/rad]
	e := &c.engine
	ratio := c.ratio(in.Gear)
	front, rear := c.p.Driveline.FrontShare, 1-c.p.Driveline.FrontShare
	turning := ratio * (front*(s.Wheels[FL].Roll.Spin+s.Wheels[FR].Roll.Spin) + rear*(s.Wheels[RL].Roll.Spin+s.Wheels[RR].Roll.Spin)) / 2
	hold := e.hold(s.Engine, in.Clutch)
	if ratio == 0 {
		hold = 0
	}
	throttle, share := c.shift(s, in, turning)
	hold *= share
	given := e.torque(s.Engine, throttle)
	joined := (e.inertia*s.Engine + c.dt*(given+link*turning)) / (e.inertia + c.dt*link)
	carried := link * (joined - turning)
	slope := link * e.inertia / (e.inertia + c.dt*link)
	if math.Abs(carried) > hold {
		carried, slope = math.Copysign(hold, carried), 0
	}
	s.Engine += c.dt / e.inertia * (given - carried)
	steep := slope * ratio * ratio / 2
	out[FL] = shaft{torque: front * carried * ratio / 2, slope: front * steep}
	out[RL] = shaft{torque: rear * carried * ratio / 2, slope: rear * steep}
	out[FR], out[RR] = out[FL], out[RL]
	return out
}

// returned gives the engine what the wheels left of the clutch's torque as they
// gained speed within the tick, so that both ends of the driveline feel the same.
func (c *Car) returned(s *State, gear int8, ps *[4]patch) {
	ratio := c.ratio(gear)
	if ratio == 0 {
		return
	}
	left := (ps[FL].spare + ps[FR].spare) + (ps[RL].spare + ps[RR].spare)
	s.Engine += c.dt / c.engine.inertia * left / ratio
}

// shift returns throttle and share of the clutch during a tick. For a moment
// after a new gear the gearbox lets the clutch slip and brings the engine to
// its new speed, so that the wheels do not have to.
func (c *Car) shift(s *State, in Input, turning float64) (throttle, share float64) {
	const takes, slipping = 0.3, 0.25 // [s], share of the clutch
	if in.Gear != s.Gear && in.Gear != 0 {
		s.Shift = takes
	}
	if s.Shift <= 0 {
		return in.Throttle, 1
	}
	s.Shift -= c.dt
	if s.Engine < turning {
		return 1, slipping
	}
	return 0, slipping
}

// AutoGear returns the gear an automatic would choose after current. It judges
// by the car's speed, so that a spinning wheel does not shift; neutral and
// reverse stay.
func (c *Car) AutoGear(s *State, current int8) int8 {
	d := &c.p.Driveline
	if current < 1 {
		return current
	}
	current = min(current, int8(len(d.Gears)))
	spin := s.Speed / c.corners[RL].radius() / perRPM
	switch {
	case int(current) < len(d.Gears) && spin*c.ratio(current) > d.ShiftUp:
		return current + 1
	case current > 1 && spin*c.ratio(current) < d.ShiftDown && spin*c.ratio(current-1) < 0.9*d.ShiftUp:
		return current - 1
	}
	return current
}
