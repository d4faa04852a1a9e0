package sim

import (
	"errors"
	"math"

	"rig.example/rig/internal/kit/valid"
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

// GearFor returns the highest gear in which the engine turns at 2000 rpm or more at a speed [m/s], or the first.
func (p *Params) GearFor(speed float64) int8 {
	const minRPM = 2000.0 // [1/min]
	d := &p.Driveline
	wheelRPM := speed / p.Rear.Radius() * 30 / math.Pi
	for g := len(d.Gears); g > 1; g-- {
		if wheelRPM*d.Gears[g-1]*d.FinalDrive >= minRPM {
			return int8(g)
		}
	}
	return 1
}

// Validate reports every parameter that is out of range.
func (p Params) Validate() error {
	return errors.Join(
		valid.Struct(p),
		p.checkFuel(),
	)
}
