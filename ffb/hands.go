package ffb

import "math"

// hands estimates whether somebody holds the rim, from the driver's torque:
// inertia·acceleration − applied torque + friction.
type hands struct {
	inertia, friction float64
	dt                float64
}

type handsState struct {
	history      [64]float64 // torques applied in the last ticks [N·m]
	next         int         // index in history for the next torque
	driverTorque float64     // the driver's torque, low-passed [N·m]
	recentPeak   float64     // recent peak of the applied torque [N·m]
	estimate     float64     // 0 (nobody holds the rim) to 1 (surely somebody)
}

func newHands(cfg RimConfig, dt float64) hands {
	return hands{inertia: cfg.RimInertia, friction: cfg.RimFriction, dt: dt}
}

// step returns the estimate, from 0 (nobody) to 1 (surely somebody). It rises within 0.1 s and falls
// within 0.5 s, because a driver may hold the rim without turning it.
func (h *hands) step(s *handsState, m rimMotion, applied, delay, rated float64) float64 {
	const filterTime, holdTime, peakDecay = 0.05, 0.5, 0.5 // [s]
	s.history[s.next] = applied
	delayTicks := min(int(delay/h.dt), len(s.history)-1)
	felt := s.history[(s.next-delayTicks+len(s.history))%len(s.history)]
	s.next = (s.next + 1) % len(s.history)
	driver := h.inertia*m.accel - felt + h.friction*m.speed/(math.Abs(m.speed)+0.2)
	s.driverTorque += h.dt / (filterTime + h.dt) * (driver - s.driverTorque)
	s.recentPeak = max(math.Abs(applied), s.recentPeak-s.recentPeak*h.dt/peakDecay)
	s.estimate = max(h.confidence(s, rated), s.estimate-h.dt/holdTime)
	return s.estimate
}

// confidence returns how certainly the present torque comes from a driver, 0..1. Torque that errors of
// the assumed inertia, friction and delay can explain counts as 0.
func (h *hands) confidence(s *handsState, rated float64) float64 {
	const ofRated, ofRecent, certainAt = 0.04, 0.25, 2 // threshold as a fraction of the rating and of the recent torque; multiple of it at which the result is 1
	threshold := max(h.friction+ofRated*rated+ofRecent*s.recentPeak, 1e-6)
	return min(max(math.Abs(s.driverTorque)/threshold-1, 0)/(certainAt-1), 1)
}
