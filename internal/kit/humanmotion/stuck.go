package humanmotion

// StuckDetector detects an axis that stands still under a torque that must move it. A rim gives way
// even if somebody holds it: arms have a stiffness of 5 to 100 N·m/rad, so that a torque that changes
// by 1.5 N·m moves the axis by some counts. The zero value with MinTorqueChange and Duration is ready to use.
type StuckDetector struct {
	MinTorqueChange float64 // change of the torque that must move the axis [N·m]
	Duration        float64 // how long the axis must stand still [s]

	minTorque, maxTorque float64 // range of the torque since the axis moved last [N·m]
	stillTime            float64 // time since the axis moved last [s]
}

// Step takes the torque at the rim [N·m], whether its axis has reported since the last Step, and the time dt
// since then [s]. It reports whether the axis is stuck.
func (s *StuckDetector) Step(torque float64, moved bool, dt float64) bool {
	if moved || torque == 0 {
		s.minTorque, s.maxTorque, s.stillTime = torque, torque, 0
		return false
	}
	s.minTorque, s.maxTorque, s.stillTime = min(s.minTorque, torque), max(s.maxTorque, torque), s.stillTime+dt
	return s.maxTorque-s.minTorque >= s.MinTorqueChange && s.stillTime >= s.Duration
}
