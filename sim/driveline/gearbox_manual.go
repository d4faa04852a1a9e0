package driveline

import "math"

// manualShift moves a gearbox that the driver shifts by a lever by one tick: one with synchronizers, one with
// dogs that engage when the speeds match, or one behind an electric motor.
func (l *System) manualShift(s *State, o *orders, outputSpeed float64) {
	b := &s.Gearbox
	if l.box.kind == single {
		o.Gear = min(o.Gear, 1)
	}
	if s.Gear == o.Gear {
		b.endShift()
		return
	}
	if s.Gear != 0 {
		if !l.canLeaveGear(s, o) {
			return
		}
		s.Gear = 0
		b.beginShift(s, o.Gear)
	}
	switch {
	case o.Gear == 0:
		b.endShift()
		return
	case b.NextGear != o.Gear:
		b.beginShift(s, o.Gear)
	}
	b.ShiftTime = max(b.ShiftTime, 0) + l.dt
	l.tryEngage(s, o, outputSpeed)
}

// canLeaveGear reports whether the engaged gear can be disengaged: it carries little torque, or the clutch is
// open, or the car has an electric motor.
func (l *System) canLeaveGear(s *State, o *orders) bool {
	return l.IsElectric() || math.Abs(l.gearTorque(s)) < l.box.freeTorque || l.clutchCapacity(s,
		o) < l.box.freeTorque
}

// tryEngage engages the gear o.Gear if the speeds match, and otherwise sets the friction that brings the
// input shaft to the gear's speed. A synchronizer does so if the clutch is open; dogs have only the drag of
// their teeth.
func (l *System) tryEngage(s *State, o *orders, outputSpeed float64) {
	b, g := &s.Gearbox, &l.box
	if refusesReverse(o.Gear, outputSpeed) {
		b.Grind = 1
		return
	}
	speedError := l.Ratio(o.Gear)*outputSpeed - b.InputSpeed
	inertiaPerDt, torque, window, synchronizes := l.inputPerDt, g.GrindingTorque, g.meshWindow, false
	switch {
	case l.IsElectric():
		o.TorqueCut, synchronizes = 1, true
		inertiaPerDt, torque, window = inertiaPerDt+l.crankPerDt, g.SynchroTorque, syncWindow
	case g.kind != dog:
		window = syncWindow
		if synchronizes = l.clutchCapacity(s, o) < g.SynchroTorque/2; synchronizes {
			torque = g.SynchroTorque
		}
	}
	if b.ShiftTime >= g.LeverTime && math.Abs(speedError) < window {
		b.engage(s, l.p.Clutch.CloseTime)
		return
	}
	o.gearFriction = gearFriction{capacity: torque, inertiaPerDt: inertiaPerDt}
	if !synchronizes {
		const fullGrind = 50 // [rad/s]
		b.Grind = min(math.Abs(speedError)/fullGrind, 1)
	}
}

// syncWindow is the speed difference at the input shaft below which a synchronizer lets a gear engage [rad/s].
const syncWindow = 0.5

// sequentialShift moves a sequential gearbox by one tick: one gear at a time.
func (l *System) sequentialShift(s *State, o *orders, outputSpeed float64) {
	b := &s.Gearbox
	switch {
	case b.NextGear != 0 && b.ShiftTime > 0: // a change goes on
		o.Gear = b.NextGear
	case o.Gear > s.Gear:
		o.Gear = s.Gear + 1
	case o.Gear < s.Gear:
		o.Gear = s.Gear - 1
	}
	if lower := s.Gear > o.Gear && o.Gear > 0; lower && l.Ratio(o.Gear)*outputSpeed > l.box.overRev {
		o.Gear = s.Gear
	}
	l.revMatchedShift(s, o, outputSpeed)
}

// revMatchedShift moves a change of gear with a closed clutch by one tick. The torque is cut until the gear
// disengages; then the engine brings the input shaft to the speed of the next gear.
func (l *System) revMatchedShift(s *State, o *orders, outputSpeed float64) {
	b, g := &s.Gearbox, &l.box
	if s.Gear == o.Gear || refusesReverse(o.Gear, outputSpeed) {
		o.Gear = s.Gear
		b.endShift()
		return
	}
	if b.NextGear != o.Gear || b.ShiftTime <= 0 {
		from := s.Gear
		if b.ShiftTime > 0 {
			from = b.FromGear
		}
		b.NextGear, b.FromGear, b.ShiftTime = o.Gear, from, 0
	}
	b.ShiftTime += l.dt
	maxTime := g.CutTime
	if b.FromGear > b.NextGear && b.NextGear > 0 {
		maxTime = g.BlipTime
	}
	if s.Gear != 0 {
		o.TorqueCut = 1
		if !l.canLeaveGear(s, o) && b.ShiftTime < maxTime/2 {
			return
		}
		s.Gear = 0
	}
	if o.Gear == 0 {
		b.ShiftTime = 0
		b.endShift()
		return
	}
	target := l.Ratio(o.Gear) * outputSpeed
	speedError := target - b.InputSpeed
	l.revMatch(s, o, target)
	o.gearFriction = gearFriction{capacity: g.GrindingTorque, inertiaPerDt: l.inputPerDt}
	if math.Abs(speedError) < g.meshWindow || b.ShiftTime >= maxTime {
		b.engage(s, max(maxTime-b.ShiftTime, l.dt))
	}
}
