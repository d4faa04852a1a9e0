package ffb

import "math"

// lead compensates the wheel's delay: it adds the rate of the torque times a lead time.
//
// A delayed wheel applies T(t-delay); T + delay·dT/dt approximates the present torque. A free rim needs
// it too: the car aligns its front wheels, and a rim that follows late oscillates with the car's yaw.
// Damping by the rim's own speed would delay it further; the rate of the torque damps it around the
// aligned position.
type lead struct {
	torque derivatives // rate of the felt torque
}

func newLead(dt float64) lead {
	const cutoff = 20 // [Hz]; low, because phase lead amplifies road texture above it
	return lead{newDerivatives(cutoff, dt)}
}

// next returns the torque to add [N·m] to felt for a lead time [s].
func (l *lead) next(s *derivativesState, felt, time, rated float64) float64 {
	rate := l.torque.next(s, felt).speed
	return min(max(time*rate, -rated), rated)
}

// leadTime returns the lead time [s] while the car holds the rim with the stiffness k [N·m/rad] and the
// damping c [N·m·s/rad].
//
// damping is the required damping ratio: J·a + k·lead·v + k·x = 0 has damping = lead/2·√(k/J). The upper
// bound is that of delayed damping, see rim.damping. The lead of the car's own damping is a delayed
// inertia c·lead: its bound is that of rim.inertia.
func (r *rim) leadTime(k, c, delay, rated, damping float64) float64 {
	const margin, minStiffness = 0.6, 0.2 // fraction of J/delay; lowest stiffness [1/rad], times the rating
	k = max(k, minStiffness*rated, 1e-3)
	wantedTime := max(r.cfg.DelayCompensation*delay, 2*damping*math.Sqrt(r.cfg.RimInertia/k))
	return min(wantedTime, margin*r.cfg.RimInertia/(delay*k), maxInertiaShare*r.cfg.RimInertia/max(c, 1e-6))
}

// dampingRatio returns the damping ratio that the lead must provide at the car's speed [m/s]. A free
// rim oscillates only at high speed. Hands damp it too, so they halve the ratio unless the rim
// oscillates all the same.
func (r *rim) dampingRatio(speed, hands, swinging float64) float64 {
	return r.cfg.HandsOffDamping * freeShare(speed, hands, swinging)
}

// swingShare returns how much of the damping against swings applies, 0..1.
func swingShare(speed, hands, swinging float64) float64 {
	return swinging * freeShare(speed, hands, swinging)
}

// freeShare returns how much of what calms a free rim applies, 0..1: nothing at 72 km/h, all of it from
// 144 km/h on.
func freeShare(speed, hands, swinging float64) float64 {
	const from, full, handsShare = 20, 40, 0.5 // [m/s], [m/s], share
	fast := min(max((speed-from)/(full-from), 0), 1)
	return fast * max(1-handsShare*hands, swinging)
}

// oscillationGain returns the gain of the felt torque, 0..1, which falls while a rim that nobody holds
// oscillates quickly.
//
// J·a + (k·lead·v + k·x)(t-delay) = 0 is unstable with any lead from k = 0.55·J/delay² on. The gain
// reduces k to a quarter of that.
func (r *rim) oscillationGain(k, delay, hands, fast float64) float64 {
	const margin, maxShare = 0.15, 0.5
	share := min(margin*r.cfg.RimInertia/(delay*delay*max(k, 1e-3)), maxShare)
	return 1 - fast*(1-hands)*(1-share)
}
