package drive

import (
	"math"
	"slices"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/frame"
)

// Factor is a gain, a filter or a limit that an order may lower, and raise again up to its configured value.
type Factor uint8

// The factors.
const (
	NoFactor     Factor = iota
	ForceGain           // gain of the force
	ForceEffects        // gain of all effects that are added to the car's own torque
	ForceCutoff         // cut-off frequency of the low-pass before the wheel; lower is rounder and later
	MotionGain          // gain of all motion; the factors up to MotionFilter are in the order of Factors
	MotionSurge
	MotionSway
	MotionHeave
	MotionRoll
	MotionPitch
	MotionYaw
	MotionRoad
	MotionKerb
	MotionShift
	MotionSlide
	MotionBelt
	MotionFilter // low-pass of the pose; this and the factors that follow are in the order of cueing.Share
	LimitTravel  // limits of every degree of freedom
	LimitSpeed
	LimitAccel
	factorCount

	forceFactors = MotionGain // the factors before it are of the force
)

var factorNames = [factorCount]string{
	ForceGain: "force_gain", ForceEffects: "force_effects", ForceCutoff: "force_cutoff", MotionGain: "motion",
	MotionSurge: "motion_surge", MotionSway: "motion_sway", MotionHeave: "motion_heave", MotionRoll: "motion_roll", MotionPitch: "motion_pitch",
	MotionYaw: "motion_yaw", MotionRoad: "motion_road", MotionKerb: "motion_kerb", MotionShift: "motion_shift", MotionSlide: "motion_slide", MotionBelt: "motion_belt",
	MotionFilter: "motion_filter", LimitTravel: "limit_travel", LimitSpeed: "limit_speed", LimitAccel: "limit_accel",
}

// FactorNames returns the names of the factors, by Factor less one: the order of frame.Frame.Tuned.
func FactorNames() []string { return factorNames[1:] }

// FactorNamed returns the factor with a name, or false if there is none.
func FactorNamed(name string) (Factor, bool) {
	i := slices.Index(FactorNames(), name)
	return Factor(i + 1), i >= 0
}

// Lowest returns the lowest share that a factor can have. An order of less has the same effect.
func (f Factor) Lowest() float64 {
	switch {
	case f == ForceCutoff:
		return ffb.MinCutoffShare
	case f >= MotionFilter:
		return cueing.Share(f - MotionFilter).Lowest()
	}
	return 0
}

// ramp moves a factor of the force to an ordered share at a limited rate, so that nobody feels a step.
type ramp struct {
	active bool
	target float64 // share of the configured value, 0..1
}

const rampRate = 0.5 // change of a share in a second [1/s]

// applyTune begins an ordered change. No order can raise a factor above its configured value.
func (d *Drive) applyTune(order Tune) {
	s := &d.State
	if !(order.Share >= 0 && order.Share <= 1) || order.Factor == NoFactor || order.Factor >= factorCount {
		return
	}
	switch {
	case order.Factor < forceFactors:
		s.forceRamps[order.Factor] = ramp{active: true, target: max(order.Share, order.Factor.Lowest())}
	case order.Factor >= MotionFilter:
		s.Motion.Lower(cueing.Share(order.Factor-MotionFilter), order.Share)
	default:
		i := order.Factor - MotionGain
		*Factors(&s.Cockpit.tuner.current)[i] = order.Share * *Factors(&d.Setup.Tuning)[i]
		s.Cockpit.tuner.shownTime, s.Cockpit.tuner.changed = tuningShownFor, true
	}
}

// stepForceRamps moves the factors of the force by a tick.
func (d *Drive) stepForceRamps() {
	s, step := &d.State, rampRate*d.Setup.Dt
	for f := ForceGain; f < forceFactors; f++ {
		r := &s.forceRamps[f]
		if !r.active {
			continue
		}
		share := d.forceShare(f)
		d.setForceShare(f, approach(share, r.target, step))
		r.active = math.Abs(share-r.target) > step // false for NaN: there is nothing to change
	}
}

// forceShare returns the share of its configured value that a factor of the force has now, or NaN if it has no effect.
func (d *Drive) forceShare(f Factor) float64 {
	s, chain := &d.State.Force, d.forceChain()
	switch {
	case f == ForceGain && chain.ConfiguredGain() > 0:
		return s.Gain() / chain.ConfiguredGain()
	case f == ForceEffects:
		return s.EffectsShare()
	case f == ForceCutoff && chain.Reconstructs():
		return s.CutoffShare()
	}
	return math.NaN()
}

func (d *Drive) setForceShare(f Factor, share float64) {
	s := &d.State
	switch f {
	case ForceGain:
		s.Force.SetGain(share * d.forceChain().ConfiguredGain())
		s.gainShownTime = gainShownFor
	case ForceEffects:
		s.Force.SetEffectsShare(share)
	case ForceCutoff:
		s.Force.SetCutoffShare(share)
	}
}

// tuned returns the shares of their configured values that all factors have, as frame.Frame.Tuned needs them.
func (d *Drive) tuned() (shares [frame.MaxTuned]float64) {
	for i := range shares {
		shares[i] = math.NaN()
	}
	for f := ForceGain; f < forceFactors; f++ {
		shares[f-1] = d.forceShare(f)
	}
	configured := Factors(&d.Setup.Tuning)
	for i, v := range Factors(&d.State.Cockpit.tuner.current) {
		if *configured[i] > 0 {
			shares[int(MotionGain)-1+i] = *v / *configured[i]
		}
	}
	for i := range cueing.ShareCount {
		shares[MotionFilter-1+Factor(i)] = d.State.Motion.Share(i)
	}
	return shares
}

const (
	gainStep     = 0.05
	gainShownFor = 3 // [s]
)

// adjustGain applies the keys for the gain of the force.
func (s *State) adjustGain(dt float64) {
	s.gainShownTime = max(s.gainShownTime-dt, 0)
	for _, k := range [...]struct {
		key  uint64
		step float64
	}{{frame.KeyGainMore, gainStep}, {frame.KeyGainLess, -gainStep}} {
		if s.Cockpit.keys.justPressed&k.key != 0 {
			s.Force.Adjust(k.step)
			s.forceRamps[ForceGain].active = false // the driver's key counts more
			s.gainShownTime = gainShownFor
		}
	}
}
