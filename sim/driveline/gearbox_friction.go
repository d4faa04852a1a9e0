package driveline

// gearFriction is the friction between the input shaft and a gear that is not engaged, in a tick.
type gearFriction struct {
	capacity float64 // torque capacity [N·m]
	// positive or negative if it can accelerate the shaft only in that direction; 0 for both directions
	direction    float64
	inertiaPerDt float64 // inertia of the shaft and what turns with it, over the time step
	torque       float64 // further torque on the shaft [N·m]
}

// gearFrictionTorque returns the friction torque on the input shaft [N·m], given the torque demand at the
// gearbox' output. It is the torque that equalizes both speeds by the tick's end, limited to the capacity.
func (l *System) gearFrictionTorque(s *State, o *orders, out demand) float64 {
	f, ratio := &o.gearFriction, l.Ratio(o.Gear)
	if !(f.capacity > 0) || ratio == 0 {
		return 0
	}
	difference := -ratio*out.base/out.slope - (s.Gearbox.InputSpeed + f.torque/f.inertiaPerDt)
	differenceBefore := ratio*l.currentOutput(s) - s.Gearbox.InputSpeed
	if difference*differenceBefore < 0 { // the sign of the speed difference would change: friction gives no power
		if difference += differenceBefore; difference*differenceBefore > 0 {
			return 0
		}
	}
	torque := difference / (1/f.inertiaPerDt + ratio*ratio/out.slope)
	if torque*f.direction < 0 {
		return 0
	}
	return min(max(torque, -f.capacity), f.capacity)
}
