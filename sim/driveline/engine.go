package driveline

import (
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// PerRPM is one revolution per minute in rad/s.
const PerRPM = math.Pi / 30

// EngineState is the state of an engine or of an electric motor.
type EngineState struct {
	Running      bool    // the engine burns fuel, or the motor is switched on and its battery is not empty
	LimiterCut   bool    // the hard limiter cuts the torque
	Overrun      bool    // the fuel is cut because the throttle is released
	Torque       float64 // net torque at the crank in the last tick [N·m]
	IdleIntegral float64 // integral part of the idle control [N·m]
	LimiterWait  float64 // shortest time for which the hard limiter still cuts [s]
	Boost        float64 // boost of the turbo, as a share of the boost at full torque, 0..1
	FuelShare    float64 // share of the cycles that get fuel, 0..1
	// fuel [L] or energy [J] that is used but not yet subtracted, because rounding would lose it
	LevelCarry float64
}

// engine holds everything of the engine that is constant in a run. Speeds are in rad/s.
type engine struct {
	curve       curve.Line // torque at full throttle [N·m] over speed
	response    curve.Line // throttle over pedal position; without points they are equal
	hasMap      bool       // the torque follows from the map torque
	torque      curve.Map  // [N·m] over throttle and speed, with hasMap
	friction    float64    // braking torque with the throttle released, at low speed [N·m]
	drag        float64    // further braking torque for each rad/s [N·m·s/rad]
	compression float64    // torque that compression holds at standstill; less at low speed [N·m]

	idle, stallSpeed, fireSpeed float64
	// torque at standstill [N·m], and speed at which it has none [rad/s]
	starterTorque, starterFreeSpeed float64
	limiter                         limiter
	// speeds above which the overrun cut begins and below which it ends; overrunCut is Inf without it
	overrunCut, overrunFeed float64
	idling                  idleControl
	turbo                   turbo
}

// newEngine returns the engine of a driveline.
func newEngine(d Params, dt float64) engine {
	p := d.resolvedEngine()
	e := engine{
		hasMap:           len(p.Map) > 0,
		friction:         d.EngineFriction,
		drag:             d.EngineDrag,
		compression:      p.CompressionTorque,
		idle:             d.IdleRPM * PerRPM,
		stallSpeed:       p.StallRPM * PerRPM,
		fireSpeed:        p.CatchRPM * PerRPM,
		starterTorque:    p.StarterTorque,
		starterFreeSpeed: p.StarterRPM * PerRPM,
		limiter:          newLimiter(p, dt),
		overrunCut:       math.Inf(1),
		overrunFeed:      p.OverrunFeedRPM * PerRPM,
		turbo:            newTurbo(d.Turbo, dt),
	}
	for _, at := range d.Curve() {
		e.curve.Add(at.RPM*PerRPM, at.Torque)
	}
	for _, at := range p.ThrottleCurve {
		e.response.Add(at.Pedal, at.Throttle)
	}
	if e.hasMap {
		points := p.points()
		for i := range points {
			points[i].Y *= PerRPM
		}
		e.torque = curve.NewMap(points)
	}
	if p.OverrunCut {
		e.overrunCut = p.OverrunCutRPM * PerRPM
	}
	if d.Motor.Enabled {
		e.idle = 0
	}
	e.idling = e.newIdleControl(p.IdleAuthority, d.EngineInertia, dt)
	return e
}

// engineTorque returns the torque on the crank in this tick [N·m] and, if the engine does not run, its dry
// friction, which holds it at standstill [N·m].
func (l *System) engineTorque(s *State, o *orders) (torque, friction float64) {
	if l.motor.enabled {
		return l.motor.tickTorque(s, o, l.dt), 0
	}
	e, p := &l.engine, &s.Engine
	e.updateRunning(s, o)
	if !p.Running {
		*p = EngineState{Torque: p.Torque, LevelCarry: p.LevelCarry}
		return e.stoppedTorque(s.EngineSpeed, o.Starter)
	}
	throttle := o.Throttle
	if len(e.response.X) > 0 {
		throttle = e.response.At(throttle)
	}
	p.FuelShare = (1 - o.TorqueCut) * e.limiter.torqueShare(p, s.EngineSpeed)
	closed := e.closedTorque(s.EngineSpeed)
	t := e.throttleTorque(e.turbo.throttle(p, throttle, s.EngineSpeed), s.EngineSpeed, closed)
	if p.FuelShare < 1 {
		t = closed + p.FuelShare*(t-closed)
	}
	idle := e.idling.torque(p, e.idle-s.EngineSpeed)
	if p.Overrun = throttle == 0 && idle == 0 && e.isOverrun(p, s.EngineSpeed); p.Overrun {
		p.FuelShare = 0
	}
	return t + (1-throttle)*idle, 0
}

// updateRunning sets Running. An engine with ignition and fuel starts when it turns fast enough, and stops
// when it turns too slowly. Without ignition or fuel it stops.
func (e *engine) updateRunning(s *State, o *orders) {
	p := &s.Engine
	switch {
	case o.IgnitionOff || !(s.Fuel > 0):
		p.Running = false
	case p.Running:
		p.Running = s.EngineSpeed >= e.stallSpeed
	default: // the starter or the wheels turn the engine
		p.Running = s.EngineSpeed > e.fireSpeed
	}
}

// stoppedTorque returns the torque and the friction of an engine that does not run [N·m]: the torque of the
// starter, which falls with the speed, and the dry friction, which holds the engine at standstill. start
// means that the starter is on.
func (e *engine) stoppedTorque(speed float64, start bool) (torque, friction float64) {
	if start {
		torque = e.starterTorque * valid.Clamp(1-speed/e.starterFreeSpeed, 0, 1)
	}
	// Above this speed [rad/s] the compressed air gives its energy back to the crank in every turn.
	const compressionFreeSpeed = 10
	friction = e.friction + e.drag*math.Abs(speed) + e.compression*max(1-math.Abs(speed)/compressionFreeSpeed, 0)
	return torque, friction
}

// closedTorque returns the torque with a released throttle and without idle control [N·m],
// negative where it brakes.
func (e *engine) closedTorque(speed float64) float64 {
	if e.hasMap {
		return e.torque.At(0, speed)
	}
	return -(e.friction + e.drag*max(speed, 0))
}

// throttleTorque returns the torque at a throttle 0..1 [N·m], given that at a released throttle (closed).
func (e *engine) throttleTorque(throttle, speed, closed float64) float64 {
	if e.hasMap {
		return e.torque.At(throttle, speed)
	}
	return throttle*e.fullTorque(speed) + (1-throttle)*closed
}

// fullTorque returns the torque at full throttle [N·m] at a speed [rad/s].
func (e *engine) fullTorque(speed float64) float64 { return e.curve.At(speed) }

// isOverrun reports whether a released throttle cuts the fuel at this speed. The cut ends at a lower speed
// than that at which it begins.
func (e *engine) isOverrun(p *EngineState, speed float64) bool {
	if p.Overrun {
		return speed > e.overrunFeed
	}
	return speed > e.overrunCut
}
