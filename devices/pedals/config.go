// Package pedals reads throttle, brake, clutch and handbrake, and gear levers.
//
// The counts of input nodes, which may include the wheel's, and of analog converters go in, with their
// calibration; positions come out, 0 released to 1 fully pressed, whichever way the device counts. A
// pedal that cannot be trusted counts as released. While a throttle or brake is missing, the throttle is
// cut and the car brakes gently. The package never waits in the loop.
package pedals

import (
	"errors"
	"fmt"
	"strings"

	"rig.example/rig/devices/analog"
	"rig.example/rig/devices/axis"
	"rig.example/rig/devices/levers"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/valid"
)

// Config says where the pedals are.
type Config struct {
	// part of the pedals' name, `vendor:product`, or a path; empty chooses pedals by their capabilities, also
	// those on the wheel's node
	Device string `toml:"device"`
	// evdev name of the throttle's axis, such as `ABS_Z`; empty uses the calibration, or else a guess
	Throttle  string `toml:"throttle_axis"`
	Brake     string `toml:"brake_axis"`     // as `throttle_axis`, for the brake
	Clutch    string `toml:"clutch_axis"`    // as `throttle_axis`, for the clutch
	Handbrake string `toml:"handbrake_axis"` // as `throttle_axis`, for the handbrake
	Grab      bool   `toml:"grab"`           // hides the device's events from all other programs

	Check Checks `toml:"check"` // second sensors

	Shape axis.Shapes `toml:"shape"`
	ADC   analog.ADCs `toml:"adc"` // pedals on analog converters

	levers.Config // pedals and levers on input nodes of their own
}

// DefaultConfig chooses the pedals and their axes automatically.
func DefaultConfig() Config { return Config{Config: levers.Config{Shifter: levers.DefaultShifter()}} }

// Validate reports every name that is not an axis, and every axis that is used for two pedals.
func (c Config) Validate() error {
	err := errors.Join(
		valid.Struct(c),
		c.axesOnTwoDevices())
	owner := map[string]string{}
	for i, name := range c.axes() {
		if name == "" {
			continue
		}
		if _, e := evdev.AbsCode(name); e != nil {
			err = errors.Join(err, fmt.Errorf("%s_axis: %w", axis.Names[i], e))
		} else if other, taken := owner[strings.ToUpper(name)]; taken {
			err = errors.Join(err, fmt.Errorf("%s_axis: %s is %s_axis already; an axis that is both belongs into pedals.extra", axis.Names[i], name, other))
		}
		owner[strings.ToUpper(name)] = axis.Names[i]
	}
	return err
}

// axesOnTwoDevices reports every axis that is on a converter and on an input node of its own.
func (c Config) axesOnTwoDevices() (err error) {
	for i, e := range c.Extra {
		for _, name := range e.Names() {
			for _, a := range c.ADC {
				if a.Axis == name {
					err = errors.Join(err, fmt.Errorf("extra[%d].axis: %s is on a converter too; keep one", i, name))
				}
			}
		}
	}
	return err
}

// CoversThrottleAndBrake reports whether throttle and brake are both on converters or on input
// nodes of their own, so that no set of pedals is needed.
func (c Config) CoversThrottleAndBrake() bool { r := c.elsewhere(); return hasNeededAxes(&r) }

// elsewhere returns the axes that are on converters or on input nodes of their own.
func (c Config) elsewhere() (r axis.Readings) {
	for _, a := range c.ADC {
		r.Assign(axis.Index(a.Axis))
	}
	for _, e := range c.Extra {
		for _, name := range e.Names() {
			r.Assign(axis.Index(name))
		}
	}
	return r
}

// axes returns the configured axis names in the order of all arrays.
func (c Config) axes() [axis.Count]string {
	return [axis.Count]string{c.Throttle, c.Brake, c.Clutch, c.Handbrake}
}
