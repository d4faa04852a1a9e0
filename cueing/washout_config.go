package cueing

import (
	"errors"
	"fmt"
	"slices"

	"rig.example/rig/internal/valid"
)

// WashoutConfig is a set of parameters of the classical washout. Lists are surge, sway,
// heave, or roll, pitch, yaw.
type WashoutConfig struct {
	Set string `toml:"set"` // the published set that keys which are not given come from

	ForceGain    [3]float64 `toml:"force_gain"`          // of specific force, into translation
	MaxForce     [3]float64 `toml:"max_force_m_per_s2"`  // behind the gain
	HighPass     [3]float64 `toml:"high_pass_rad_per_s"` // of translation, second order
	HighDamping  float64    `toml:"high_pass_damping"`
	Return       [3]float64 `toml:"return_rad_per_s"`        // first-order part of that high-pass; 0: none
	TiltGain     [2]float64 `toml:"tilt_gain"`               // of specific force along and across, into tilt
	MaxTiltForce float64    `toml:"max_tilt_force_m_per_s2"` // behind the gain
	TiltPass     float64    `toml:"tilt_pass_rad_per_s"`     // low-pass before the tilt
	TiltDamping  float64    `toml:"tilt_pass_damping"`
	MaxTilt      float64    `toml:"max_tilt_deg"`
	TiltRate     float64    `toml:"tilt_rate_deg_per_s"`   // highest of roll and of pitch, whatever the input
	TiltAccel    float64    `toml:"tilt_accel_deg_per_s2"` // highest
	RateGain     [3]float64 `toml:"rate_gain"`             // of the angular velocity
	MaxTurn      float64    `toml:"max_turn_deg_per_s"`    // behind the gain
	Rotation     [3]float64 `toml:"rotation_rad_per_s"`    // high-pass of rotation
	RotDamping   float64    `toml:"rotation_damping"`      // of the second order
	RotOrder     int        `toml:"rotation_order"`        // 1 or 2
	FinalPass    float64    `toml:"final_pass_rad_per_s"`  // low-pass behind rotation; 0: none
	Knee         float64    `toml:"knee"`                  // share of each of the limits above from where it bends; 1 cuts
}

// finalDamping is of the low-pass behind rotation.
const finalDamping = 0.707

// rigWashout fits what a small platform can do, ±0.1 m and ±8°: braking with 1 g moves it by
// 0.07 m and leans it by 6° within 2.3 s.
func rigWashout() WashoutConfig {
	return WashoutConfig{
		Set:       "rig",
		ForceGain: [3]float64{0.4, 0.4, 0.5}, MaxForce: [3]float64{1.2, 1.2, 2},
		HighPass: [3]float64{3, 3, 5}, HighDamping: 1, Return: [3]float64{0.3, 0.3, 0.3},
		TiltGain: [2]float64{0.3, 0.3}, MaxTiltForce: 1.2, TiltPass: 3, TiltDamping: 1,
		MaxTilt: 6, TiltRate: 3, TiltAccel: 10,
		RateGain: [3]float64{0.7, 0.7, 0.5}, MaxTurn: 30,
		Rotation: [3]float64{1, 1, 1.5}, RotDamping: 1, RotOrder: 2, Knee: 0.7,
	}
}

// open6dofWashout is the set that Open6DOFSim starts with (washout.cpp, sim_params_init,
// github.com/robprojects/open6dofsim). That program cuts at 5 m/s² and then scales by 0.8,
// while here the limit is behind the gain; it passes each high-pass twice, before and after
// the turn to the platform's axes, while here they are passed once, as Reid and Nahon do;
// its tilt may turn by 0.005 rad a sample of 1/100 s, which is felt, and here by 3°/s; its
// limit of rotation is one of acceleration, which no car meets.
func open6dofWashout() WashoutConfig {
	return WashoutConfig{
		Set:       "open6dofsim",
		ForceGain: [3]float64{0.8, 0.8, 0.8}, MaxForce: [3]float64{4, 4, 4},
		HighPass: [3]float64{1.25, 1.25, 1.25}, HighDamping: 0.707, Return: [3]float64{0.125, 0.125, 0.125},
		TiltGain: [2]float64{0.8, 0.8}, MaxTiltForce: 8, TiltPass: 1.25, TiltDamping: 0.707,
		MaxTilt: 30, TiltRate: 3, TiltAccel: 10,
		RateGain: [3]float64{0.8, 0.8, 0.8}, MaxTurn: 500,
		Rotation: [3]float64{5, 5, 5}, RotDamping: 0.707, RotOrder: 2, FinalPass: 4, Knee: 1,
	}
}

