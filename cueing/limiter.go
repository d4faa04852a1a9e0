package cueing

import "math"

// limiter follows a target within a range, a speed and an acceleration. It
// comes to a stop exactly at a target that stands still, without overshoot.
type limiter struct {
	most float64 // farthest from 0
	fast float64 // largest step in a tick
	jolt float64 // largest change of the step from tick to tick
	at   float64
	step float64 // done in the last tick
}

// newLimiter takes a range, a speed and an acceleration in any one unit and
// seconds.
func newLimiter(most, speed, accel, dt float64) limiter {
	return limiter{most: most, fast: speed * dt, jolt: accel * dt * dt}
}

// next moves one tick towards the target.
func (l *limiter) next(target float64) float64 {
	wish := l.brakable(l.within(target) - l.at)
	wish = min(max(wish, l.step-l.jolt), l.step+l.jolt)
	l.step = min(max(wish, -l.fast), l.fast)
	l.at = l.within(l.at + l.step) // rounding alone could leave the range
	return l.at
}

func (l *limiter) within(v float64) float64 { return min(max(v, -l.most), l.most) }

// brakable returns the largest step towards a way from which the rest can be
// stopped in, step after step smaller by jolt: after a step of (k+f)·jolt, with
// f below 1, follow k more, and together they go (k+1)·f + k(k+1)/2 jolts.
func (l *limiter) brakable(way float64) float64 {
	jolts := math.Abs(way) / l.jolt
	k := math.Floor((math.Sqrt(1+8*jolts) - 1) / 2)
	f := (jolts - k*(k+1)/2) / (k + 1)
	return math.Copysign((k+f)*l.jolt, way)
}
