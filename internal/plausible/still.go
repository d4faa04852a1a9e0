package plausible

// Still finds an axis that stands still under a torque that must move it. Whoever holds a rim
// gives way: arms have 5 to 100 N·m/rad, so that a torque that changes by 1.5 N·m moves it by
// some counts. The zero value with its limits is ready.
type Still struct {
	Span float64 // change of the torque that must move it [N·m]
	Time float64 // and it stood still for so long at least [s]

	low, high float64 // the torques since it moved [N·m]
	since     float64 // time since then [s]
}

// Step takes the torque on the rim [N·m], and whether its axis reported since the Step dt
// before [s]. It reports whether the axis stands still though it must move.
func (s *Still) Step(torque float64, moved bool, dt float64) bool {
	if moved || torque == 0 {
		s.low, s.high, s.since = torque, torque, 0
		return false
	}
	s.low, s.high, s.since = min(s.low, torque), max(s.high, torque), s.since+dt
	return s.high-s.low >= s.Span && s.since >= s.Time
}
