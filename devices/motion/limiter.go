package motion

import "math"

// limits are the limits of one axis, in strokes and seconds.
type limits struct {
	min, max float64 // position
	speed    float64 // per second
	accel    float64 // per second squared, for speeding up and for braking
	jerk     float64 // per second cubed
}

// limiter moves one axis to a target as fast as its limits allow, in fixed time steps.
//
// It guarantees four things, measured as differences from step to step: jerk and acceleration
// stay within their limits; the speed stays within the limit of the step, or falls towards it
// as fast as jerk and acceleration allow; and from every point of the path the axis can come
// to rest within its range.
//
// A target that jumps and then stands still is reached without overshoot. One that moves is
// followed: the axis aims to come to rest relative to it. If the target stops harder than the
// axis can, the axis overshoots and comes back.
type limiter struct {
	dt       float64 // [s]
	position float64 // [strokes]
	velocity float64 // [strokes/s]
	accel    float64 // [strokes/s²]
}

// reset puts the axis at rest at position, even outside of its range.
func (l *limiter) reset(position float64) {
	*l = limiter{dt: l.dt, position: position}
}

// step moves the axis by one dt towards a target that moves at targetSpeed [strokes/s], and
// returns the new position. A target outside of the range counts as one that stands at its end.
// If the target is NaN, the axis brakes to a stop.
func (l *limiter) step(target, targetSpeed float64, lim limits) float64 {
	if math.IsNaN(target) {
		return l.brake(lim)
	}
	if target < lim.min || target > lim.max {
		target, targetSpeed = min(max(target, lim.min), lim.max), 0
	}
	if target == l.position && targetSpeed == 0 && l.isAtRest() {
		return target // the same result as below, at less cost
	}
	targetSpeed = min(max(targetSpeed, -lim.speed), lim.speed)
	u := l.units(lim)
	s := u.motionOf(l)
	accel := s.accelToMovingTarget((target-l.position)/u.position, targetSpeed/u.velocity, u.accel)
	accel = s.withinSpeed(accel, lim.speed/u.velocity, u.accel)
	accel = s.withinRange(accel, (lim.min-l.position)/u.position, (lim.max-l.position)/u.position, u.accel)
	l.advance(accel*u.jerkStep, u)
	if l.isAtRest() && math.Abs(l.position-target) < max(1e-15, rounding*u.position) {
		l.position = target
	}
	return l.position
}

// rounding is the part of a jerk step below which a movement is a rounding error.
const rounding = 1e-9

// brake moves the axis by one dt on the shortest path to rest, and returns the new position.
func (l *limiter) brake(lim limits) float64 {
	u := l.units(lim)
	return l.advance(u.motionOf(l).brakeAccel(u.accel)*u.jerkStep, u)
}

// advance moves the axis by one dt at an acceleration [strokes/s²], and returns the new
// position. A movement that consists of rounding errors alone ends.
func (l *limiter) advance(accel float64, u units) float64 {
	v := l.velocity + accel*l.dt
	if math.Abs(accel) < rounding*u.jerkStep && math.Abs(v) < rounding*u.velocity {
		accel, v = 0, 0
	}
	l.accel, l.velocity = accel, v
	l.position += v * l.dt
	return l.position
}

// isAt reports whether the axis rests at target, or at the end of its range next to it, within
// less than any controller resolves.
func (l *limiter) isAt(target float64, lim limits) bool {
	const tolerance = 1e-9
	target = min(max(target, lim.min), lim.max)
	return math.Abs(l.position-target) < tolerance && math.Abs(l.velocity) < tolerance/l.dt
}

// isAtRest reports whether the axis does not move.
func (l *limiter) isAtRest() bool { return l.velocity == 0 && l.accel == 0 }

// units scale an axis so that a time step is 1 and the acceleration changes by at most 1 in it.
type units struct {
	jerkStep float64 // acceleration gained in a step [strokes/s²]
	velocity float64 // [strokes/s]
	position float64 // [strokes]
	accel    float64 // the limit of acceleration, in these units
}

// units returns the units for the axis' time step and limits.
func (l *limiter) units(lim limits) units {
	step := lim.jerk * l.dt
	return units{step, step * l.dt, step * l.dt * l.dt, lim.accel / step}
}

// motionOf returns the axis' velocity and acceleration in these units.
func (u units) motionOf(l *limiter) axisMotion {
	return axisMotion{velocity: l.velocity / u.velocity, accel: l.accel / u.jerkStep}
}
