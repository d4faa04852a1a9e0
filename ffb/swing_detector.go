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
	level    float64 // strength of oscillations of 0.8 to 10 Hz, 0..1
	fast     float64 // strength of oscillations of 3 to 25 Hz, which mostly a delayed wheel makes, 0..1
}

func newSwingDetector(dt float64) swingDetector { return swingDetector{dt: dt} }

// step returns the strength of oscillation, 0..1, in two overlapping bands: level, 0.8 to 10 Hz, where the
// car swings too, and fast, 3 to 25 Hz, where mostly the wheel's delay causes it. speed is the rim's [rad/s].
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
