package driveline

import (
	"math"
)

// coupling is the connection of engine and gearbox in a tick: a friction clutch in parallel with a torque
// converter.
type coupling struct {
	capacity float64 // torque capacity of the friction clutch [N·m]
	impeller float64 // torque that the converter takes from the engine [N·m]
	turbine  float64 // torque that the converter puts on the gearbox [N·m]
}

// connectEngine sets k to the connection of engine and gearbox in this tick: clutch, converter, or the rigid
// shaft of an electric motor.
func (l *System) connectEngine(k *coupling, s *State, o *orders) {
	switch {
	case l.IsElectric():
		k.capacity = math.MaxFloat64
	case l.box.hasConverter:
		*k = l.converterTorques(s.EngineSpeed, s.Gearbox.InputSpeed)
		k.capacity = s.Gearbox.Lockup * l.p.Converter.LockupCapacity
	default:
		k.capacity = l.clutchCapacity(s, o)
	}
}

// clutchCapacity returns the torque capacity of the friction clutch [N·m], as the driver's pedal and the
// automatic clutch leave it.
func (l *System) clutchCapacity(s *State, o *orders) float64 {
	d := &l.p
	closed := min(max((d.Clutch.BitePoint-o.Clutch)/d.Clutch.BiteWidth, 0), 1)
	closed *= closed * (3 - 2*closed)
	return d.ClutchCapacity * min(closed, 1-s.Gearbox.ClutchOpen)
}

// isClutchAutomatic reports whether there is a friction clutch that electronics work, not the driver.
func (l *System) isClutchAutomatic(o *orders) bool {
	if l.IsElectric() || l.box.hasConverter {
		return false
	}
	switch l.box.kind {
	case synchro, dog:
		return o.AutoClutch || o.AutoShift
	}
	return true
}

// antiStallFactor times the idle speed is the engine speed above which a closed clutch does not stall the
// engine.
const antiStallFactor = 1.15

// stepClutch moves the automatic clutch by a tick. outputSpeed is the speed of the gearbox' output [rad/s].
func (l *System) stepClutch(s *State, o *orders, outputSpeed float64) {
	b, k := &s.Gearbox, &l.p.Clutch
	if !l.isClutchAutomatic(o) {
		b.ClutchOpen = 0
		return
	}
	delta, maxStep := l.clutchTarget(s, o, outputSpeed)-b.ClutchOpen, l.dt/k.OpenTime
	if s.EngineSpeed < 0.9*l.engine.idle {
		maxStep *= 5 // before the engine stalls
	}
	b.ClutchOpen = min(max(b.ClutchOpen+min(max(delta, -l.dt/k.CloseTime), maxStep), 0), 1)
}

// clutchTarget returns how far the automatic clutch must open, 0 (closed) to 1. During a change of gear it
// also sets throttle and torque cut in o, so that the engine's speed matches the next gear.
func (l *System) clutchTarget(s *State, o *orders, outputSpeed float64) float64 {
	target := l.Ratio(o.Gear) * outputSpeed
	switch {
	case o.IgnitionOff && s.Gear == o.Gear: // springs close it, so that a car parked in gear does not roll
		return 0
	case !s.Engine.Running:
		return 1
	case s.Gear == o.Gear:
		return 1 - l.clutchEngagement(s, o)
	case l.box.kind != synchro && l.box.kind != single: // rev matching changes the input shaft's speed
		if s.Gear == 0 && target < antiStallFactor*l.engine.idle {
			return 1
		}
		return 0
	case s.Gear != 0:
		o.TorqueCut = 1
	default:
		l.revMatch(s, o, target)
	}
	return 1
}

// clutchEngagement returns the share of its capacity that the automatic clutch must have in gear, 0..1. While
// the clutch slips, the share follows the engine's torque; once it is locked, the share is 1. In overrun it
// is small, so that locked wheels do not stall the engine.
func (l *System) clutchEngagement(s *State, o *orders) float64 {
	d, e := &l.p, &l.engine
	if s.Gear == 0 {
		return 1
	}
	const tolerance = 3 // [rad/s]
	engineSpeed, shaftSpeed := s.EngineSpeed, s.Gearbox.InputSpeed
	const reserve, factor = 40, 1.5 // [N·m], and factor on the engine's drag
	overrun := min((reserve+factor*(d.EngineFriction+d.EngineDrag*max(shaftSpeed, 0)))/d.ClutchCapacity, 1)
	noStallSpeed := antiStallFactor * e.idle
	switch {
	case math.Abs(engineSpeed-shaftSpeed) < tolerance && shaftSpeed > noStallSpeed && o.Throttle > 0:
		return 1
	case shaftSpeed > noStallSpeed && (math.Abs(engineSpeed-shaftSpeed) < tolerance || engineSpeed < shaftSpeed):
		return overrun
	}
	span := d.LaunchRPM*PerRPM - e.idle
	const start, minBite = 0.1, 0.4 // shares of the span at which the clutch begins to carry, and at which it carries all without throttle
	bite := e.idle + span*(minBite+(1-minBite)*o.Throttle)
	progress := max((engineSpeed-e.idle-start*span)/(bite-e.idle-start*span), 0)
	torque := progress * progress * e.fullTorque(bite)
	return min(max(torque, l.creepTorque(s, o))/d.ClutchCapacity, 1)
}

// creepTorque returns the creep torque of the clutch [N·m]. It is 0 while the car is braked, and falls if the
// engine turns more slowly than at idle.
func (l *System) creepTorque(s *State, o *orders) float64 {
	const brakesReleased = 10 // [N·m]; because of its lag, the pressure takes long to fall to 0
	if o.BrakeTorque > brakesReleased {
		return 0
	}
	const low, high = 0.85, 0.97 // shares of the idle speed
	share := (s.EngineSpeed/l.engine.idle - low) / (high - low)
	return l.p.Clutch.CreepTorque * min(max(share, 0), 1)
}

// revMatch sets throttle and torque cut in o so that the engine reaches a speed [rad/s]. The torque is cut
// above that speed; the throttle opens below it.
func (l *System) revMatch(s *State, o *orders, speed float64) {
	deficit := min(max(speed, l.engine.idle), l.box.overRev) - s.EngineSpeed
	if deficit < 0 {
		o.Throttle, o.TorqueCut = 0, 1
		return
	}
	const time = 0.05 // [s]
	torque := l.p.EngineInertia*deficit/time + l.p.EngineFriction + l.p.EngineDrag*s.EngineSpeed
	o.Throttle = min(torque/max(l.engine.fullTorque(s.EngineSpeed), 1), 1)
}
