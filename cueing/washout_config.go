package cueing

import (
	"fmt"

	"rig.example/rig/internal/kit/valid"
)

// WashoutConfig is a set of parameters of the classical washout. Lists of three are surge, sway and
// heave, or roll, pitch and yaw; lists of two are longitudinal and lateral.
type WashoutConfig struct {
	// Name of the set of values for all keys that the file does not give.
	ParameterSet string `toml:"set" oneof:"open6dofsim,rig,shoarai"`

	// Fraction of the specific force (surge, sway, heave) that becomes translation.
	ForceGain [3]float64 `toml:"force_gain" range:"0..5"`
	// Limit of that force, after the gain (surge, sway, heave). A force A moves the platform by at
	// most A divided by the square of `high_pass_rad_per_s`.
	MaxForce [3]float64 `toml:"max_force_m_per_s2" range:"0..50"`
	// Corner frequency of the high-pass of translation (surge, sway, heave). Lower values show the
	// onset of a force for longer; half the frequency needs four times the travel.
	HighPass [3]float64 `toml:"high_pass_rad_per_s" range:"0.1..30"`
	// Damping ratio of that high-pass. Below 1 the platform overshoots neutral when it returns.
	HighDamping float64 `toml:"high_pass_damping" range:"0.5..2"`
	// Corner frequency of the first-order part of that high-pass (surge, sway, heave): how quickly
	// the platform returns to neutral while a force lasts. 0 makes the filter second order, and the
	// platform does not return.
	ReturnRate [3]float64 `toml:"return_rad_per_s" range:"0..5"`
	// Fraction of a lasting force (along the car, across it) that the platform shows by tilt.
	TiltGain [2]float64 `toml:"tilt_gain" range:"0..5"`
	// Limit of that force, after the gain; 1.2 m/s² are 7° of tilt.
	MaxTiltForce float64 `toml:"max_tilt_force_m_per_s2" range:"0..50"`
	// Corner frequency of the low-pass of the force that tilt shows. Choose it close to
	// `high_pass_rad_per_s`: the lower it is, the more of the force is missing between the motion
	// and the tilt.
	TiltLowPass float64 `toml:"tilt_pass_rad_per_s" range:"0.1..60"`
	// Damping ratio of that low-pass.
	TiltDamping float64 `toml:"tilt_pass_damping" range:"0.5..2"`
	// Largest tilt that stands for a lasting force.
	MaxTilt float64 `toml:"max_tilt_deg" range:"0..30"`
	// Highest rate of the tilt, of roll and of pitch each. Most people begin to feel a rotation at
	// 3 °/s. With higher values the tilt comes sooner, but is felt as rotation.
	MaxTiltRate float64 `toml:"tilt_rate_deg_per_s" range:"0.1..60"`
	// Highest angular acceleration of the tilt. With lower values it begins and ends more softly.
	MaxTiltAccel float64 `toml:"tilt_accel_deg_per_s2" range:"0.5..1000"`
	// Fraction of the car's angular rate (roll, pitch, yaw) that becomes rotation.
	RateGain [3]float64 `toml:"rate_gain" range:"0..5"`
	// Limit of that rate, after the gain.
	MaxRotationRate float64 `toml:"max_turn_deg_per_s" range:"0..500"`
	// Corner frequency of the high-pass of rotation (roll, pitch, yaw). Lower values show a rotation
	// for longer and need larger angles.
	RotationHighPass [3]float64 `toml:"rotation_rad_per_s" range:"0.1..30"`
	// Damping ratio of that high-pass, if `rotation_order` is 2.
	RotationDamping float64 `toml:"rotation_damping" range:"0.5..2"`
	// Order of that high-pass. With 1 the platform keeps an angle while the rotation lasts, the rate
	// divided by the corner frequency; with 2 it returns to level.
	RotationOrder int `toml:"rotation_order" range:"1 or 2"`
	// Corner frequency of a low-pass after the rotation, which delays it; 0: no low-pass.
	FinalLowPass float64 `toml:"final_pass_rad_per_s" range:"0 (off) or 1..100"`
	// Fraction of `max_force_m_per_s2`, `max_tilt_force_m_per_s2` and `max_turn_deg_per_s` at which
	// the soft limit begins; 1 is a hard limit.
	Knee float64 `toml:"knee" range:"0..1"`
}

// finalDamping is the damping ratio of the low-pass after the rotation.
const finalDamping = 0.707

