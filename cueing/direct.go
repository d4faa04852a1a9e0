package cueing

import (
	"rig.example/rig/internal/kit/valid"
)

// DirectConfig configures how much of the chassis' own motion the platform shows in direct mode.
type DirectConfig struct {
	// The platform's roll for each degree of the chassis' roll, slopes and banked bends included. A
	// negative number reverses it.
	RollGain float64 `toml:"roll_gain" range:"-20..20"`
	// The platform's pitch for each degree of the chassis' pitch, slopes included. A negative number
	// reverses it.
	PitchGain float64 `toml:"pitch_gain" range:"-20..20"`
	// The platform's heave for each metre by which the body moves relative to its wheels, from its
	// height at the start. A lasting offset decays with a time constant of 30 s.
	HeaveGain float64 `toml:"heave_gain" range:"-20..20"`
	// Pitch, nose down, for a deceleration of 1 g. Higher values need a longer stroke; a negative
	// number raises the nose.
	BrakingPitch float64 `toml:"braking_deg_per_g" range:"-30..30"`
	// Roll, right side down, for 1 g of cornering to the left, as a car's body leans. A negative
	// number makes the platform lean into the bend.
	CorneringRoll float64 `toml:"cornering_deg_per_g" range:"-30..30"`
	// Added to roll, so that a seat that is mounted at an angle is level.
	RollOffset float64 `toml:"roll_offset_deg" range:"-30..30"`
	// Added to pitch, so that a seat that is mounted at an angle is level.
	PitchOffset float64 `toml:"pitch_offset_deg" range:"-30..30"`
	// Added to heave, for a seat that is mounted too low or too high.
	HeaveOffset float64 `toml:"heave_offset_m" range:"-1..1"`
	// Time constant of the low-pass before the limits. Higher values feel softer and add delay.
	SmoothingTime float64 `toml:"smoothing_s" range:"0..5"`
}

// DefaultDirect shows 60 % of the chassis' roll and pitch, slopes and banked bends included, and adds
// pitch for braking and roll for cornering. With these gains the usual motion of a car stays within
// the workspace of the default seat.
func DefaultDirect() DirectConfig {
	return DirectConfig{RollGain: 0.6, PitchGain: 0.6, BrakingPitch: 2, CorneringRoll: 2, SmoothingTime: 0.03}
}

// Validate returns an error for every field that is out of range.
func (c DirectConfig) Validate() error {
	return valid.Struct(c)
}

// directMode computes the pose of direct mode: the chassis' own roll, pitch and heave, for seats with
// two or three actuators.
type directMode struct {
	cfg                        DirectConfig
	brakingGain, corneringGain float64 // [rad per m/s²]
	rollOffset, pitchOffset    float64 // [rad]
	roll, pitch, heave         firstOrderLowPass
}

// directModeState has the outputs of direct mode's low-passes: angles [rad] and heave [m].
type directModeState struct{ roll, pitch, heave, brakingPitch, corneringRoll float64 }

func newDirectMode(cfg Config, dt float64) directMode {
	d := cfg.Direct
	lowPass := func(limit float64) firstOrderLowPass {
		return firstOrderLowPass{gain: dt / (d.SmoothingTime + dt), limit: limit}
	}
	return directMode{
		cfg: d, brakingGain: d.BrakingPitch * degree / gravity, corneringGain: d.CorneringRoll * degree / gravity,
		rollOffset: d.RollOffset * degree, pitchOffset: d.PitchOffset * degree,
		roll: lowPass(cfg.MaxRoll * degree), pitch: lowPass(cfg.MaxPitch * degree), heave: lowPass(cfg.MaxHeave),
	}
}

// next advances by one tick and returns the pose for a chassis whose body is heave [m] higher above
// its wheels than at rest. The specific force in Inputs includes the component of gravity on a slope.
func (d *directMode) next(s *directModeState, in *Inputs, heave float64, tuning *Tuning, trace *Trace) Pose {
	roll, pitch := tuning.Gain*tuning.Roll, tuning.Gain*tuning.Pitch
	trace.Rotation[0] = d.roll.next(&s.roll, (in.Roll*d.cfg.RollGain)*roll+d.rollOffset)
	trace.Rotation[1] = d.pitch.next(&s.pitch, (in.Pitch*d.cfg.PitchGain)*pitch+d.pitchOffset)
	trace.Tilt[0] = d.roll.next(&s.corneringRoll, in.Force[1]*d.corneringGain*roll)
	trace.Tilt[1] = d.pitch.next(&s.brakingPitch, -in.Force[0]*d.brakingGain*pitch)
	trace.Translation[2] = d.heave.next(&s.heave, heave*d.cfg.HeaveGain*tuning.Gain*tuning.Heave+d.cfg.HeaveOffset)
	return Pose{
		Heave: trace.Translation[2],
		Roll:  trace.Rotation[0] + trace.Tilt[0], Pitch: trace.Rotation[1] + trace.Tilt[1],
	}
}

// firstOrderLowPass is a first-order low-pass whose input is limited to ±limit. gain is the
// fraction of the difference by which the output follows in a tick.
type firstOrderLowPass struct{ gain, limit float64 }

// next moves value by one tick towards target, and returns it.
func (s *firstOrderLowPass) next(value *float64, target float64) float64 {
	*value = flushDenormal(*value + s.gain*(clamp(target, s.limit)-*value))
	return *value
}
