package sim

import "math"

// handOver changes the gears of an automatic gearbox: the plates of one gear let go as
// those of the next take hold, so that the wheels are never without torque. The input
// shaft goes from one speed to the other in a straight line.
func (c *Car) handOver(s *State, o *orders, out float64) {
	b := &s.Driveline.Box
	want := o.gear
	if want == 0 || backward(want, out) {
		s.Driveline.Gear, o.gear = 0, 0
		b.Time = 0
		b.rest()
		return
	}
	switch {
	case b.Next != 0 && (b.Next > 0) == (want > 0): // half way
	case b.Next == 0 && s.Driveline.Gear == want:
		return
	case (s.Driveline.Gear > 0) != (want > 0):
		s.Driveline.Gear = 0
		b.begin(s, want)
	default:
		b.begin(s, want)
	}
	b.Time = max(b.Time, 0) + c.dt
	c.plates(s, o, out)
}

// plates moves a change on by one tick.
func (c *Car) plates(s *State, o *orders, out float64) {
	b, g := &s.Driveline.Box, &c.box
	const first = 0.25 // share of the time in which the old plates are relieved
	relief := g.Relief * min(b.Time/(first*g.Handover), 1)
	given, inertia := c.arrives(s, o)
	lack := c.ratio(b.Next)*c.rolling(s) - b.Shaft
	kicked := lack > 0 && given > 0 && b.From != 0 // the engine itself turns the shaft up
	if s.Driveline.Gear != 0 {
		o.cut, o.gear = max(o.cut, relief), b.Next
		if b.Time < first*g.Handover {
			return
		}
		b.Sync = -c.carries(s)
		if !kicked {
			b.Sync *= c.ratio(b.From) / c.ratio(b.Next)
		}
		s.Driveline.Gear = 0
	}
	const soonest = 0.02 // [s]
	left := max(g.Handover-b.Time, soonest)
	pull := inertia*lack/left - given
	o.gear = b.Next
	if kicked && c.ratio(b.From)*out <= b.Shaft {
		o.gear = b.From
	} else if !kicked {
		o.cut = max(o.cut, relief)
	}
	if given < 0 && lack > 0 && !g.fluid { // coasting: the throttle helps
		o.throttle = max(o.throttle, min(inertia*lack/left/max(c.engine.full(s.Driveline.Engine), 1), 1))
	}
	c.press(s, o, pull, inertia, given)
	const close = 3 // [rad/s]
	if math.Abs(lack) < close || b.Time > 3*g.Handover {
		b.engage(s, g.Handover/2)
	}
}

// press moves the torque of the plates of the gear in o towards what pulls the input shaft [N·m],
// as fast as oil fills them. Plates only rub: they bring both sides together.
func (c *Car) press(s *State, o *orders, pull, inertia, given float64) {
	b, most := &s.Driveline.Box, c.box.strong
	const fills = 0.06 // [s], from nothing to all
	step := most * c.dt / fills
	torque := min(max(b.Sync+min(max(pull-b.Sync, -step), step), -most), most)
	o.rub = rubbing{most: math.Abs(torque), way: torque, inert: inertia * c.perDt, given: given}
}

// arrives returns the torque that reaches the input shaft [N·m], and the inertia that
// turns with it [kg·m²].
func (c *Car) arrives(s *State, o *orders) (torque, inertia float64) {
	l := &c.line
	if c.box.fluid {
		return c.fluid(s.Driveline.Engine, s.Driveline.Box.Shaft).turbine, l.input * c.dt
	}
	hold := c.holds(s, o)
	const same = 1 // [rad/s]
	if math.Abs(s.Driveline.Engine-s.Driveline.Box.Shaft) < same {
		return min(max(s.Driveline.Power.Torque, -hold), hold), (l.input + l.crank) * c.dt
	}
	return math.Copysign(hold, s.Driveline.Engine-s.Driveline.Box.Shaft), l.input * c.dt
}
