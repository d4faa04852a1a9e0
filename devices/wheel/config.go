// Package wheel drives a steering wheel with force feedback.
//
// The device's counts, buttons and the configuration go in; the steering angle [rad] and the driver's
// actions come out. A torque [N·m] goes in and becomes a force of the device; both signs are positive to
// the left. The package limits the force below all other layers: it clamps the torque, limits its slew,
// ends an effect that is not renewed within 60 ms, and counts a torque older than 20 ms as 0. It never
// waits in the loop, and never plays more than the configured torque.
//
// The force of a killed program ends within milliseconds, because the writer's thread owns the wheel's
// node in a file table of its own, which the kernel closes when the thread ends (see
// evdev.Node.OwnByThread). If that thread is the last one of the program to end, it takes about 20 ms,
// because the kernel frees the program's memory first.
//
// A new wheel needs no code if the kernel offers it as an input node with force feedback. What is
// particular to it goes into a profile of package calib, or a preset of internal/files/config/presets.
package wheel

import (
	"rig.example/rig/internal/kit/valid"
)

// Config selects the wheel and limits its torque.
type Config struct {
	// part of the wheel's name, `vendor:product`, or a path; empty chooses a wheel by its capabilities
	Device string `toml:"device"`
	// rotation from lock to lock; 0 uses the calibration, or else the value of the model
	RangeDeg float64 `toml:"range_deg" range:"0 (automatic) or 40..4000"`
	// torque of the wheel at full force; 0 uses the value of the model. Set it if several wheels have the USB
	// id of yours
	FullNm float64 `toml:"full_torque_nm" range:"0 (automatic) or 0.1..50"`
	// highest torque that rig ever asks of the wheel [N·m]; above 8 only with consent, as
	// `guard.max_torque_nm`
	MaxTorque float64 `toml:"max_torque_nm" range:"0..50"`
	// fastest change of the torque [N·m/ms]; a drop to 0 is immediate
	MaxSlew float64 `toml:"max_slew_nm_per_ms" range:"0.001..50"`
	// delay of the wheel itself [ms], from a report with a force to the report of the angle that it
	// causes: electronics, motor and sensor. 0 uses an estimate for the model: 12 ms with gears or
	// unknown, 8 ms with a belt, 3 ms with direct drive
	DelayMs float64 `toml:"delay_ms" range:"0 (automatic) or 0.1..100"`
	Grab    bool    `toml:"grab"` // hides the wheel's events from all other programs
	// alternates between two levels of a wheel with 8-bit levels, for torques between them
	Dither bool `toml:"dither"`
	// strength of the wheel's own centering spring, if it has one, in addition to the car's forces; its torque
	// is subtracted from that of the force
	Spring float64 `toml:"spring" range:"0..1"`
	// strength of the wheel's own damper, if it has one; all its own effects together get at most half of the
	// torque
	Damper   float64 `toml:"damper" range:"0..1"`
	Friction float64 `toml:"friction" range:"0..1"` // strength of the wheel's own friction, if it has one
	// strength of the wheel's own sine, if it has one, for anti-lock brakes, kerbs and the rev limiter; gets up
	// to a quarter of the torque
	Vibration float64 `toml:"vibration" range:"0..1"`
}

// DefaultConfig uses any wheel, with a torque that is mild for a strong one.
func DefaultConfig() Config {
	return Config{MaxTorque: 4, MaxSlew: 0.5, Dither: true}
}

// minRangeDeg and maxRangeDeg bound a rotation from lock to lock [deg].
const minRangeDeg, maxRangeDeg = 40, 4000

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return valid.Struct(c)
}