// rigWashout is the default set, for a small platform that reaches ±0.1 m and ±8°: braking with 1 g
// moves it by 0.07 m and tilts it by 6° within 2.3 s.
func rigWashout() WashoutConfig {
	return WashoutConfig{
		ParameterSet: "rig",
		ForceGain:    [3]float64{0.4, 0.4, 0.5}, MaxForce: [3]float64{1.2, 1.2, 2},
		HighPass: [3]float64{3, 3, 5}, HighDamping: 1, ReturnRate: [3]float64{0.3, 0.3, 0.3},
		TiltGain: [2]float64{0.3, 0.3}, MaxTiltForce: 1.2, TiltLowPass: 3, TiltDamping: 1,
		MaxTilt: 6, MaxTiltRate: 3, MaxTiltAccel: 10,
		RateGain: [3]float64{0.7, 0.7, 0.5}, MaxRotationRate: 30,
		RotationHighPass: [3]float64{1, 1, 1.5}, RotationDamping: 1, RotationOrder: 2, Knee: 0.7,
	}
}

// open6dofWashout is the set that Open6DOFSim starts with (washout.cpp, sim_params_init,
// github.com/robprojects/open6dofsim). Four things differ from that program. It clips at 5 m/s² and
// then scales by 0.8; here the limit is behind the gain. It applies each high-pass twice, before and
// after the transformation to the platform's axes; here each is applied once, as Reid and Nahon do.
// Its tilt may rotate by 0.005 rad in a sample of 1/100 s, which is felt; here by 3 °/s. Its limit
// of rotation is an angular acceleration that no car reaches.
func open6dofWashout() WashoutConfig {
	return WashoutConfig{
		ParameterSet: "open6dofsim",
		ForceGain:    [3]float64{0.8, 0.8, 0.8}, MaxForce: [3]float64{4, 4, 4},
		HighPass: [3]float64{1.25, 1.25, 1.25}, HighDamping: 0.707, ReturnRate: [3]float64{0.125, 0.125, 0.125},
		TiltGain: [2]float64{0.8, 0.8}, MaxTiltForce: 8, TiltLowPass: 1.25, TiltDamping: 0.707,
		MaxTilt: 30, MaxTiltRate: 3, MaxTiltAccel: 10,
		RateGain: [3]float64{0.8, 0.8, 0.8}, MaxRotationRate: 500,
		RotationHighPass: [3]float64{5, 5, 5}, RotationDamping: 0.707, RotationOrder: 2, FinalLowPass: 4, Knee: 1,
	}
}

// shoaraiWashout is the set of the package github.com/shoarai/washout (jaxfilter), which
// follows "Evaluation of motion with washout algorithm for flight simulator using tripod
// parallel mechanism" (IEEE 6484612): high-pass 2.5 rad/s, tilt at twice that, all critically
// damped, gains of 1. That package has no limits; those here are wide enough for any platform.
func shoaraiWashout() WashoutConfig {
	return WashoutConfig{
		ParameterSet: "shoarai",
		ForceGain:    [3]float64{1, 1, 1}, MaxForce: [3]float64{10, 10, 10},
		HighPass: [3]float64{2.5, 2.5, 2.5}, HighDamping: 1,
		TiltGain: [2]float64{1, 1}, MaxTiltForce: 10, TiltLowPass: 5, TiltDamping: 1,
		MaxTilt: 30, MaxTiltRate: 3, MaxTiltAccel: 10,
		RateGain: [3]float64{1, 1, 1}, MaxRotationRate: 200,
		RotationHighPass: [3]float64{2.5, 2.5, 2.5}, RotationDamping: 1, RotationOrder: 1, Knee: 1,
	}
}

// Presets returns the names of the sets of parameters that Preset returns.
func Presets() []string { return []string{"open6dofsim", "rig", "shoarai"} }

// Preset returns the set of parameters with a name, one of Presets.
func Preset(name string) (WashoutConfig, error) {
	for _, set := range []WashoutConfig{open6dofWashout(), rigWashout(), shoaraiWashout()} {
		if set.ParameterSet == name {
			return set, nil
		}
	}
	return WashoutConfig{}, fmt.Errorf("cueing: washout.%w", valid.OneOf("set", name, Presets()...))
}

// Validate returns an error for every field that is out of range.
func (c WashoutConfig) Validate() error {
	return valid.Struct(c)
}
