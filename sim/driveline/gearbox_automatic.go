package driveline

import "math"

// automaticShift moves an automatic gearbox by one tick. In a change, the clutch plates of one gear open
// while those of the next gear close, so that the wheels always have torque. The speed of the input shaft
// changes linearly from one gear to the other.
func (l *System) automaticShift(s *State, o *orders, outputSpeed float64) {
	b := &s.Gearbox
	want := o.Gear
	if want == 0 || refusesReverse(want, outputSpeed) {
		s.Gear, o.Gear = 0, 0
		b.ShiftTime = 0
		b.endShift()
		return
	}
	switch {
	case b.NextGear != 0 && (b.NextGear > 0) == (want > 0): // a change goes on
	case b.NextGear == 0 && s.Gear == want:
		return
	case (s.Gear > 0) != (want > 0):
		s.Gear = 0
		b.beginShift(s, want)
	default:
		b.beginShift(s, want)
	}
	b.ShiftTime = max(b.ShiftTime, 0) + l.dt
	l.powerShift(s, o, outputSpeed)
}

// powerShift moves a change of gear of an automatic gearbox by one tick.
func (l *System) powerShift(s *State, o *orders, outputSpeed float64) {
	b, g := &s.Gearbox, &l.box
	const unloadShare = 0.25 // share of the time in which the old plates are unloaded
	cutShare := g.ShiftCutShare * min(b.ShiftTime/(unloadShare*g.HandoverTime), 1)
	inputTorque, inertia := l.inputTorque(s, o)
	speedError := l.Ratio(b.NextGear)*l.RollingOutput(&o.Spin) - b.InputSpeed
	engineAccelerates := speedError > 0 && inputTorque > 0 && b.FromGear != 0 // a downshift with throttle: the engine itself accelerates the shaft
	if s.Gear != 0 {
		o.TorqueCut, o.Gear = max(o.TorqueCut, cutShare), b.NextGear
		if b.ShiftTime < unloadShare*g.HandoverTime {
			return
		}
		b.SyncTorque = -l.gearTorque(s)
		if !engineAccelerates {
			b.SyncTorque *= l.Ratio(b.FromGear) / l.Ratio(b.NextGear)
		}
		s.Gear = 0
	}
	const minTime = 0.02 // [s]
	remaining := max(g.HandoverTime-b.ShiftTime, minTime)
	wanted := inertia*speedError/remaining - inputTorque
	o.Gear = b.NextGear
	if engineAccelerates && l.Ratio(b.FromGear)*outputSpeed <= b.InputSpeed {
		o.Gear = b.FromGear
	} else if !engineAccelerates {
		o.TorqueCut = max(o.TorqueCut, cutShare)
	}
	if inputTorque < 0 && speedError > 0 && !g.hasConverter { // coasting: the throttle opens to accelerate the shaft
		o.Throttle = max(o.Throttle,
			min(inertia*speedError/remaining/max(l.engine.fullTorque(s.EngineSpeed), 1), 1))
	}
	l.pressPlates(s, o, wanted, inertia, inputTorque)
	const tolerance = 3 // [rad/s]
	if math.Abs(speedError) < tolerance || b.ShiftTime > 3*g.HandoverTime {
		b.engage(s, g.HandoverTime/2)
	}
}

// pressPlates moves the torque of the clutch plates of the gear o.Gear towards wanted [N·m, on the input
// shaft], as fast as the oil pressure allows. Plates have only friction: they can only reduce the speed
// difference. inertia [kg·m²] and inputTorque [N·m] are the results of inputTorque.
func (l *System) pressPlates(s *State, o *orders, wanted, inertia, inputTorque float64) {
	b, maxTorque := &s.Gearbox, l.box.maxPlateTorque
	const fillTime = 0.06 // [s], from nothing to all
	step := maxTorque * l.dt / fillTime
	torque := min(max(b.SyncTorque+min(max(wanted-b.SyncTorque, -step), step), -maxTorque), maxTorque)
	o.gearFriction = gearFriction{capacity: math.Abs(torque), direction: torque,
		inertiaPerDt: inertia * l.perDt, torque: inputTorque}
}

// inputTorque returns the torque of engine and clutch, or of the converter, on the input shaft [N·m], and the
// inertia that turns with the shaft [kg·m²].
func (l *System) inputTorque(s *State, o *orders) (torque, inertia float64) {
	if l.box.hasConverter {
		return l.converterTorques(s.EngineSpeed, s.Gearbox.InputSpeed).turbine, l.inputPerDt * l.dt
	}
	capacity := l.clutchCapacity(s, o)
	const tolerance = 1 // [rad/s]
	if math.Abs(s.EngineSpeed-s.Gearbox.InputSpeed) < tolerance {
		return min(max(s.Engine.Torque, -capacity), capacity), (l.inputPerDt + l.crankPerDt) * l.dt
	}
	return math.Copysign(capacity, s.EngineSpeed-s.Gearbox.InputSpeed), l.inputPerDt * l.dt
}
