package drive

// Factor is a gain or a filter that an order may lower, and raise again up to its configured value.
type Factor uint8

// The factors.
const (
	NoFactor     Factor = iota
	ForceGain           // gain of the force
	ForceEffects        // gain of all effects that are added to the car's own torque
	ForceCutoff         // cut-off frequency of the low-pass before the wheel; lower is rounder and later
	MotionGain          // gain of all motion; the factors that follow are in the order of Factors
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
	factorCount
)

var factorNames = [factorCount]string{
	ForceGain: "force_gain", ForceEffects: "force_effects", ForceCutoff: "force_cutoff", MotionGain: "motion",
	MotionSurge: "motion_surge", MotionSway: "motion_sway", MotionHeave: "motion_heave", MotionRoll: "motion_roll", MotionPitch: "motion_pitch",
	MotionYaw: "motion_yaw", MotionRoad: "motion_road", MotionKerb: "motion_kerb", MotionShift: "motion_shift", MotionSlide: "motion_slide", MotionBelt: "motion_belt",
}

// FactorNames returns the names of the factors, by Factor less one: the order of frame.Frame.Tuned.
func FactorNames() []string { return factorNames[1:] }
