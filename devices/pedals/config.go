// Package pedals reads throttle, brake, clutch and handbrake from an input
// node, which may be the wheel's.
//
// Pedals are 0 released to 1 fully pressed, whichever way the device counts.
// A pedal that cannot be trusted is released; pedals that vanish release the
// throttle and brake gently.
package pedals

import (
	"errors"
	"fmt"
	"strings"

	"rig.example/rig/internal/axis"
	"rig.example/rig/internal/evdev"
)

// Config says where the pedals are.
type Config struct {
	Device    string `toml:"device"`         // "" chooses; or part of a name, vendor:product, or a path
	Throttle  string `toml:"throttle_axis"`  // evdev name such as ABS_Z; "" takes the calibration's, or chooses
	Brake     string `toml:"brake_axis"`     // likewise
	Clutch    string `toml:"clutch_axis"`    // likewise
	Handbrake string `toml:"handbrake_axis"` // likewise
	Grab      bool   `toml:"grab"`           // keeps the device's events from all other programs

	Check Checks `toml:"check"` // second sensors

	OthersConfig // and what there is besides
}

// DefaultConfig chooses everything.
func DefaultConfig() Config { return Config{OthersConfig: DefaultOthers()} }

// Validate reports every name that is no axis, and every axis that is two pedals.
func (c Config) Validate() error {
	err := errors.Join(c.OthersConfig.Validate(), c.Check.Validate())
	owner := map[string]string{}
	for i, name := range c.axes() {
		if name == "" {
			continue
		}
		if _, e := evdev.AbsCode(name); e != nil {
			err = errors.Join(err, fmt.Errorf("pedals: %s_axis: %w", axis.Names[i], e))
		} else if other, taken := owner[strings.ToUpper(name)]; taken {
			err = errors.Join(err, fmt.Errorf("pedals: %s_axis: %s is %s_axis already; an axis that is both belongs into pedals.extra", axis.Names[i], name, other))
		}
		owner[strings.ToUpper(name)] = axis.Names[i]
	}
	return err
}

func (c Config) axes() [axis.Count]string {
	return [axis.Count]string{c.Throttle, c.Brake, c.Clutch, c.Handbrake}
}
