package cueing

import "math"

// poseComponents is the number of Pose's fields.
const poseComponents = 8

// limits limits each component of a pose in position, speed and acceleration.
type limits struct{ axis [poseComponents]limiter }

// limitsState is the state of the limiter of each component.
type limitsState [poseComponents]limiterState

func newLimits(cfg Config, dt float64) limits {
	linear := func(maxPosition float64) limiter {
		return newLimiter(maxPosition, cfg.MaxLinearSpeed, cfg.MaxLinearAccel, dt)
	}
	angular := func(maxPosition float64) limiter {
		return newLimiter(maxPosition*degree, cfg.MaxAngularRate*degree, cfg.MaxAngularAccel*degree, dt)
	}
	return limits{[poseComponents]limiter{
		linear(cfg.MaxSurge), linear(cfg.MaxSway), linear(cfg.MaxHeave),
		angular(cfg.MaxRoll), angular(cfg.MaxPitch), angular(cfg.MaxYaw),
		linear(cfg.MaxSlide), newLimiter(cfg.MaxBelt, cfg.MaxBeltRate, cfg.MaxBeltAccel, dt),
	}}
}

// next advances by one tick towards a pose, and adds the limits that are active to the set active.
func (l *limits) next(s *limitsState, p Pose, active Limits) (Pose, Limits) {
	v := [poseComponents]float64{p.Surge, p.Sway, p.Heave, p.Roll, p.Pitch, p.Yaw, p.Slide, p.Belt}
	for i := range v {
		a := &l.axis[i]
		outside := math.Abs(v[i]) > a.limit
		v[i] = a.next(&s[i], v[i])
		if outside || a.isAtMaxSpeed(&s[i]) {
			active |= 1 << i
		}
	}
	return Pose{
		Surge: v[0], Sway: v[1], Heave: v[2], Roll: v[3], Pitch: v[4], Yaw: v[5],
		Slide: v[6], Belt: v[7],
	}, active
}

// isAtMaxSpeed reports whether a limiter moves at its highest speed.
func (l *limiter) isAtMaxSpeed(s *limiterState) bool { return math.Abs(s.step) >= l.maxStep*(1-1e-9) }
