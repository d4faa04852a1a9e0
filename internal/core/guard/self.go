package guard

import "math"

// isPlausible reports whether no number of the guard is NaN, Inf or beyond any use, as after a fault of memory. Then the
// guard must not decide by them.
func (g *Guard) isPlausible() bool {
	const beyondUse = 1e9 // the largest that occurs is a time since the last gap [s]
	sum := 0.0
	for _, v := range [...]float64{
		g.cfg.Engage, g.cfg.Release, g.cfg.MaxTorque, g.cfg.HandsOff, g.dt,
		g.torqueFade, g.motionFade, g.reserved, g.deadManShare, g.consent.share, g.hands.share, g.hands.handsOffTime, g.sinceGap,
	} {
		sum += math.Abs(v)
	}
	return sum < beyondUse // false for NaN
}

// reset puts the guard's own numbers back to those of a rig at rest, except what is configured.
func (g *Guard) reset() {
	g.torqueFade, g.motionFade, g.reserved, g.deadManShare, g.sinceGap = 0, 0, 0, 0, 0
	g.consent.share, g.hands = 0, hands{share: 1}
}
