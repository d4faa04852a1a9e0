package driveline

import (
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// PerRPM is one turn for each minute [rad/s].
const PerRPM = math.Pi / 30

// EngineState is what an engine, or an electric motor, remembers from tick to tick.
type EngineState struct {
	Running bool    // it burns fuel; of a motor: it is switched on and has power
	Cut     bool    // the hard limiter takes its torque
	Overrun bool    // a released throttle cuts its fuel
	Torque  float64 // at the crank, less friction [N·m]; found by the last tick
	Idle    float64 // integrator of the idle control [N·m]
	Wait    float64 // that the hard limiter cuts yet, at least [s]
	Boost   float64 // of the turbo, 0..1 of what the full torque needs
	Fed     float64 // share of its cycles that get fuel, 0..1
	Due     float64 // fuel [L] or energy [J] taken that is too little to show in the level
}

// engine is the constant part of the engine, in rad/s.
type engine struct {
	curve    curve.Line // full throttle
	response curve.Line // throttle over pedal; without points as pressed
	mapped   bool
	torque   curve.Map // over throttle and speed, where mapped
	friction float64
	drag     float64
	held     float64 // by compression, standing; less as it turns slowly [N·m]

	idle, stall, catch float64
	starter, free      float64 // torque standing, and speed without [N·m, rad/s]
	limiter            limiter
	cut, feed          float64 // of overrun: begins above, ends below; never if cut is infinite
	control            idleControl
	turbo              turbo
}

func newEngine(d Params, dt float64) engine {
	p := d.speeds()
	e := engine{
		mapped:   len(p.Map) > 0,
		friction: d.Friction,
		drag:     d.Drag,
		held:     p.Hold,
		idle:     d.Idle * PerRPM,
		stall:    p.Stall * PerRPM,
		catch:    p.Catch * PerRPM,
		starter:  p.Starter,
		free:     p.StartFree * PerRPM,
		limiter:  newLimiter(p, dt),
		cut:      math.Inf(1),
		feed:     p.FeedBelow * PerRPM,
		turbo:    newTurbo(d.Turbo, dt),
	}
	for _, at := range d.Curve() {
		e.curve.Add(at.RPM*PerRPM, at.Torque)
	}
	for _, at := range p.Response {
		e.response.Add(at.Pedal, at.Throttle)
	}
	if e.mapped {
		points := p.points()
		for i := range points {
			points[i].Y *= PerRPM
		}
		e.torque = curve.NewMap(points)
	}
	if p.Overrun {
		e.cut = p.CutAbove * PerRPM
	}
	if d.Motor.Enabled {
		e.idle = 0
	}
	e.control = e.newIdleControl(p.IdleShare, d.Inertia, dt)
	return e
}

// give returns what the engine puts on its crank in this tick [N·m], and the most that
// friction takes of it without turning it backward, which counts where it does not run.
func (l *System) give(s *State, o *orders) (torque, held float64) {
	if l.motor.on {
		return l.motor.pull(s, o, l.dt), 0
	}
	e, p := &l.engine, &s.Power
	e.ignite(s, o)
	if !p.Running {
		*p = EngineState{Torque: p.Torque, Due: p.Due}
		return e.turned(s.Engine, o.Start)
	}
	throttle := o.Throttle
	if len(e.response.X) > 0 {
		throttle = e.response.At(throttle)
	}
	p.Fed = (1 - o.Cut) * e.limiter.leaves(p, s.Engine)
	released := e.closed(s.Engine)
	t := e.pulls(e.turbo.lets(p, throttle, s.Engine), s.Engine, released)
	if p.Fed < 1 {
		t = released + p.Fed*(t-released)
	}
	idle := e.control.adds(p, e.idle-s.Engine)
	if p.Overrun = throttle == 0 && idle == 0 && e.coasts(p, s.Engine); p.Overrun {
		p.Fed = 0
	}
	return t + (1-throttle)*idle, 0
}

// ignite starts an engine that turns fast enough with ignition and fuel, and stops one
// that is too slow or lacks either.
func (e *engine) ignite(s *State, o *orders) {
	p := &s.Power
	switch {
	case o.Off || !(s.Fuel > 0):
		p.Running = false
	case p.Running:
		p.Running = s.Engine >= e.stall
	default: // by the starter, or by the wheels
		p.Running = s.Engine > e.catch
	}
}

// turned returns what give does for an engine that does not run: the starter's torque,
// which falls with the speed, and friction, which holds it exactly where it stands.
func (e *engine) turned(speed float64, start bool) (torque, held float64) {
	if start {
		torque = e.starter * valid.Clamp(1-speed/e.free, 0, 1)
	}
	const breaks = 10 // [rad/s], beyond it compression gives back what it takes
	held = e.friction + e.drag*math.Abs(speed) + e.held*max(1-math.Abs(speed)/breaks, 0)
	return torque, held
}

// closed returns the torque with a released throttle and without idle control [N·m],
// negative where it brakes.
func (e *engine) closed(speed float64) float64 {
	if e.mapped {
		return e.torque.At(0, speed)
	}
	return -(e.friction + e.drag*max(speed, 0))
}

// pulls returns the torque at a throttle, for what a released one gives [N·m].
func (e *engine) pulls(throttle, speed, closed float64) float64 {
	if e.mapped {
		return e.torque.At(throttle, speed)
	}
	return throttle*e.full(speed) + (1-throttle)*closed
}

// full returns the torque at full throttle, by lines between the curve's points.
func (e *engine) full(speed float64) float64 { return e.curve.At(speed) }

// coasts reports whether a released throttle cuts the fuel, which it does above one speed
// until a lower one.
func (e *engine) coasts(p *EngineState, speed float64) bool {
	if p.Overrun {
		return speed > e.feed
	}
	return speed > e.cut
}
