package ffb

import (
	"errors"

	"rig.example/rig/internal/valid"
)

// What the strength of the rim is measured by.
const (
	Share = "share" // of the real car's torque
	Peak  = "peak"  // the torque at the rim for a torque of the car
	Auto  = "auto"  // as Peak, for a torque of the car that is learned
)

// Config says how the car's torque maps to the wheel's.
type Config struct {
	Preset    string        `toml:"preset"`         // "" is what the wheel's table says; a name, or a file
	Strength  string        `toml:"strength"`       // Share, Peak or Auto
	Share     float64       `toml:"share"`          // with Share: rim N·m for each N·m at the real steering wheel
	FullScale float64       `toml:"full_scale_nm"`  // with Peak: the car's torque that makes peak_nm; with Auto: what is believed first
	Peak      float64       `toml:"peak_nm"`        // at the rim; 0 is all that the rim may give
	Headroom  float64       `toml:"headroom"`       // with Auto: share of peak_nm that is kept free above what was learned
	Gain      float64       `toml:"gain"`           // on top, 0..2
	MaxTorque float64       `toml:"max_torque_nm"`  // at the rim, whatever the wheel is rated for
	Slew      float64       `toml:"slew_nm_per_ms"` // fastest change at the rim
	Knee      float64       `toml:"knee"`           // share of the range below the limit that is bent; 0 is a hard limit
	Rebuild   float64       `toml:"reconstruction"` // cut-off over the device's rate; 0 is off
	Standing  float64       `toml:"standing_gain"`  // share of the tires' torque that is felt at standstill, 0..1
	Effects   EffectsConfig `toml:"effects"`
	Rim       RimConfig     `toml:"rim"`
	SoftLock  LockConfig    `toml:"soft_lock"`
}

// DefaultConfig is mild enough for an unknown gear-driven wheel. The built-in
// coupe reaches 12 N·m at the column, which leaves a little for kerbs.
func DefaultConfig() Config {
	return Config{
		Strength: Peak, Share: 1, FullScale: 13, Headroom: 0.15, Gain: 1,
		MaxTorque: 8, Slew: 0.5, Rebuild: 0.4, Standing: 1,
		Effects: DefaultEffects(), Rim: DefaultRim(), SoftLock: DefaultLock(),
	}
}

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return errors.Join(
		valid.OneOf("strength", c.Strength, Share, Peak, Auto),
		valid.InRange("share", c.Share, 0, 5),
		valid.InRange("full_scale_nm", c.FullScale, 0.5, 100),
		valid.InRange("peak_nm", c.Peak, 0, 50),
		valid.InRange("headroom", c.Headroom, 0, 0.5),
		valid.InRange("gain", c.Gain, 0, mostGain),
		valid.InRange("max_torque_nm", c.MaxTorque, 0, 25),
		valid.InRange("slew_nm_per_ms", c.Slew, 0.01, 10),
		valid.InRange("knee", c.Knee, 0, 0.5),
		valid.ZeroOr("reconstruction", c.Rebuild, 0.1, 0.5),
		valid.InRange("standing_gain", c.Standing, 0, 1),
		valid.Within("effects", c.Effects.Validate()),
		valid.Within("rim", c.Rim.Validate()),
		valid.Within("soft_lock", c.SoftLock.Validate()),
	)
}

// most of the gain, as its key allows.
const mostGain = 2

func finite(v float64) bool { return v-v == 0 }
