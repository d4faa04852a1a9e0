// Package cueing turns the car's motion into a pose of the platform.
//
// Poses follow ISO 8855 as the car does: x forward, y left, z up; positive roll
// lowers the right side, positive pitch the nose.
package cueing

import (
	"errors"
	"fmt"
	"math"

	"rig/sim"
)

// Pose is where the platform shall be, from its neutral place.
type Pose struct {
	Surge, Sway, Heave float64 // [m]
	Roll, Pitch, Yaw   float64 // [rad]
}

// Config says how much of the car's lean the platform shows, and how fast.
type Config struct {
	RollGain  float64 `toml:"roll_gain"`
	PitchGain float64 `toml:"pitch_gain"`
	MaxRoll   float64 `toml:"max_roll_deg"`
	MaxPitch  float64 `toml:"max_pitch_deg"`
	MaxRate   float64 `toml:"max_rate_deg_per_s"`
	MaxAccel  float64 `toml:"max_accel_deg_per_s2"`
	Smoothing float64 `toml:"smoothing_s"` // time constant of the low-pass before the limits
}

// DefaultConfig doubles the car's lean within what a seat mover can do gently.
func DefaultConfig() Config {
	return Config{
		RollGain: 2, PitchGain: 2, MaxRoll: 8, MaxPitch: 8, MaxRate: 30, MaxAccel: 300, Smoothing: 0.03,
	}
}

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return errors.Join(
		inRange("roll_gain", c.RollGain, -20, 20),
		inRange("pitch_gain", c.PitchGain, -20, 20),
		inRange("max_roll_deg", c.MaxRoll, 0, 30),
		inRange("max_pitch_deg", c.MaxPitch, 0, 30),
		inRange("max_rate_deg_per_s", c.MaxRate, 0.1, 200),
		inRange("max_accel_deg_per_s2", c.MaxAccel, 1, 5000),
		inRange("smoothing_s", c.Smoothing, 0, 5),
	)
}

// Cue is the path from the car's body to the platform.
type Cue struct {
	cfg         Config
	share       float64 // of the low-pass, each tick
	roll, pitch axis
	fault       bool
}

// New returns a cue that is asked every dt [s].
func New(cfg Config, dt float64) (*Cue, error) {
	if err := errors.Join(cfg.Validate(), inRange("dt", dt, 1e-5, 0.05)); err != nil {
		return nil, fmt.Errorf("cueing: %w", err)
	}
	const rad = math.Pi / 180
	lim := func(most float64) limiter {
		return newLimiter(most*rad, cfg.MaxRate*rad, cfg.MaxAccel*rad, dt)
	}
	return &Cue{
		cfg:   cfg,
		share: dt / (cfg.Smoothing + dt),
		roll:  axis{limit: lim(cfg.MaxRoll)},
		pitch: axis{limit: lim(cfg.MaxPitch)},
	}, nil
}

// Pose returns the pose for the car's state: its roll and pitch, scaled and
// held within angle, speed and acceleration. A state that is not finite levels
// the platform within the same limits, and Fault tells. It is part of the loop:
// no allocation.
func (c *Cue) Pose(s *sim.State) Pose {
	roll, pitch := s.Roll()*c.cfg.RollGain, s.Pitch()*c.cfg.PitchGain
	c.fault = !finite(roll) || !finite(pitch)
	if c.fault {
		roll, pitch = 0, 0
	}
	return Pose{Roll: c.roll.next(roll, c.share), Pitch: c.pitch.next(pitch, c.share)}
}

// Fault tells whether the last state was not finite.
func (c *Cue) Fault() bool { return c.fault }

// Reset puts the cue back to level, at rest. The platform must be there too.
func (c *Cue) Reset() {
	c.roll.reset()
	c.pitch.reset()
	c.fault = false
}

// axis is a low-pass and a limiter.
type axis struct {
	smooth float64
	limit  limiter
}

func (a *axis) next(target, share float64) float64 {
	a.smooth += share * (a.limit.within(target) - a.smooth)
	return a.limit.next(a.smooth)
}

func (a *axis) reset() {
	a.smooth = 0
	a.limit.at, a.limit.step = 0, 0
}

func finite(v float64) bool { return v-v == 0 }

func inRange(name string, v, low, high float64) error {
	if v >= low && v <= high { // false for NaN
		return nil
	}
	return fmt.Errorf("%s = %g: allowed is %g to %g", name, v, low, high)
}
