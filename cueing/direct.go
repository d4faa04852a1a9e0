package cueing

import (
	"errors"

	"rig.example/rig/internal/valid"
)

// DirectConfig says how much of the chassis' own motion the platform shows.
type DirectConfig struct {
	RollGain    float64 `toml:"roll_gain"`
	PitchGain   float64 `toml:"pitch_gain"`
	HeaveGain   float64 `toml:"heave_gain"`          // of the body over its wheels
	Braking     float64 `toml:"braking_deg_per_g"`   // nose down for a deceleration of 1 g
	Cornering   float64 `toml:"cornering_deg_per_g"` // right side down for 1 g to the left
	RollOffset  float64 `toml:"roll_offset_deg"`
	PitchOffset float64 `toml:"pitch_offset_deg"`
	HeaveOffset float64 `toml:"heave_offset_m"`
	Smoothing   float64 `toml:"smoothing_s"` // time constant of the low-pass before the limits
}

// DefaultDirect shows the car's lean, hills and banked bends with it, and leans on for
// braking and cornering: as much as the default seat reaches.
func DefaultDirect() DirectConfig {
	return DirectConfig{RollGain: 0.6, PitchGain: 0.6, Braking: 2, Cornering: 2, Smoothing: 0.03}
}

// Validate reports every field that is out of range.
func (c DirectConfig) Validate() error {
	return errors.Join(
		valid.InRange("roll_gain", c.RollGain, -20, 20),
		valid.InRange("pitch_gain", c.PitchGain, -20, 20),
		valid.InRange("heave_gain", c.HeaveGain, -20, 20),
		valid.InRange("braking_deg_per_g", c.Braking, -30, 30),
		valid.InRange("cornering_deg_per_g", c.Cornering, -30, 30),
		valid.InRange("roll_offset_deg", c.RollOffset, -30, 30),
		valid.InRange("pitch_offset_deg", c.PitchOffset, -30, 30),
		valid.InRange("heave_offset_m", c.HeaveOffset, -1, 1),
		valid.InRange("smoothing_s", c.Smoothing, 0, 5),
	)
}

// direct shows the chassis' own roll, pitch and heave, for seats of few axes.
type direct struct {
	cfg                     DirectConfig
	braking, cornering      float64 // [rad per m/s²]
	rollOffset, pitchOffset float64 // [rad]
	roll, pitch, heave      smooth
}

// directState is where direct mode's low-passes are [rad, m].
type directState struct{ roll, pitch, heave, brake, bend float64 }

func newDirect(cfg Config, dt float64) direct {
	d := cfg.Direct
	low := func(most float64) smooth { return smooth{share: dt / (d.Smoothing + dt), most: most} }
	return direct{
		cfg: d, braking: d.Braking * degree / gravity, cornering: d.Cornering * degree / gravity,
		rollOffset: d.RollOffset * degree, pitchOffset: d.PitchOffset * degree,
		roll: low(cfg.MaxRoll * degree), pitch: low(cfg.MaxPitch * degree), heave: low(cfg.MaxHeave),
	}
}

// next returns the pose for a chassis whose body stands heave [m] higher over its wheels
// than at rest. Specific force has gravity's part on a slope in it, as the head feels it.
func (d *direct) next(s *directState, in *Inputs, heave float64, t *Tuning, tr *Trace) Pose {
	roll, pitch := t.Gain*t.Roll, t.Gain*t.Pitch
	tr.Rotation[0] = d.roll.next(&s.roll, (in.Roll*d.cfg.RollGain)*roll+d.rollOffset)
	tr.Rotation[1] = d.pitch.next(&s.pitch, (in.Pitch*d.cfg.PitchGain)*pitch+d.pitchOffset)
	tr.Tilt[0] = d.roll.next(&s.bend, in.Force[1]*d.cornering*roll)
	tr.Tilt[1] = d.pitch.next(&s.brake, -in.Force[0]*d.braking*pitch)
	tr.Translation[2] = d.heave.next(&s.heave, heave*d.cfg.HeaveGain*t.Gain*t.Heave+d.cfg.HeaveOffset)
	return Pose{
		Heave: tr.Translation[2],
		Roll:  tr.Rotation[0] + tr.Tilt[0], Pitch: tr.Rotation[1] + tr.Tilt[1],
	}
}

// smooth is a low-pass of the first order, of what is within ±most.
type smooth struct{ share, most float64 }

// next moves a value one tick towards another, and returns it.
func (s *smooth) next(value *float64, to float64) float64 {
	*value = quiet(*value + s.share*(held(to, s.most)-*value))
	return *value
}
