package driveline

// rubbing is the friction between the input shaft and a gear that is not engaged, in a tick.
type rubbing struct {
	most  float64 // torque that it has [N·m]
	way   float64 // above or below 0 where it may pull the shaft that way alone, 0 for both
	inert float64 // inertia of the shaft with what turns along, over the time step
	given float64 // torque that reaches it besides [N·m]
}

// rubs returns the torque of that friction on the input shaft [N·m] when the output asks
// for a torque to turn: all that it has, or as much as makes both one by the tick's end.
func (l *System) rubs(s *State, o *orders, out demand) float64 {
	r, ratio := &o.rub, l.Ratio(o.Gear)
	if !(r.most > 0) || ratio == 0 {
		return 0
	}
	lack := -ratio*out.need/out.slope - (s.Box.Shaft + r.given/r.inert)
	was := ratio*l.turning(s) - s.Box.Shaft
	if lack*was < 0 { // they pass each other: friction gives no power
		if lack += was; lack*was > 0 {
			return 0
		}
	}
	torque := lack / (1/r.inert + ratio*ratio/out.slope)
	if torque*r.way < 0 {
		return 0
	}
	return min(max(torque, -r.most), r.most)
}
