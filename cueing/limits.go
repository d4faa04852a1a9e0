package cueing

import "math"

// poseComponents is the number of Pose's fields.
const poseComponents = 8

// limits limits each component of a pose in position, speed and acceleration.
type limits struct {
	axis [poseComponents]limiter
	dt   float64
}

// limitsState is the state of each component.
type limitsState [poseComponents]axisState

// axisState is the state of a component's low-pass and of its limiter.
type axisState struct {
	lowPass [2]float64 // outputs of the two stages
	limiter limiterState
}

func newLimits(cfg Config, dt float64) limits {
	linear := func(maxPosition float64) limiter {
		return newLimiter(maxPosition, cfg.MaxLinearSpeed, cfg.MaxLinearAccel, dt)
	}
	angular := func(maxPosition float64) limiter {
		return newLimiter(maxPosition*degree, cfg.MaxAngularRate*degree, cfg.MaxAngularAccel*degree, dt)
	}
	return limits{dt: dt, axis: [poseComponents]limiter{
		linear(cfg.MaxSurge), linear(cfg.MaxSway), linear(cfg.MaxHeave),
		angular(cfg.MaxRoll), angular(cfg.MaxPitch), angular(cfg.MaxYaw),
		linear(cfg.MaxSlide), newLimiter(cfg.MaxBelt, cfg.MaxBeltRate, cfg.MaxBeltAccel, dt),
	}}
}

// next advances by one tick towards a pose, within the shares of the limits, and adds the limits that
// are active to the set active.
func (l *limits) next(s *limitsState, p Pose, share *shares, active Limits) (Pose, Limits) {
	v := [poseComponents]float64{p.Surge, p.Sway, p.Heave, p.Roll, p.Pitch, p.Yaw, p.Slide, p.Belt}
	stage := firstOrderLowPass{gain: l.dt / (maxFilterTime*(1-share[FilterShare]) + l.dt)}
	for i := range v {
		a, lowered := &s[i], l.axis[i].lowered(share)
		outside := math.Abs(v[i]) > lowered.limit
		stage.limit = lowered.limit
		now := l.axis[i].attainable(lowered, &a.limiter)
		v[i] = now.next(&a.limiter, a.filtered(v[i], stage))
		if outside || now.isAtMaxSpeed(&a.limiter) {
			active |= 1 << i
		}
	}
	return Pose{
		Surge: v[0], Sway: v[1], Heave: v[2], Roll: v[3], Pitch: v[4], Yaw: v[5],
		Slide: v[6], Belt: v[7],
	}, active
}

// filtered returns v behind two equal low-passes, which together are a critically damped one of second
// order. It never overshoots, and never jumps when the gain changes. With a gain of 1 it returns v.
func (s *axisState) filtered(v float64, stage firstOrderLowPass) float64 {
	if stage.gain == 1 {
		v = clamp(v, stage.limit)
		s.lowPass = [2]float64{v, v}
		return v
	}
	return stage.next(&s.lowPass[1], stage.next(&s.lowPass[0], v))
}

// isAtMaxSpeed reports whether a limiter moves at its highest speed.
func (l *limiter) isAtMaxSpeed(s *limiterState) bool { return math.Abs(s.step) >= l.maxStep*(1-1e-9) }
