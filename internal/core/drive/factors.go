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

// applyTune begins an ordered change. No order can raise a factor above its configured value.
func (s *State) applyTune(order Tune, configured *cueing.Tuning) {
	if !(order.Share >= 0 && order.Share <= 1) || order.Factor == NoFactor || order.Factor >= factorCount {
		return
	}
	switch {
	case order.Factor < forceFactors:
		s.Rim.tune(order)
	case order.Factor >= MotionFilter:
		s.Motion.Lower(cueing.Share(order.Factor-MotionFilter), order.Share)
	default:
		s.Cockpit.tuner.tune(int(order.Factor-MotionGain), order.Share, configured)
	}
}

// tuned returns the shares of their configured values that all factors have, as frame.Frame.Tuned needs them.
func (s *State) tuned(setup *Setup) (shares [frame.MaxTuned]float64) {
	for i := range shares {
		shares[i] = math.NaN()
	}
	for f := ForceGain; f < forceFactors; f++ {
		shares[f-1] = setup.Rim.share(&s.Rim, f)
	}
	configured := Factors(&setup.Tuning)
	for i, v := range Factors(&s.Cockpit.tuner.current) {
		if *configured[i] > 0 {
			shares[int(MotionGain)-1+i] = *v / *configured[i]
		}
	}
	for i := range cueing.ShareCount {
		shares[MotionFilter-1+Factor(i)] = s.Motion.Share(i)
	}
	return shares
}
