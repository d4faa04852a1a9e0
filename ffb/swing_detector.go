package ffb

import "math"

// swingDetector detects oscillation of the rim: 0 is none, 1 is several reversals in a row that hardly
// decay.
type swingDetector struct{ dt float64 }

type swingState struct {
	sign     float64 // direction of the present half swing, -1 or 1; 0 before the first
	age      float64 // time since the present half swing began [s]
	peak     float64 // highest speed in the present half swing [rad/s]
	lastPeak float64 // highest speed in the half swing before it [rad/s]
	level    float64 // strength of slow oscillations, 0..1
	fast     float64 // strength of fast oscillations, which only a delayed wheel makes, 0..1
}

func newSwingDetector(dt float64) swingDetector { return swingDetector{dt: dt} }

// step returns how much the rim oscillates with the car, below about 10 Hz (level), and how much it
// oscillates faster than a car makes it, at 3 to 25 Hz (fast).
func (g *swingDetector) step(s *swingState, speed float64) (level, fast float64) {
	const fade = 1.5 // [s] from 1 to 0
	s.level = max(s.level-g.dt/fade, 0)
	s.fast = max(s.fast-g.dt/fade, 0)
	s.age += g.dt
	const minSpeed = 0.06 // [rad/s]
	if math.Abs(speed) > minSpeed && speed*s.sign <= 0 {
		s.startHalfSwing(speed)
	}
	s.peak = max(s.peak, math.Abs(speed))
	return s.level, s.fast
}

// startHalfSwing starts a half swing in the direction of speed.
func (s *swingState) startHalfSwing(speed float64) {
	const (
		minDecay  = 0.7 // of the last half swing's peak; below it the oscillation decays by itself
		increment = 0.5 // of level or fast, per half swing that does not decay
	)
	lasting := s.peak > minDecay*s.lastPeak
	if lasting && s.age > 0.05 && s.age < 0.6 {
		s.level = min(s.level+increment, 1)
	}
	if lasting && s.age > 0.02 && s.age < 0.15 {
		s.fast = min(s.fast+increment, 1)
	}
	s.sign, s.age, s.lastPeak, s.peak = math.Copysign(1, speed), 0, s.peak, 0
}
