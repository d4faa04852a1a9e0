package sim

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/driveline"
)

// maxFuelShare is the largest allowed share of the fuel in a car's mass. It is limited because burned fuel acts
// as a force that is one tick late.
const maxFuelShare = 0.15

// tankCapacity returns the capacity of the tank [L] of a car with this mass [kg].
func tankCapacity(f driveline.Fuel, mass float64) float64 {
	const perKilogram = 1.0 / 25
	if f.Capacity == 0 {
		return min(mass*perKilogram, maxFuelShare*mass/f.Density)
	}
	return f.Capacity
}

// TankCapacity returns the capacity of the tank [L].
func (p Params) TankCapacity() float64 {
	return tankCapacity(p.Fuel, p.Params.SumParts().Mass)
}

// withFuel returns the car with the fuel that it starts with. The tank's capacity becomes that level, and the
// fuel that is missing to a full tank is subtracted from mass, center of mass and inertia.
func (p Params) withFuel() Params {
	f := p.Fuel
	full := tankCapacity(f, p.Mass)
	p.Fuel.Capacity, p.Fuel.Level = full, min(f.Level, full)
	if p.Driveline.Motor.Enabled || f.Level >= full {
		return p
	}
	p.Fuel.Capacity = p.Fuel.Level
	missing := (full - p.Fuel.Level) * f.Density
	p.Params = p.Params.WithoutMass(missing, p.tankCenter())
	return p
}

// resolved returns the car with its parts and com_offset_m included in its mass properties, with the fuel that
// it starts with, and with the torque curve of its engine or motor.
func (p Params) resolved() Params {
	p.Params = p.Params.Resolved()
	p.Driveline.TorqueCurve = p.Driveline.Curve()
	return p.withFuel()
}

// tankCenter returns the position of the tank's center from the center of mass [m, body].
func (p *Params) tankCenter() r3.Vec {
	return r3.Vec{X: p.Fuel.X + p.CGToFront, Y: p.Fuel.Y - p.CGLeft, Z: p.Fuel.Z - p.CGHeight}
}

// checkFuel returns an error if the fuel is too heavy for the car, or if the car without it is impossible.
func (p Params) checkFuel() error {
	if p.Fuel.Validate() != nil || p.Driveline.Motor.Enabled || p.ValidateParts() != nil {
		return nil
	}
	q := p
	q.Fuel.Level = 1000
	if q = q.resolved(); !(q.Mass > 0) {
		return nil // ValidateParts reports it
	}
	if err := valid.InRange("fuel.capacity_l", q.Fuel.Capacity, 0,
		maxFuelShare*q.Mass/q.Fuel.Density); err != nil {
		return fmt.Errorf("%w, %.0f %% of the car's mass", err, 100*maxFuelShare)
	}
	if p.Fuel.Level >= q.Fuel.Capacity {
		return nil
	}
	p = p.resolved()
	if err := p.ValidateMass(); err != nil {
		return fmt.Errorf("fuel.level_l = %g: the car without the fuel that is missing has %w", p.Fuel.Level,
			err)
	}
	return nil
}

// tank holds the data from which the mass of burned fuel follows.
type tank struct {
	level   float64 // fuel at the start [L]; it is part of the car's mass
	density float64 // [kg/L]
}

// newTank returns the tank of a car; with an electric motor it is empty.
func newTank(p Params) tank {
	t := tank{level: p.Fuel.Level, density: p.Fuel.Density}
	if p.Driveline.Motor.Enabled {
		t.level = 0
	}
	return t
}

// burned returns the mass of the fuel burned since the start [kg].
func (t *tank) burned(s *State) float64 { return (t.level - s.Driveline.Fuel) * t.density }
