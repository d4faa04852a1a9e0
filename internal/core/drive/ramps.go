package drive

import "math"

// ramp moves a factor of the force to an ordered share at a limited rate, so that nobody feels a step.
type ramp struct {
	active bool
	target float64 // share of the configured value, 0..1
}

const rampRate = 0.5 // change of a share in a second [1/s]

// tune begins an ordered change of a factor of the force.
func (s *RimState) tune(order Tune) {
	s.ramps[order.Factor] = ramp{active: true, target: max(order.Share, order.Factor.Lowest())}
}

// stepRamps moves the factors of the force by a tick.
func (r *Rim) stepRamps(s *RimState, dt float64) {
	step := rampRate * dt
	for f := ForceGain; f < forceFactors; f++ {
		v := &s.ramps[f]
		if !v.active {
			continue
		}
		share := r.share(s, f)
		r.setShare(s, f, approach(share, v.target, step))
		v.active = math.Abs(share-v.target) > step // false for NaN: there is nothing to change
	}
}

// share returns the share of its configured value that a factor of the force has now, or NaN if it has no effect.
func (r *Rim) share(s *RimState, f Factor) float64 {
	chain := r.chain(s)
	switch {
	case f == ForceGain && chain.ConfiguredGain() > 0:
		return s.Force.Gain() / chain.ConfiguredGain()
	case f == ForceEffects:
		return s.Force.EffectsShare()
	case f == ForceCutoff && chain.Reconstructs():
		return s.Force.CutoffShare()
	}
	return math.NaN()
}

func (r *Rim) setShare(s *RimState, f Factor, share float64) {
	switch f {
	case ForceGain:
		s.Force.SetGain(share * r.chain(s).ConfiguredGain())
		s.gainShownTime = gainShownFor
	case ForceEffects:
		s.Force.SetEffectsShare(share)
	case ForceCutoff:
		s.Force.SetCutoffShare(share)
	}
}
