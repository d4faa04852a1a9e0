package driveline

import (
	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/tire"
)

// GearboxState is the gearbox between two ticks, and who works it and its clutch.
type GearboxState struct {
	Shaft float64 // speed of its input shaft [rad/s]
	Sync  float64 // torque of synchronizers, teeth and plates on the input shaft while no gear is engaged [N·m]
	Grind float64 // how hard teeth grind that do not mesh, 0..1
	Time  float64 // since a change began [s]; below 0 what is left until the engine has its torque back; 0 when none
	Next  int8    // gear that is being engaged; 0 when none
	From  int8    // gear that was left for it
	Open  float64 // how far the automatic clutch is open, 0..1; 0 where the driver works it
	Lock  float64 // how far the converter's clutch is closed, 0..1

	Wanted int8    // gear that automatic shifting chose; 0 where the driver does
	Dwell  float64 // since it did [s]
	Load   float64 // throttle that it goes by: the highest of late, 0..1
}

// boxKind is how the gears of a gearbox change.
type boxKind uint8

const (
	synchro boxKind = iota
	dog
	sequential
	automatic
	single
)

// gearbox is the constant part of one, speeds in rad/s.
type gearbox struct {
	Gearbox
	kind     boxKind
	window   float64    // of dogs, at the input shaft
	overRev  float64    // of the input shaft
	free     float64    // torque at the input shaft below which teeth come apart [N·m]
	strong   float64    // the most that plates carry in a handover [N·m]
	radius   float64    // that the driven wheels roll on [m]
	up, down curve.Line // speed of the input shaft at which to change, over the throttle
	fluid    bool       // a converter joins engine and gearbox
	capacity curve.Line // of the converter [N·m·s²] over its speed ratio
	gain     curve.Line // its turbine's torque over its impeller's, over the speed ratio
}

// newGearbox returns the gearbox of a driveline whose driven wheels roll on a radius [m].
func newGearbox(d Params, radius float64) gearbox {
	g := gearbox{Gearbox: d.Gearbox, window: d.Gearbox.Window * PerRPM, overRev: d.Gearbox.OverRev * PerRPM, radius: radius}
	g.kind = map[string]boxKind{"synchro": synchro, "dog": dog, "sequential": sequential, "automatic": automatic, "single": single}[d.Gearbox.Kind]
	most := d.PeakTorque()
	g.free, g.strong = 5+0.05*most, 50+5*most
	if g.overRev == 0 {
		g.overRev = max(d.Torque[len(d.Torque)-1].RPM, d.ShiftUp) * PerRPM
	}
	g.up, g.down = shiftLines(d)
	g.fluid = d.fluid()
	for _, at := range d.Converter.Points {
		g.capacity.Add(at.Ratio, at.Capacity)
		g.gain.Add(at.Ratio, at.Torque)
	}
	return g
}

// NearestGear returns the gear nearest to one asked for, of those that there are.
func (l *System) NearestGear(gear int8) int8 {
	return min(max(gear, -1), int8(len(l.p.Gears)))
}

// Ratio returns the speed of the gearbox' input over that of the wheels in a gear that there
// is: negative in reverse, 0 in neutral.
func (l *System) Ratio(gear int8) float64 {
	d := &l.p
	switch {
	case gear > 0:
		return d.Gears[gear-1] * d.Final
	case gear < 0:
		return -d.Reverse * d.Final
	}
	return 0
}

// turning returns the speed of the gearbox' output, as fast as the wheels [rad/s].
func (l *System) turning(s *State) float64 {
	k := &s.Shafts
	return l.Output((k[tire.FL].Speed+k[tire.FR].Speed)/2, (k[tire.RL].Speed+k[tire.RR].Speed)/2)
}

// Rolling returns the speed of the gearbox' output that wheels of given spins have it turn
// at, both [rad/s] and counted at the wheels, when no half shaft twists.
func (l *System) Rolling(spins *[4]float64) float64 {
	return l.Output((spins[tire.FL]+spins[tire.FR])/2, (spins[tire.RL]+spins[tire.RR])/2)
}

// carries returns the torque at the input shaft that the gear engaged carried in the
// last tick [N·m].
func (l *System) carries(s *State) float64 {
	ratio := l.Ratio(s.Gear)
	if ratio == 0 {
		return 0
	}
	return ((s.Shafts[tire.FL].Torque + s.Shafts[tire.FR].Torque) + (s.Shafts[tire.RL].Torque + s.Shafts[tire.RR].Torque)) / ratio
}

// shift moves the gearbox by one tick: it engages and leaves gears (State.Gear), says
// how what synchronizes pulls (Box.Sync, on the input shaft and against the output
// of the gear in o), and changes throttle and cut in o for it.
func (l *System) shift(s *State, o *orders) {
	b := &s.Box
	b.Grind = 0
	if l.box.kind != automatic || s.Gear != 0 {
		b.Sync = 0
	}
	out := l.turning(s)
	l.choose(s, o)
	l.ease(s, o, out)
	switch {
	case l.box.kind == automatic:
		l.handOver(s, o, out)
	case l.box.kind == sequential:
		l.climb(s, o, out)
	case l.box.kind == dog && l.ownsClutch(o):
		l.matched(s, o, out)
	default:
		l.byHand(s, o, out)
	}
	l.workClutch(s, o, out)
	l.workLock(s)
}

// begin starts a change to a gear.
func (b *GearboxState) begin(s *State, to int8) {
	b.Next, b.From, b.Time, b.Sync = to, s.Gear, 0, 0
}

// engage puts the next gear in; the engine gets its torque back within a time [s].
func (b *GearboxState) engage(s *State, within float64) {
	s.Gear, b.Sync, b.Grind = b.Next, 0, 0
	b.Next, b.From, b.Time = 0, 0, -within
}

// rest ends a change; what is left until the engine has its torque back goes on.
func (b *GearboxState) rest() {
	b.Next, b.From, b.Sync = 0, 0, 0
	b.Time = min(b.Time, 0)
}

// ease gives the engine its torque back after a change.
func (l *System) ease(s *State, o *orders, out float64) {
	b, g := &s.Box, &l.box
	if b.Time >= 0 {
		return
	}
	b.Time = min(b.Time+l.dt, 0)
	speed := l.Ratio(s.Gear) * out
	switch {
	case g.kind == automatic:
		o.Cut = max(o.Cut, g.Relief*-b.Time/(g.Handover/2))
	case !l.ownsClutch(o) || speed < runs*l.engine.idle:
		b.Time = 0
	default:
		l.match(s, o, speed)
		o.Cut = max(o.Cut, b.Open)
	}
}

// backward reports whether reverse is refused: the car still goes ahead.
func backward(gear int8, out float64) bool {
	const slow = 5 // of the wheels [rad/s]
	return gear < 0 && out > slow
}
