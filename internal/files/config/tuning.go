package config

import (
	"rig.example/rig/cueing"
	"rig.example/rig/internal/kit/valid"
)

// Tuning holds factors on the platform's motion that the driver can change while driving; 1 leaves the motion
// as [cueing] computes it.
type Tuning struct {
	// Factor on all of the platform's motion, in every mode; 1 changes nothing.
	Gain float64 `toml:"gain" range:"0..3"`
	// Factor on surge, in every mode; 1 changes nothing.
	Surge float64 `toml:"surge" range:"0..3"`
	// Factor on sway, in every mode; 1 changes nothing.
	Sway float64 `toml:"sway" range:"0..3"`
	// Factor on heave, in every mode; 1 changes nothing.
	Heave float64 `toml:"heave" range:"0..3"`
	// Factor on roll, in every mode; 1 changes nothing.
	Roll float64 `toml:"roll" range:"0..3"`
	// Factor on pitch, in every mode; 1 changes nothing.
	Pitch float64 `toml:"pitch" range:"0..3"`
	// Factor on yaw, in every mode; 1 changes nothing.
	Yaw float64 `toml:"yaw" range:"0..3"`
	// Factor on the cue of the road (`road_gain`).
	Road float64 `toml:"road" range:"0..3"`
	// Factor on the cue of kerbs (`kerb_deg_per_cm`).
	Kerb float64 `toml:"kerb" range:"0..3"`
	// Factor on the cues of gear changes (`shift_m`, `shift_deg`).
	Shift float64 `toml:"shift" range:"0..3"`
	// Factor on the traction-loss actuator.
	Slide float64 `toml:"slide" range:"0..3"`
	// Factor on the belt tensioner.
	Belt float64 `toml:"belt" range:"0..3"`
}

// DefaultTuning returns factors of 1, which change nothing.
func DefaultTuning() Tuning { return Tuning(cueing.UnitTuning()) }

// Validate reports every field that is out of range.
func (t Tuning) Validate() error { return valid.Struct(t) }
