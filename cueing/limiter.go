package cueing

import "math"

// limiter follows a target within a range, a speed and an acceleration. A target that
// moves within these it follows without any lag; at one that stands still it comes to a
// stop exactly, and without overshoot if it stood when it set out.
type limiter struct {
	most float64 // farthest from 0
	fast float64 // largest step in a tick
	jolt float64 // largest change of the step from tick to tick
}

// limiterState is where a limiter is.
type limiterState struct {
	target float64 // of the last tick
	at     float64
	step   float64 // done in the last tick
}

// newLimiter takes a range, a speed and an acceleration in any one unit and
// seconds.
func newLimiter(most, speed, accel, dt float64) limiter {
	return limiter{most: most, fast: speed * dt, jolt: accel * dt * dt}
}

// next moves one tick towards the target: by as much as that has moved, and so much of the
// gap to it as can be braked from.
func (l *limiter) next(s *limiterState, target float64) float64 {
	target = l.within(target)
	wish := target - s.target + l.brakable(s.target-s.at)
	s.target = target
	wish = s.step + held(l.stoppable(s.at, wish)-s.step, l.jolt)
	s.step = held(wish, l.fast)
	s.at = l.within(s.at + s.step) // rounding alone could leave the range
	return s.at
}

func (l *limiter) within(v float64) float64 { return held(v, l.most) }

// held is v within ±most.
func held(v, most float64) float64 {
	if v > most {
		return most
	}
	if v < -most {
		return -most
	}
	return v
}

// stoppable returns a step, or the largest from which the end of the range is not passed.
func (l *limiter) stoppable(at, step float64) float64 {
	size, room := step, l.most-at
	if step < 0 {
		size, room = -step, l.most+at
	}
	if size*(l.jolt+size) <= room*l.jolt { // more than all that follow can add up to
		return step
	}
	return held(step, math.Abs(l.brakable(room)))
}

// brakable returns the largest step towards a way from which the rest can be
// stopped in, step after step smaller by jolt: after a step of (k+f)·jolt, with
// f below 1, follow k more, and together they go (k+1)·f + k(k+1)/2 jolts.
func (l *limiter) brakable(way float64) float64 {
	size := math.Abs(way)
	if size <= l.jolt {
		return way
	}
	jolts := size / l.jolt
	k := math.Floor((math.Sqrt(1+8*jolts) - 1) / 2)
	f := (jolts - k*(k+1)/2) / (k + 1)
	return math.Copysign((k+f)*l.jolt, way)
}
