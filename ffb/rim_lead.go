package ffb

import "math"

// lead makes up for what comes late by what is felt: it adds the rate of the torque
// times a lead time.
//
// A late wheel gives T(t-late), and T + late·dT/dt is the torque of now. A rim that is
// free also needs it: the car turns the front wheels to where they roll freely, and one
// that follows late swings with the car's yaw. Damping against the rim's own speed would
// hold it back all the more; the rate of the torque damps it about where it belongs.
type lead struct {
	felt motion
}

func newLead(dt float64) lead {
	const cutoff = 20 // [Hz], so that a road's texture grows no louder than need be
	return lead{newMotion(cutoff, dt)}
}

// next returns the addition [N·m] to the torque felt, for a lead time [s].
func (l *lead) next(s *motionState, felt, time, rated float64) float64 {
	rise := l.felt.next(s, felt).speed
	return min(max(time*rise, -rated), rated)
}

// leadTime returns the lead time [s] for a car that holds the rim by k [N·m/rad].
//
// settle is the damping ratio the rim is to have: J·a + k·lead·v + k·x = 0 has
// settle = lead/2·√(k/J). The bound is that of damping that comes late itself.
func (r *rim) leadTime(k, late, rated, settle float64) float64 {
	const margin, least = 0.6, 0.2 // of J/late; N·m/rad of each N·m of the rating
	k = max(k, least*rated, 1e-3)
	want := max(r.cfg.Lead*late, 2*settle*math.Sqrt(r.cfg.Own/k))
	return min(want, margin*r.cfg.Own/(late*k))
}

// settle returns the damping ratio that the rim needs of the lead at the car's speed
// [m/s]. A car swings with a free rim on fast roads alone. Hands hold it too and so take
// half of it away, unless the rim swings all the same.
func (r *rim) settle(speed, hands, swings float64) float64 {
	const from, full, held = 20, 40, 0.5 // [m/s], [m/s], share
	fast := min(max((speed-from)/(full-from), 0), 1)
	return r.cfg.Settle * fast * max(1-held*hands, swings)
}

// kept returns the share of what is felt that stays while a rim with nobody at it swings
// quickly, 0..1.
//
// J·a + (k·lead·v + k·x)(t-late) = 0 swings at any lead from k = 0.55·J/late² on. A
// quarter of that is what such a rim is left with.
func (r *rim) kept(k, late, hands, quick float64) float64 {
	const most, calm = 0.15, 0.5
	share := min(most*r.cfg.Own/(late*late*max(k, 1e-3)), calm)
	return 1 - quick*(1-hands)*(1-share)
}
