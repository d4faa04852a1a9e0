// Package wheel is the steering wheel: angle and paddles in, torque out.
//
// It turns the device's counts and signs into the rig's: angles in rad and
// torque in N·m, both positive to the left. It guards itself below every other
// layer: the torque is clamped, its slew is limited, an effect lasts 60 ms
// unless it is renewed, and a torque that nobody renews for 20 ms becomes 0.
//
// A killed program's wheel goes limp within milliseconds because the writer's thread holds the wheel's node in a
// table of files of its own, which closes as the thread dies; the kernel frees the program's memory first, and that
// takes longer: some 20 ms where that thread is the last of the program to end. To add a wheel: nothing, if the kernel has it
// as an input node with force feedback; what is particular to one is a profile of package calib, or a preset of
// internal/config/presets.
package wheel

import (
	"errors"
	"fmt"
)

// Config says which wheel is used and how hard it may push.
type Config struct {
	Device    string  `toml:"device"`             // "" chooses; or part of a name, vendor:product, or a path
	RangeDeg  float64 `toml:"range_deg"`          // rotation from lock to lock, 40..4000; 0: calibration, or what the model has
	FullNm    float64 `toml:"full_torque_nm"`     // what the wheel gives at full force, 0.1..50; 0: what the model has
	MaxTorque float64 `toml:"max_torque_nm"`      // the most it may ever give, 0..50
	MaxSlew   float64 `toml:"max_slew_nm_per_ms"` // the most the torque may change in 1 ms, 0.001..50
	DelayMs   float64 `toml:"delay_ms"`           // of motor and sensor, 0.1..100; 0: what the model is thought to have
	Grab      bool    `toml:"grab"`               // keeps its events from all other programs
	Dither    bool    `toml:"dither"`             // lets small torques be felt on wheels of coarse levels
	Spring    float64 `toml:"spring"`             // its own spring to the middle, where it has one, 0..1
	Damper    float64 `toml:"damper"`             // its own damper, likewise
	Friction  float64 `toml:"friction"`           // its own friction, likewise
	Vibration float64 `toml:"vibration"`          // its own sine, for what shakes the rim, likewise
}

// DefaultConfig takes any wheel and stays mild on a strong one.
func DefaultConfig() Config {
	return Config{MaxTorque: 4, MaxSlew: 0.5, Dither: true}
}

// leastDeg and mostDeg bound a rotation from lock to lock [deg].
const leastDeg, mostDeg = 40, 4000

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return errors.Join(
		zeroOr("range_deg", c.RangeDeg, leastDeg, mostDeg),
		zeroOr("full_torque_nm", c.FullNm, 0.1, 50),
		inRange("max_torque_nm", c.MaxTorque, 0, 50),
		inRange("max_slew_nm_per_ms", c.MaxSlew, 0.001, 50),
		zeroOr("delay_ms", c.DelayMs, 0.1, 100),
		inRange("spring", c.Spring, 0, 1),
		inRange("damper", c.Damper, 0, 1),
		inRange("friction", c.Friction, 0, 1),
		inRange("vibration", c.Vibration, 0, 1),
	)
}

func inRange(key string, v, low, high float64) error {
	if v >= low && v <= high {
		return nil
	}
	return fmt.Errorf("wheel: %s = %g is not in %g..%g", key, v, low, high)
}

func zeroOr(key string, v, low, high float64) error {
	if v == 0 || v >= low && v <= high {
		return nil
	}
	return fmt.Errorf("wheel: %s = %g is neither 0 (automatic) nor in %g..%g", key, v, low, high)
}
