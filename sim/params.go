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

// Params describe a car. Units are in the keys.
type Params struct {
	chassis.Params

	Front     suspension.Params `toml:"front"`
	Rear      suspension.Params `toml:"rear"`
	Steering  steering.Params   `toml:"steering"`
	Brakes    brakes.Params     `toml:"brakes"`
	Driveline driveline.Params  `toml:"driveline"`
	Assists   assist.Params     `toml:"assists"`
	Fuel      driveline.Fuel    `toml:"fuel"`

	Hull chassis.Hull          `toml:"hull"`
	Air  chassis.Air           `toml:"air"`
	Aero []chassis.AeroSurface `toml:"aero" most:"32"`
}

// Validate reports every parameter that is out of range.
func (p Params) Validate() error {
	return errors.Join(
		p.Params.Validate(),
		valid.Within("front", p.Front.Validate()),
		valid.Within("rear", p.Rear.Validate()),
		valid.Within("steering", p.Steering.Validate()),
		valid.Within("brakes", p.Brakes.Validate()),
		valid.Within("driveline", p.Driveline.Validate()),
		valid.Within("assists", p.Assists.Validate()),
		p.validFuel(),
		valid.Within("hull", p.Hull.Validate()),
		valid.Within("air", p.Air.Validate()),
		chassis.ValidateSurfaces(p.Aero),
	)
}
