package driveline

import "math"

// handOver changes the gears of an automatic gearbox: the plates of one gear let go as
// those of the next take hold, so that the wheels are never without torque. The input
// shaft goes from one speed to the other in a straight line.
func (l *System) handOver(s *State, o *orders, out float64) {
	b := &s.Box
	want := o.Gear
	if want == 0 || backward(want, out) {
		s.Gear, o.Gear = 0, 0
		b.Time = 0
		b.rest()
		return
	}
	switch {
	case b.Next != 0 && (b.Next > 0) == (want > 0): // half way
	case b.Next == 0 && s.Gear == want:
		return
	case (s.Gear > 0) != (want > 0):
		s.Gear = 0
		b.begin(s, want)
	default:
		b.begin(s, want)
	}
	b.Time = max(b.Time, 0) + l.dt
	l.plates(s, o, out)
}

// plates moves a change on by one tick.
func (l *System) plates(s *State, o *orders, out float64) {
	b, g := &s.Box, &l.box
	const first = 0.25 // share of the time in which the old plates are relieved
	relief := g.Relief * min(b.Time/(first*g.Handover), 1)
	given, inertia := l.arrives(s, o)
	lack := l.Ratio(b.Next)*l.Rolling(&o.Spins) - b.Shaft
	kicked := lack > 0 && given > 0 && b.From != 0 // the engine itself turns the shaft up
	if s.Gear != 0 {
		o.Cut, o.Gear = max(o.Cut, relief), b.Next
		if b.Time < first*g.Handover {
			return
		}
		b.Sync = -l.carries(s)
		if !kicked {
			b.Sync *= l.Ratio(b.From) / l.Ratio(b.Next)
		}
		s.Gear = 0
	}
	const soonest = 0.02 // [s]
	left := max(g.Handover-b.Time, soonest)
	pull := inertia*lack/left - given
	o.Gear = b.Next
	if kicked && l.Ratio(b.From)*out <= b.Shaft {
		o.Gear = b.From
	} else if !kicked {
		o.Cut = max(o.Cut, relief)
	}
	if given < 0 && lack > 0 && !g.fluid { // coasting: the throttle helps
		o.Throttle = max(o.Throttle, min(inertia*lack/left/max(l.engine.full(s.Engine), 1), 1))
	}
	l.press(s, o, pull, inertia, given)
	const close = 3 // [rad/s]
	if math.Abs(lack) < close || b.Time > 3*g.Handover {
		b.engage(s, g.Handover/2)
	}
}

// press moves the torque of the plates of the gear in o towards what pulls the input shaft [N·m],
// as fast as oil fills them. Plates only rub: they bring both sides together.
func (l *System) press(s *State, o *orders, pull, inertia, given float64) {
	b, most := &s.Box, l.box.strong
	const fills = 0.06 // [s], from nothing to all
	step := most * l.dt / fills
	torque := min(max(b.Sync+min(max(pull-b.Sync, -step), step), -most), most)
	o.rub = rubbing{most: math.Abs(torque), way: torque, inert: inertia * l.perDt, given: given}
}

// arrives returns the torque that reaches the input shaft [N·m], and the inertia that
// turns with it [kg·m²].
func (l *System) arrives(s *State, o *orders) (torque, inertia float64) {
	if l.box.fluid {
		return l.fluid(s.Engine, s.Box.Shaft).turbine, l.input * l.dt
	}
	hold := l.holds(s, o)
	const same = 1 // [rad/s]
	if math.Abs(s.Engine-s.Box.Shaft) < same {
		return min(max(s.Power.Torque, -hold), hold), (l.input + l.crank) * l.dt
	}
	return math.Copysign(hold, s.Engine-s.Box.Shaft), l.input * l.dt
}
