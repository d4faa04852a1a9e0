package driveline

import (
	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/tire"
)

// GearboxState is the state of the gearbox, its automatic clutch and automatic shifting.
type GearboxState struct {
	InputSpeed float64 // speed of the input shaft [rad/s]
	// friction torque of synchronizers, dogs or clutch plates on the input shaft while no gear is engaged
	// [N·m]
	SyncTorque float64
	Grind      float64 // strength of the grinding of teeth that do not mesh, 0..1
	// time since a change began [s]; negative after it: minus the time until the engine has its full torque;
	// else 0
	ShiftTime  float64
	NextGear   int8    // gear that is being engaged; 0 without a change
	FromGear   int8    // gear before the change
	ClutchOpen float64 // how far the automatic clutch is open, 0..1; 0 if the driver works the clutch
	Lockup     float64 // how far the converter's lock-up clutch is closed, 0..1

	WantedGear     int8    // gear chosen by automatic shifting; 0 if the driver chooses
	Dwell          float64 // time since WantedGear changed [s]
	RecentThrottle float64 // largest recent throttle, by which automatic shifting chooses, 0..1
}

// boxKind is the kind of a gearbox: Gearbox.Kind as a number.
type boxKind uint8

const (
	synchro boxKind = iota
	dog
	sequential
	automatic
	single
)

// gearbox holds everything of a gearbox that is constant in a run. Speeds are in rad/s.
type gearbox struct {
	Gearbox
	kind       boxKind
	meshWindow float64 // largest speed difference at the input shaft at which dogs mesh
	overRev    float64 // largest speed of the input shaft after a downshift
	// torque at the input shaft below which a gear can be disengaged [N·m]
	freeTorque                   float64
	maxPlateTorque               float64    // torque capacity of the plates during a change [N·m]
	wheelRadius                  float64    // rolling radius of the driven wheels [m]
	upshiftSpeed, downshiftSpeed curve.Line // speed of the input shaft at which to change, over the throttle
	hasConverter                 bool       // a torque converter connects engine and gearbox
	capacity                     curve.Line // of the converter [N·m·s²] over its speed ratio
	torqueRatio                  curve.Line // of the converter, over its speed ratio
}

// newGearbox returns the gearbox of a driveline; radius is the rolling radius of the driven wheels [m].
func newGearbox(d Params, radius float64) gearbox {
	g := gearbox{Gearbox: d.Gearbox, meshWindow: d.Gearbox.DogWindowRPM * PerRPM,
		overRev: d.Gearbox.OverRevRPM * PerRPM, wheelRadius: radius}
	g.kind = map[string]boxKind{"synchro": synchro, "dog": dog, "sequential": sequential,
		"automatic": automatic, "single": single}[d.Gearbox.Kind]
	peak := d.PeakTorque()
	g.freeTorque, g.maxPlateTorque = 5+0.05*peak, 50+5*peak
	if g.overRev == 0 {
		g.overRev = max(d.TorqueCurve[len(d.TorqueCurve)-1].RPM, d.ShiftUpRPM) * PerRPM
	}
	g.upshiftSpeed, g.downshiftSpeed = shiftSpeeds(d)
	g.hasConverter = d.hasConverter()
	for _, at := range d.Converter.Points {
		g.capacity.Add(at.SpeedRatio, at.Capacity)
		g.torqueRatio.Add(at.SpeedRatio, at.TorqueRatio)
	}
	return g
}

// NearestGear returns gear limited to the gears that the car has.
func (l *System) NearestGear(gear int8) int8 {
	return min(max(gear, -1), int8(len(l.p.Gears)))
}

// Ratio returns the speed of the gearbox' input shaft over that of the wheels in a gear, with the final
// drive. It is negative in reverse and 0 in neutral. The gear must exist.
func (l *System) Ratio(gear int8) float64 {
	d := &l.p
	switch {
	case gear > 0:
		return d.Gears[gear-1] * d.FinalDrive
	case gear < 0:
		return -d.ReverseGear * d.FinalDrive
	}
	return 0
}

