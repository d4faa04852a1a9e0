package cueing

import (
	"rig.example/rig/internal/kit/valid"
)

// Values of Config.Mode.
const (
	Direct   = "direct"   // shows the chassis' own roll, pitch and heave
	Washout  = "washout"  // classical washout: shows the motion at the driver's head, high-pass filtered to fit the platform
	Adaptive = "adaptive" // washout with gains that decrease in large motion
)

// Config configures how the car's motion is shown by the platform. The limits apply in every mode.
type Config struct {
	// How the car's motion becomes the platform's: `"direct"` for seats of two or three axes,
	// `"washout"` for six axes, `"adaptive"` for platforms with little travel.
	Mode string `toml:"mode" oneof:"direct,washout,adaptive"`
	// Position of the driver's head relative to the car's center of mass: forward, left, up [m]. The
	// acceleration that rotation adds there (`ω̇×r + ω×(ω×r)`) is shown too; [0, 0, 0] leaves it out.
	HeadPosition [3]float64 `toml:"head_m" range:"-5..5"`

	// Largest surge, forward and backward. Set it slightly below what the workspace allows (`rig
	// check` prints it).
	MaxSurge float64 `toml:"max_surge_m" range:"0..1"`
	// Largest sway, to either side. Set it slightly below what the workspace allows (`rig check`
	// prints it).
	MaxSway float64 `toml:"max_sway_m" range:"0..1"`
	// Largest heave, up and down. Set it slightly below what the workspace allows (`rig check`
	// prints it).
	MaxHeave float64 `toml:"max_heave_m" range:"0..1"`
	// Largest travel of a traction-loss actuator, to either side.
	MaxSlide float64 `toml:"max_slide_m" range:"0..1"`
	// Highest speed of surge, sway, heave and slide, each.
	MaxLinearSpeed float64 `toml:"max_speed_m_per_s" range:"0.01..3"`
	// Highest acceleration of surge, sway, heave and slide, each. Road texture needs a high value:
	// 2 mm at 10 Hz are 8 m/s².
	MaxLinearAccel float64 `toml:"max_accel_m_per_s2" range:"0.1..30"`
	// Largest roll, to either side: tilt and rotation together.
	MaxRoll float64 `toml:"max_roll_deg" range:"0..30"`
	// Largest pitch, to either side: tilt and rotation together.
	MaxPitch float64 `toml:"max_pitch_deg" range:"0..30"`
	// Largest yaw, to either side.
	MaxYaw float64 `toml:"max_yaw_deg" range:"0..45"`
	// Highest rate of roll, pitch and yaw, each.
	MaxAngularRate float64 `toml:"max_rate_deg_per_s" range:"0.1..200"`
	// Highest angular acceleration of roll, pitch and yaw, each.
	MaxAngularAccel float64 `toml:"max_accel_deg_per_s2" range:"1..5000"`
	// Largest tension of a belt tensioner above neutral, and largest slack below it: 1 is its travel
	// from neutral to an end.
	MaxBelt float64 `toml:"max_belt" range:"0..1"`
	// Highest speed of the belt tensioner, in units of `max_belt`.
	MaxBeltRate float64 `toml:"max_belt_per_s" range:"0.1..50"`
	// Highest acceleration of the belt tensioner, in units of `max_belt`.
	MaxBeltAccel float64 `toml:"max_belt_per_s2" range:"1..5000"`

	Direct   DirectConfig   `toml:"direct"`
	Washout  WashoutConfig  `toml:"washout"`
	Adaptive AdaptiveConfig `toml:"adaptive"`
	Extra    ExtraConfig    `toml:"extra"`
}

// DefaultConfig has limits that the default two-actuator seat reaches.
func DefaultConfig() Config {
	return Config{
		Mode: Direct, HeadPosition: [3]float64{-0.2, 0, 0.6},
		MaxSurge: 0.1, MaxSway: 0.1, MaxHeave: 0.05, MaxSlide: 0.1, MaxLinearSpeed: 0.5, MaxLinearAccel: 8,
		MaxRoll: 8, MaxPitch: 5, MaxYaw: 8, MaxAngularRate: 30, MaxAngularAccel: 300,
		MaxBelt: 1, MaxBeltRate: 8, MaxBeltAccel: 200,
		Direct: DefaultDirect(), Washout: rigWashout(), Adaptive: DefaultAdaptive(), Extra: DefaultExtra(),
	}
}

// Validate returns an error for every field that is out of range.
func (c Config) Validate() error {
	return valid.Struct(c)
}
