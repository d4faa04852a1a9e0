package motion

import "math"

// limits is what one axis may do, in strokes and seconds.
type limits struct {
	min, max float64 // position
	speed    float64 // per second
	accel    float64 // per second squared, for speeding up and for braking
}

// limiter follows a target as fast as an axis may, in fixed steps of time.
//
// Its path keeps three promises: the speed stays within the limit given to the
// step (or falls towards it by the limit of acceleration), each step changes
// the speed by no more than the acceleration allows, and from every point of
// the path the axis can stop before the end of its range.
//
// A target that jumps and stands is reached without overshoot. A target that
// moves within the limits is followed without lag; when it stops harder than
// the axis may, the axis passes it by its braking distance and comes back.
type limiter struct {
	dt       float64 // [s]
	position float64 // [strokes]
	velocity float64 // [strokes/s]

	target float64 // of the step before
	rise   float64 // of the target in the step before [strokes]
}

// reset places the axis at rest at position, wherever that is.
func (l *limiter) reset(position float64) {
	*l = limiter{dt: l.dt, position: position, target: position}
}

// step moves the axis by one dt towards target, which is cut to the range.
// A target that is no number brakes the axis to a stop.
func (l *limiter) step(target float64, lim limits) float64 {
	if math.IsNaN(target) {
		return l.brake(lim)
	}
	target = min(max(target, lim.min), lim.max)
	along := l.targetVelocity(target, lim)
	way := target - along*l.dt - l.position
	return l.aim(along+math.Copysign(l.brakeable(math.Abs(way), lim.accel), way), lim)
}

// brake moves the axis by one dt on its way to a stop.
func (l *limiter) brake(lim limits) float64 {
	l.target, l.rise = l.position, 0
	return l.aim(0, lim)
}

// targetVelocity returns how fast the target moves [strokes/s]. It believes
// only what two steps agree on, the slower one: a jump is no movement, and
// taking it for one would shoot beyond.
func (l *limiter) targetVelocity(target float64, lim limits) float64 {
	rise, before := target-l.target, l.rise
	l.target, l.rise = target, rise
	if rise*before <= 0 {
		return 0
	}
	v := math.Copysign(min(math.Abs(rise), math.Abs(before)), rise) / l.dt
	return min(max(v, -lim.speed), lim.speed)
}

// aim moves by one dt at the velocity wanted, or as close to it as the limits
// allow.
func (l *limiter) aim(want float64, lim limits) float64 {
	up := l.brakeable(max(lim.max-l.position, 0), lim.accel)
	down := l.brakeable(max(l.position-lim.min, 0), lim.accel)
	want = min(max(want, -min(down, lim.speed)), min(up, lim.speed))
	change := lim.accel * l.dt
	l.velocity = min(max(want, l.velocity-change), l.velocity+change)
	l.advance(lim)
	return l.position
}

// advance moves by the velocity. Rounding may carry a stop at the end of the
// range a hair beyond it, and is cut here; an axis that was found outside the
// range moves in at its own pace.
func (l *limiter) advance(lim limits) {
	before := l.position
	l.position += l.velocity * l.dt
	if before <= lim.max && l.position > lim.max {
		l.position = lim.max
	}
	if before >= lim.min && l.position < lim.min {
		l.position = lim.min
	}
}

// brakeable returns the highest velocity for the next step from which the axis
// still stops within distance, counted in whole steps.
//
// With velocity v = u·a·dt and n = floor(u), the step and the braking after it
// cover a·dt²·((n+1)·u − n(n+1)/2); this is its inverse. A braking axis follows
// it exactly: after a step at v, v − a·dt is the answer for what is left.
func (l *limiter) brakeable(distance, accel float64) float64 {
	s := distance / (accel * l.dt * l.dt)
	n := math.Floor((math.Sqrt(1+8*s) - 1) / 2)
	u := (s + n*(n+1)/2) / (n + 1)
	return u * accel * l.dt
}

// still reports that the axis rests at target, as far as any wire can tell.
func (l *limiter) still(target float64, lim limits) bool {
	const hair = 1e-9
	target = min(max(target, lim.min), lim.max)
	return math.Abs(l.position-target) < hair && math.Abs(l.velocity) < hair/l.dt
}
