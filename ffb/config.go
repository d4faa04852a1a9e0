package ffb

import (
	"rig.example/rig/internal/kit/valid"
)

// Values of Config.Strength: how the rim's torque follows from the car's.
const (
	Share = "share" // fraction of the real car's torque: Config.Share
	Peak  = "peak"  // Config.Peak at the rim for Config.FullScale at the car's steering wheel
	Auto  = "auto"  // as Peak, but the car's peak torque is learned while driving
)

// Config says how the car's torque maps to the wheel's.
type Config struct {
	// The preset to start from: a name (`natural`, `direct-drive`, `gear-driven`, `belt`, `gentle`) or
	// a file `NAME.toml`; empty takes the one for the model of your wheel. Your other keys of `[ffb]`
	// count more.
	Preset string `toml:"preset"`
	// What sets the strength at the rim: `"share"` is a fraction of the real car's torque, `"peak"`
	// makes `peak_nm` of `full_scale_nm`, `"auto"` learns the car's peak torque while you drive.
	Strength string `toml:"strength" oneof:"share,peak,auto"`
	// With `"share"`: torque at the rim for each N·m at the real steering wheel. 1 is the real car,
	// where the wheel can give it; 0.4 suits a wheel of 5 N·m.
	Share float64 `toml:"share" range:"0..5"`
	// With `"peak"`: torque at the car's steering wheel [N·m] that makes `peak_nm`. Higher values feel
	// lighter and clip later. With `"auto"` the value until a peak is learned.
	FullScale float64 `toml:"full_scale_nm" range:"0.5..100"`
	// With `"peak"` and `"auto"`: torque at the rim [N·m] for the car's peak; 0 is all that the wheel
	// may give. A wheel of 8 N·m with 5 here feels in normal driving like one of 5, and keeps the rest
	// for kerbs.
	Peak float64 `toml:"peak_nm" range:"0..50"`
	// With `"auto"`: fraction of `peak_nm` kept free above the learned peak. 0 uses all and clips now
	// and then, 0.3 hardly ever clips.
	Headroom float64 `toml:"headroom" range:"0..0.5"`
	// Factor on the car's torque, on top of `strength`. Buttons and keys change it while you drive.
	Gain float64 `toml:"gain" range:"0..2"`
	// Highest torque at the rim [N·m], whatever the wheel could give. Above 8 N·m only with consent
	// (see `guard.max_torque_nm`).
	MaxTorque float64 `toml:"max_torque_nm" range:"0..25"`
	// Fastest change of the torque [N·m/ms]. 0.1 is soft, 0.3 keeps gears from clacking, 2 lets a kerb
	// pass unchanged. `max_slew_nm_per_ms` in `[wheel]` limits the change too.
	SlewRate float64 `toml:"slew_nm_per_ms" range:"0.01..10"`
	// Fraction of the range, below the limit, in which the torque bends towards the limit instead of
	// being cut. At 0 the rim is true up to the limit and stops there as at a wall; at 0.1 only the
	// last tenth bends, and you can still tell apart what lies beyond; at 0.5 everything above half is
	// rounder.
	Knee float64 `toml:"knee" range:"0..0.5"`
	// Cut-off of the low-pass that removes what a slow wheel cannot follow, as a fraction of the
	// wheel's rate of torque updates. 0.5 is quicker and passes more, 0.3 is rounder and later; 0 is
	// off.
	Reconstruction float64 `toml:"reconstruction" range:"0 (off) or 0.1..0.5"`
	// Fraction of the tires' torque that you feel at standstill and in reverse; from 2 m/s forward on
	// you feel all of it. 1 parks as hard as the car without power assist; lower values save gears,
	// motors and arms.
	StandstillGain float64       `toml:"standing_gain" range:"0..1"`
	Effects        EffectsConfig `toml:"effects"`
	Rim            RimConfig     `toml:"rim"`
	SoftLock       LockConfig    `toml:"soft_lock"`
}

// DefaultConfig returns a configuration that is gentle enough for an unknown gear-driven wheel. The
// built-in coupe reaches 12 N·m at the column, which leaves a little torque for kerbs.
func DefaultConfig() Config {
	return Config{
		Strength: Peak, Share: 1, FullScale: 13, Headroom: 0.15, Gain: 1,
		MaxTorque: 8, SlewRate: 0.5, Reconstruction: 0.4, StandstillGain: 1,
		Effects: DefaultEffects(), Rim: DefaultRim(), SoftLock: DefaultLock(),
	}
}

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return valid.Struct(c)
}

// maxGain is the highest gain, as in the range of its key.
const maxGain = 2
