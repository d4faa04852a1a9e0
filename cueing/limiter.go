package cueing

import "math"

// limiter follows a target within limits of range, speed and acceleration. A target that moves
// within these is followed without lag; at one that stands still it stops exactly, and without
// overshoot if the target stood when it began to move.
type limiter struct {
	limit         float64 // largest distance from 0
	maxStep       float64 // largest step in a tick
	maxStepChange float64 // largest change of the step from tick to tick
}

// limiterState is the state of a limiter.
type limiterState struct {
	target   float64 // of the last tick
	position float64
	step     float64 // of the last tick
}

// newLimiter returns a limiter to ±maxPosition, with limits of speed and acceleration in the same
// unit, per second and per second squared.
func newLimiter(maxPosition, speed, accel, dt float64) limiter {
	return limiter{limit: maxPosition, maxStep: speed * dt, maxStepChange: accel * dt * dt}
}

// next advances by one tick towards the target: by the target's own step, and as much of the
// remaining distance as can be braked from. It returns the new position.
func (l *limiter) next(s *limiterState, target float64) float64 {
	target = l.clamp(target)
	step := target - s.target + l.maxBrakableStep(s.target-s.position)
	s.target = target
	step = s.step + clamp(l.limitToRange(s.position, step)-s.step, l.maxStepChange)
	s.step = clamp(step, l.maxStep)
	s.position = l.clamp(s.position + s.step) // rounding errors alone could leave the range
	return s.position
}

// lowered returns the limiter with shares of its limits.
func (l *limiter) lowered(share *shares) limiter {
	return limiter{share[TravelShare] * l.limit, share[SpeedShare] * l.maxStep, share[AccelShare] * l.maxStepChange}
}

// attainable returns the limits of this tick: the lowered ones as far as the motion can keep them. If it is too
// fast or outside, it slows down and stops at the lowered acceleration, or, if that would lead beyond the
// configured range, at as much of the configured acceleration as it takes.
func (l *limiter) attainable(lowered limiter, s *limiterState) limiter {
	const rounding = 1e-7 // of maxStepChange
	if lowered == *l {
		return lowered
	}
	now, speed, position := lowered, math.Abs(s.step), math.Copysign(1, s.step)*s.position
	distance := now.brakingDistance(speed)
	if room := max(l.limit-position, 0); distance > room+rounding*now.maxStepChange {
		now.maxStepChange = min(max(now.maxStepChange, speed*speed/(2*room)), l.maxStepChange)
		distance = now.brakingDistance(speed)
	}
	now.maxStep = max(now.maxStep, speed-now.maxStepChange)
	if stop := max(math.Abs(position), position+distance); stop > now.limit+rounding*now.maxStepChange {
		now.limit = min(stop, l.limit)
	}
	return now
}

// brakingDistance returns the sum of the steps that follow a step in this direction, each smaller by maxStepChange.
// It is at most step²/(2·maxStepChange).
func (l *limiter) brakingDistance(step float64) float64 {
	n := math.Floor(step / l.maxStepChange)
	return n * (step - l.maxStepChange*(n+1)/2)
}

func (l *limiter) clamp(v float64) float64 { return clamp(v, l.limit) }

// clamp limits v to ±limit.
func clamp(v, limit float64) float64 {
	if v > limit {
		return limit
	}
	if v < -limit {
		return -limit
	}
	return v
}

// limitToRange returns step, or the largest step after which the axis can stop within its range.
func (l *limiter) limitToRange(position, step float64) float64 {
	magnitude, room := step, l.limit-position
	if step < 0 {
		magnitude, room = -step, l.limit+position
	}
	if magnitude*(l.maxStepChange+magnitude) <= room*l.maxStepChange { // the room is more than the sum of all following steps
		return step
	}
	return clamp(step, math.Abs(l.maxBrakableStep(room)))
}

// maxBrakableStep returns the largest step towards a distance from which the axis can stop there, each
// step smaller by maxStepChange (c): after a step of (k+f)·c, with f below 1, follow k more, and
// together they cover ((k+1)·f + k(k+1)/2)·c.
func (l *limiter) maxBrakableStep(distance float64) float64 {
	magnitude := math.Abs(distance)
	if magnitude <= l.maxStepChange {
		return distance
	}
	stepChanges := magnitude / l.maxStepChange
	k := math.Floor((math.Sqrt(1+8*stepChanges) - 1) / 2)
	f := (stepChanges - k*(k+1)/2) / (k + 1)
	return math.Copysign((k+f)*l.maxStepChange, distance)
}