// currentOutput returns the speed of the gearbox' output, after the final drive [rad/s].
func (l *System) currentOutput(s *State) float64 {
	k := &s.Shafts
	return l.OutputSpeed((k[tire.FL].Speed+k[tire.FR].Speed)/2, (k[tire.RL].Speed+k[tire.RR].Speed)/2)
}

// RollingOutput returns the speed of the gearbox' output after the final drive that belongs to the wheels'
// speeds, if the half shafts do not twist [rad/s].
func (l *System) RollingOutput(spins *[4]float64) float64 {
	return l.OutputSpeed((spins[tire.FL]+spins[tire.FR])/2, (spins[tire.RL]+spins[tire.RR])/2)
}

// gearTorque returns the torque of the engaged gear at the input shaft in the last tick [N·m].
func (l *System) gearTorque(s *State) float64 {
	ratio := l.Ratio(s.Gear)
	if ratio == 0 {
		return 0
	}
	return ((s.Shafts[tire.FL].Torque + s.Shafts[tire.FR].Torque) + (s.Shafts[tire.RL].Torque + s.Shafts[tire.RR].Torque)) / ratio
}

// shiftGears moves the gearbox by one tick. It engages and disengages gears (State.Gear), sets
// o.gearFriction, and changes throttle and torque cut in o for a change of gear.
func (l *System) shiftGears(s *State, o *orders) {
	b := &s.Gearbox
	b.Grind = 0
	if l.box.kind != automatic || s.Gear != 0 {
		b.SyncTorque = 0
	}
	outputSpeed := l.currentOutput(s)
	l.chooseGear(s, o)
	l.restoreTorque(s, o, outputSpeed)
	switch {
	case l.box.kind == automatic:
		l.automaticShift(s, o, outputSpeed)
	case l.box.kind == sequential:
		l.sequentialShift(s, o, outputSpeed)
	case l.box.kind == dog && l.isClutchAutomatic(o):
		l.revMatchedShift(s, o, outputSpeed)
	default:
		l.manualShift(s, o, outputSpeed)
	}
	l.stepClutch(s, o, outputSpeed)
	l.stepLockup(s)
}

// beginShift starts a change to the gear to.
func (b *GearboxState) beginShift(s *State, to int8) {
	b.NextGear, b.FromGear, b.ShiftTime, b.SyncTorque = to, s.Gear, 0, 0
}

// engage engages the next gear. The engine has its full torque again after the time within [s].
func (b *GearboxState) engage(s *State, within float64) {
	s.Gear, b.SyncTorque, b.Grind = b.NextGear, 0, 0
	b.NextGear, b.FromGear, b.ShiftTime = 0, 0, -within
}

// endShift ends a change without engaging a gear. If the engine has not its full torque yet, that time goes on.
func (b *GearboxState) endShift() {
	b.NextGear, b.FromGear, b.SyncTorque = 0, 0, 0
	b.ShiftTime = min(b.ShiftTime, 0)
}

// restoreTorque brings the engine's torque back after a change of gear: it sets throttle and torque cut in o.
func (l *System) restoreTorque(s *State, o *orders, outputSpeed float64) {
	b, g := &s.Gearbox, &l.box
	if b.ShiftTime >= 0 {
		return
	}
	b.ShiftTime = min(b.ShiftTime+l.dt, 0)
	speed := l.Ratio(s.Gear) * outputSpeed
	switch {
	case g.kind == automatic:
		o.TorqueCut = max(o.TorqueCut, g.ShiftCutShare*-b.ShiftTime/(g.HandoverTime/2))
	case !l.isClutchAutomatic(o) || speed < antiStallFactor*l.engine.idle:
		b.ShiftTime = 0
	default:
		l.revMatch(s, o, speed)
		o.TorqueCut = max(o.TorqueCut, b.ClutchOpen)
	}
}

// refusesReverse reports whether gear is reverse and must not be engaged because the car still rolls forward.
// outputSpeed is the speed of the gearbox' output [rad/s].
func refusesReverse(gear int8, outputSpeed float64) bool {
	const slow = 5 // of the wheels [rad/s]
	return gear < 0 && outputSpeed > slow
}