// shoaraiWashout is the set of the package github.com/shoarai/washout (jaxfilter), which
// follows "Evaluation of motion with washout algorithm for flight simulator using tripod
// parallel mechanism" (IEEE 6484612): high-pass 2.5 rad/s, tilt at twice that, all
// critically damped, gains of 1. It limits nothing; the limits here are those of any platform.
func shoaraiWashout() WashoutConfig {
	return WashoutConfig{
		Set:       "shoarai",
		ForceGain: [3]float64{1, 1, 1}, MaxForce: [3]float64{10, 10, 10},
		HighPass: [3]float64{2.5, 2.5, 2.5}, HighDamping: 1,
		TiltGain: [2]float64{1, 1}, MaxTiltForce: 10, TiltPass: 5, TiltDamping: 1,
		MaxTilt: 30, TiltRate: 3, TiltAccel: 10,
		RateGain: [3]float64{1, 1, 1}, MaxTurn: 200,
		Rotation: [3]float64{2.5, 2.5, 2.5}, RotDamping: 1, RotOrder: 1, Knee: 1,
	}
}

// Presets lists the sets of parameters that Preset knows.
func Presets() []string { return []string{"open6dofsim", "rig", "shoarai"} }

// Preset returns a set of parameters by its name.
func Preset(name string) (WashoutConfig, error) {
	for _, set := range []WashoutConfig{open6dofWashout(), rigWashout(), shoaraiWashout()} {
		if set.Set == name {
			return set, nil
		}
	}
	return WashoutConfig{}, fmt.Errorf("cueing: washout.%w", valid.OneOf("set", name, Presets()...))
}

// Validate reports every field that is out of range.
func (c WashoutConfig) Validate() error {
	return errors.Join(
		valid.OneOf("set", c.Set, Presets()...),
		eachInRange("force_gain", c.ForceGain[:], 0, 5),
		eachInRange("max_force_m_per_s2", c.MaxForce[:], 0, 50),
		eachInRange("high_pass_rad_per_s", c.HighPass[:], 0.1, 30),
		valid.InRange("high_pass_damping", c.HighDamping, 0.5, 2),
		eachInRange("return_rad_per_s", c.Return[:], 0, 5),
		eachInRange("tilt_gain", c.TiltGain[:], 0, 5),
		valid.InRange("max_tilt_force_m_per_s2", c.MaxTiltForce, 0, 50),
		valid.InRange("tilt_pass_rad_per_s", c.TiltPass, 0.1, 60),
		valid.InRange("tilt_pass_damping", c.TiltDamping, 0.5, 2),
		valid.InRange("max_tilt_deg", c.MaxTilt, 0, 30),
		valid.InRange("tilt_rate_deg_per_s", c.TiltRate, 0.1, 60),
		valid.InRange("tilt_accel_deg_per_s2", c.TiltAccel, 0.5, 1000),
		eachInRange("rate_gain", c.RateGain[:], 0, 5),
		valid.InRange("max_turn_deg_per_s", c.MaxTurn, 0, 500),
		eachInRange("rotation_rad_per_s", c.Rotation[:], 0.1, 30),
		valid.InRange("rotation_damping", c.RotDamping, 0.5, 2),
		c.order(),
		valid.ZeroOr("final_pass_rad_per_s", c.FinalPass, 1, 100),
		valid.InRange("knee", c.Knee, 0, 1),
	)
}

func (c WashoutConfig) order() error {
	if slices.Contains([]int{1, 2}, c.RotOrder) {
		return nil
	}
	return fmt.Errorf("rotation_order = %d: choose 1 or 2", c.RotOrder)
}
