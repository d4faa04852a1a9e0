package cueing

import "math"

// axes is the number of Pose's fields.
const axes = 8

// limits holds each field of a pose within position, speed and acceleration.
type limits struct{ axis [axes]limiter }

// limitsState is where each field is.
type limitsState [axes]limiterState

func newLimits(cfg Config, dt float64) limits {
	way := func(most float64) limiter { return newLimiter(most, cfg.MaxSpeed, cfg.MaxPush, dt) }
	angle := func(most float64) limiter {
		return newLimiter(most*degree, cfg.MaxRate*degree, cfg.MaxAccel*degree, dt)
	}
	return limits{[axes]limiter{
		way(cfg.MaxSurge), way(cfg.MaxSway), way(cfg.MaxHeave),
		angle(cfg.MaxRoll), angle(cfg.MaxPitch), angle(cfg.MaxYaw),
		way(cfg.MaxSlide), newLimiter(cfg.MaxBelt, cfg.MaxBeltRate, cfg.MaxBeltAccel, dt),
	}}
}

// next moves one tick towards a pose, and adds to the limits at work.
func (l *limits) next(s *limitsState, p Pose, at Limits) (Pose, Limits) {
	v := [axes]float64{p.Surge, p.Sway, p.Heave, p.Roll, p.Pitch, p.Yaw, p.Slide, p.Belt}
	for i := range v {
		a := &l.axis[i]
		past := math.Abs(v[i]) > a.most
		v[i] = a.next(&s[i], v[i])
		if past || a.hurries(&s[i]) {
			at |= 1 << i
		}
	}
	return Pose{
		Surge: v[0], Sway: v[1], Heave: v[2], Roll: v[3], Pitch: v[4], Yaw: v[5],
		Slide: v[6], Belt: v[7],
	}, at
}

// hurries tells whether a limiter is at its highest speed.
func (l *limiter) hurries(s *limiterState) bool { return math.Abs(s.step) >= l.fast*(1-1e-9) }
