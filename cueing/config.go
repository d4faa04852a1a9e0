package cueing

import (
	"errors"
	"fmt"

	"rig.example/rig/internal/valid"
)

// The modes.
const (
	Direct   = "direct"   // the chassis' own roll, pitch and heave
	Washout  = "washout"  // classical: what the head feels, filtered to fit the platform
	Adaptive = "adaptive" // washout whose gains give way to large motion
)

// Config says how the car's motion becomes the platform's. Limits hold in every mode.
type Config struct {
	Mode string     `toml:"mode"`   // Direct, Washout or Adaptive
	Head [3]float64 `toml:"head_m"` // of the driver, from the centre of mass: forward, left, up

	MaxSurge     float64 `toml:"max_surge_m"`
	MaxSway      float64 `toml:"max_sway_m"`
	MaxHeave     float64 `toml:"max_heave_m"`
	MaxSlide     float64 `toml:"max_slide_m"`
	MaxSpeed     float64 `toml:"max_speed_m_per_s"`  // of these four
	MaxPush      float64 `toml:"max_accel_m_per_s2"` // of these four
	MaxRoll      float64 `toml:"max_roll_deg"`
	MaxPitch     float64 `toml:"max_pitch_deg"`
	MaxYaw       float64 `toml:"max_yaw_deg"`
	MaxRate      float64 `toml:"max_rate_deg_per_s"`   // of these three
	MaxAccel     float64 `toml:"max_accel_deg_per_s2"` // of these three
	MaxBelt      float64 `toml:"max_belt"`
	MaxBeltRate  float64 `toml:"max_belt_per_s"`
	MaxBeltAccel float64 `toml:"max_belt_per_s2"`

	Direct   DirectConfig   `toml:"direct"`
	Washout  WashoutConfig  `toml:"washout"`
	Adaptive AdaptiveConfig `toml:"adaptive"`
	Extra    ExtraConfig    `toml:"extra"`
}

// DefaultConfig keeps within what the default seat reaches.
func DefaultConfig() Config {
	return Config{
		Mode: Direct, Head: [3]float64{-0.2, 0, 0.6},
		MaxSurge: 0.1, MaxSway: 0.1, MaxHeave: 0.05, MaxSlide: 0.1, MaxSpeed: 0.5, MaxPush: 8,
		MaxRoll: 8, MaxPitch: 5, MaxYaw: 8, MaxRate: 30, MaxAccel: 300,
		MaxBelt: 1, MaxBeltRate: 8, MaxBeltAccel: 200,
		Direct: DefaultDirect(), Washout: rigWashout(), Adaptive: DefaultAdaptive(), Extra: DefaultExtra(),
	}
}

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return errors.Join(
		valid.OneOf("mode", c.Mode, Direct, Washout, Adaptive),
		eachInRange("head_m", c.Head[:], -5, 5),
		valid.InRange("max_surge_m", c.MaxSurge, 0, 1),
		valid.InRange("max_sway_m", c.MaxSway, 0, 1),
		valid.InRange("max_heave_m", c.MaxHeave, 0, 1),
		valid.InRange("max_slide_m", c.MaxSlide, 0, 1),
		valid.InRange("max_speed_m_per_s", c.MaxSpeed, 0.01, 3),
		valid.InRange("max_accel_m_per_s2", c.MaxPush, 0.1, 30),
		valid.InRange("max_roll_deg", c.MaxRoll, 0, 30),
		valid.InRange("max_pitch_deg", c.MaxPitch, 0, 30),
		valid.InRange("max_yaw_deg", c.MaxYaw, 0, 45),
		valid.InRange("max_rate_deg_per_s", c.MaxRate, 0.1, 200),
		valid.InRange("max_accel_deg_per_s2", c.MaxAccel, 1, 5000),
		valid.InRange("max_belt", c.MaxBelt, 0, 1),
		valid.InRange("max_belt_per_s", c.MaxBeltRate, 0.1, 50),
		valid.InRange("max_belt_per_s2", c.MaxBeltAccel, 1, 5000),
		valid.Within("direct", c.Direct.Validate()),
		valid.Within("washout", c.Washout.Validate()),
		valid.Within("adaptive", c.Adaptive.Validate()),
		valid.Within("extra", c.Extra.Validate()),
	)
}

// eachInRange checks a list, and tells which entry is wrong, counted from 1.
func eachInRange(name string, list []float64, low, high float64) error {
	var errs []error
	for i, v := range list {
		if err := valid.InRange(name, v, low, high); err != nil {
			errs = append(errs, fmt.Errorf("%w (number %d of %d)", err, i+1, len(list)))
		}
	}
	return errors.Join(errs...)
}
