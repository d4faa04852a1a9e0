package ffb

import "math"

// swing tells how much the rim swings to and fro: 0 it does not, 1 for turns of
// direction in a row that hardly grow smaller.
type swing struct{ dt float64 }

type swingState struct {
	sign  float64 // of the present half swing
	since float64 // its age [s]
	peak  float64 // its fastest [rad/s]
	last  float64 // fastest of the one before [rad/s]
	level float64 // of any
	quick float64 // of those that no car makes, but a late wheel
}

func newSwing(dt float64) swing { return swing{dt: dt} }

// step returns how much the rim swings with the car, below some 10 Hz, and how much
// quicker than a car can, 3 to 25 Hz.
func (g *swing) step(s *swingState, speed float64) (level, quick float64) {
	const fade = 1.5 // [s] from 1 to 0
	s.level = max(s.level-g.dt/fade, 0)
	s.quick = max(s.quick-g.dt/fade, 0)
	s.since += g.dt
	const quiet = 0.06 // [rad/s]
	if math.Abs(speed) > quiet && speed*s.sign <= 0 {
		s.turn(speed)
	}
	s.peak = max(s.peak, math.Abs(speed))
	return s.level, s.quick
}

// turn begins a half swing in the direction of speed.
func (s *swingState) turn(speed float64) {
	const (
		kept = 0.7 // of the half swing before, or it dies away by itself
		each = 0.5
	)
	lasting := s.peak > kept*s.last
	if lasting && s.since > 0.05 && s.since < 0.6 {
		s.level = min(s.level+each, 1)
	}
	if lasting && s.since > 0.02 && s.since < 0.15 {
		s.quick = min(s.quick+each, 1)
	}
	s.sign, s.since, s.last, s.peak = math.Copysign(1, speed), 0, s.peak, 0
}
