package sim

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
func newGearbox(d Driveline, radius float64) gearbox {
	g := gearbox{Gearbox: d.Gearbox, window: d.Gearbox.Window * perRPM, overRev: d.Gearbox.OverRev * perRPM, radius: radius}
	g.kind = map[string]boxKind{"synchro": synchro, "dog": dog, "sequential": sequential, "automatic": automatic, "single": single}[d.Gearbox.Kind]
	most := highest(d.Torque, 0)
	g.free, g.strong = 5+0.05*most, 50+5*most
	if g.overRev == 0 {
		g.overRev = max(d.Torque[len(d.Torque)-1].RPM, d.ShiftUp) * perRPM
	}
	g.up, g.down = shiftLines(d)
	g.fluid = d.fluid()
	for _, at := range d.Converter.Points {
		g.capacity.Add(at.Ratio, at.Capacity)
		g.gain.Add(at.Ratio, at.Torque)
	}
	return g
}

// geared returns the gear of the car that is nearest to one.
func (c *Car) geared(gear int8) int8 {
	return min(max(gear, -1), int8(len(c.p.Driveline.Gears)))
}

// ratio returns the speed of the gearbox' input over that of the wheels in a gear that
// the car has, 0 in neutral.
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

// turning returns the speed of the gearbox' output, as fast as the wheels [rad/s].
func (c *Car) turning(s *State) float64 {
	k := &s.Driveline.Shafts
	return c.line.output((k[tire.FL].Speed+k[tire.FR].Speed)/2, (k[tire.RL].Speed+k[tire.RR].Speed)/2)
}

// rolling returns how fast the output turns when the half shafts do not twist [rad/s].
func (c *Car) rolling(s *State) float64 {
	w := &s.Wheels
	return c.line.output((w[tire.FL].Roll.Spin+w[tire.FR].Roll.Spin)/2, (w[tire.RL].Roll.Spin+w[tire.RR].Roll.Spin)/2)
}

// carries returns the torque at the input shaft that the gear engaged carried in the
// last tick [N·m].
func (c *Car) carries(s *State) float64 {
	ratio := c.ratio(s.Driveline.Gear)
	if ratio == 0 {
		return 0
	}
	return ((s.Driveline.Shafts[tire.FL].Torque + s.Driveline.Shafts[tire.FR].Torque) + (s.Driveline.Shafts[tire.RL].Torque + s.Driveline.Shafts[tire.RR].Torque)) / ratio
}

// shift moves the gearbox by one tick: it engages and leaves gears (State.Gear), says
// how what synchronizes pulls (State.Box.Sync, on the input shaft and against the output
// of the gear in o), and changes throttle and cut in o for it.
func (c *Car) shift(s *State, o *orders) {
	b := &s.Driveline.Box
	b.Grind = 0
	if c.box.kind != automatic || s.Driveline.Gear != 0 {
		b.Sync = 0
	}
	out := c.turning(s)
	c.choose(s, o)
	c.ease(s, o, out)
	switch {
	case c.box.kind == automatic:
		c.handOver(s, o, out)
	case c.box.kind == sequential:
		c.climb(s, o, out)
	case c.box.kind == dog && c.ownsClutch(o):
		c.matched(s, o, out)
	default:
		c.byHand(s, o, out)
	}
	c.workClutch(s, o, out)
	c.workLock(s)
}

// begin starts a change to a gear.
func (b *GearboxState) begin(s *State, to int8) {
	b.Next, b.From, b.Time, b.Sync = to, s.Driveline.Gear, 0, 0
}

// engage puts the next gear in; the engine gets its torque back within a time [s].
func (b *GearboxState) engage(s *State, within float64) {
	s.Driveline.Gear, b.Sync, b.Grind = b.Next, 0, 0
	b.Next, b.From, b.Time = 0, 0, -within
}

// rest ends a change; what is left until the engine has its torque back goes on.
func (b *GearboxState) rest() {
	b.Next, b.From, b.Sync = 0, 0, 0
	b.Time = min(b.Time, 0)
}

// ease gives the engine its torque back after a change.
func (c *Car) ease(s *State, o *orders, out float64) {
	b, g := &s.Driveline.Box, &c.box
	if b.Time >= 0 {
		return
	}
	b.Time = min(b.Time+c.dt, 0)
	speed := c.ratio(s.Driveline.Gear) * out
	switch {
	case g.kind == automatic:
		o.cut = max(o.cut, g.Relief*-b.Time/(g.Handover/2))
	case !c.ownsClutch(o) || speed < runs*c.engine.idle:
		b.Time = 0
	default:
		c.match(s, o, speed)
		o.cut = max(o.cut, b.Open)
	}
}

// backward tells whether reverse is refused: the car still goes ahead.
func backward(gear int8, out float64) bool {
	const slow = 5 // of the wheels [rad/s]
	return gear < 0 && out > slow
}
