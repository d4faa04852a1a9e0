package motion

import "math"

// limits is what one axis may do, in strokes and seconds.
type limits struct {
	min, max float64 // position
	speed    float64 // per second
	accel    float64 // per second squared, for speeding up and for braking
	jerk     float64 // per second cubed
}

// limiter follows a target as fast as an axis may, in fixed steps of time.
//
// Its path keeps four promises, in the differences from step to step: the jerk
// and the acceleration stay within their limits, the speed within the limit
// given to the step (or falls towards it by the other two), and from every
// point of the path the axis comes to rest within its range.
//
// A target that jumps and stands is reached without overshoot. One that moves
// is followed: the axis aims to rest beside it, in a frame that moves as fast
// as the target. When the target stops harder than the axis may, the axis
// passes it and comes back.
type limiter struct {
	dt       float64 // [s]
	position float64 // [strokes]
	velocity float64 // [strokes/s]
	accel    float64 // [strokes/s²]
}

// reset places the axis at rest at position, wherever that is.
func (l *limiter) reset(position float64) {
	*l = limiter{dt: l.dt, position: position}
}

// step moves the axis by one dt towards a target that moves along [strokes/s].
// The target is cut to the range, and stands there. One that is no number brakes
// the axis to a stop.
func (l *limiter) step(target, along float64, lim limits) float64 {
	if math.IsNaN(target) {
		return l.brake(lim)
	}
	if target < lim.min || target > lim.max {
		target, along = min(max(target, lim.min), lim.max), 0
	}
	if target == l.position && along == 0 && l.resting() {
		return target // as the rest would find, at a cost
	}
	along = min(max(along, -lim.speed), lim.speed)
	u := l.units(lim)
	s := u.state(l)
	want := s.meet((target-l.position)/u.position, along/u.velocity, u.accel)
	want = s.withinSpeed(want, lim.speed/u.velocity, u.accel)
	want = s.withinRange(want, (lim.min-l.position)/u.position, (lim.max-l.position)/u.position, u.accel)
	l.advance(want*u.jerkStep, u)
	if l.resting() && math.Abs(l.position-target) < max(1e-15, rounding*u.position) {
		l.position = target
	}
	return l.position
}

const rounding = 1e-9 // of what the limit of jerk gives in a step: no movement, but what computing left

// brake moves the axis by one dt on its shortest way to rest.
func (l *limiter) brake(lim limits) float64 {
	u := l.units(lim)
	return l.advance(u.state(l).braking(u.accel)*u.jerkStep, u)
}

// advance moves by one dt at the acceleration given [strokes/s²]. What is left
// of a movement by rounding alone ends here.
func (l *limiter) advance(accel float64, u units) float64 {
	v := l.velocity + accel*l.dt
	if math.Abs(accel) < rounding*u.jerkStep && math.Abs(v) < rounding*u.velocity {
		accel, v = 0, 0
	}
	l.accel, l.velocity = accel, v
	l.position += v * l.dt
	return l.position
}

// still reports that the axis rests at target, as far as any wire can tell.
func (l *limiter) still(target float64, lim limits) bool {
	const hair = 1e-9
	target = min(max(target, lim.min), lim.max)
	return math.Abs(l.position-target) < hair && math.Abs(l.velocity) < hair/l.dt
}

// resting reports that the axis does not move.
func (l *limiter) resting() bool { return l.velocity == 0 && l.accel == 0 }

// units measure an axis in what the limit of jerk gives within one step: with
// them a step is one long and the acceleration changes by one at most.
type units struct {
	jerkStep float64 // acceleration gained in a step [strokes/s²]
	velocity float64 // [strokes/s]
	position float64 // [strokes]
	accel    float64 // the limit of acceleration, in these units
}

func (l *limiter) units(lim limits) units {
	step := lim.jerk * l.dt
	return units{step, step * l.dt, step * l.dt * l.dt, lim.accel / step}
}

func (u units) state(l *limiter) glide {
	return glide{velocity: l.velocity / u.velocity, accel: l.accel / u.jerkStep}
}
