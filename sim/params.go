package sim

import (
	"errors"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
)

// Params describes a car. The units of its parameters are part of their keys.
type Params struct {
	chassis.Params

	Front     suspension.Params `toml:"front"`
	Rear      suspension.Params `toml:"rear"`
	Steering  steering.Params   `toml:"steering"`
	Brakes    brakes.Params     `toml:"brakes"`
	Driveline driveline.Params  `toml:"driveline"`
	Assists   assist.Params     `toml:"assists"`
	Fuel      driveline.Fuel    `toml:"fuel"`

	Hull chassis.Hull `toml:"hull"`
	Air  chassis.Air  `toml:"air"`
	// a wing, a splitter, or another place where the air pushes
	Aero []chassis.AeroSurface `toml:"aero" count:"0..32"`
}

// Validate reports every parameter that is out of range.
func (p Params) Validate() error {
	return errors.Join(
		valid.Struct(p),
		p.checkFuel(),
	)
}
