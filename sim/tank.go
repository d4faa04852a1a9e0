package sim

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/driveline"
)

// mostFuel is the share of a car's mass that its fuel may be: what burns acts as a force
// that lags a tick behind.
const mostFuel = 0.15

// capacity returns what the tank of a car of a mass [kg] holds [L].
func capacity(f driveline.Fuel, mass float64) float64 {
	const perKilogram = 1.0 / 25
	if f.Capacity == 0 {
		return min(mass*perKilogram, mostFuel*mass/f.Density)
	}
	return f.Capacity
}

// TankCapacity returns what the tank holds [L], however much is in it at the start.
func (p Params) TankCapacity() float64 {
	return capacity(p.Fuel, p.Params.Summed().Mass)
}

// filled returns the car as it starts, with a tank no larger than what is in it: what is
// missing is taken out of mass, centre of mass and inertia.
func (p Params) filled() Params {
	f := p.Fuel
	full := capacity(f, p.Mass)
	p.Fuel.Capacity, p.Fuel.Level = full, min(f.Level, full)
	if p.Driveline.Motor.Enabled || f.Level >= full {
		return p
	}
	p.Fuel.Capacity = p.Fuel.Level
	less := (full - p.Fuel.Level) * f.Density
	p.Params = p.Params.Without(less, p.tankPlace())
	return p
}

// settled returns the car that p describes without parts and offset, as heavy as its
// fuel leaves it at the start, and with the torque curve that it drives by.
func (p Params) settled() Params {
	p.Params = p.Params.Settled()
	p.Driveline.Torque = p.Driveline.Curve()
	return p.filled()
}

// tankPlace returns where the tank's centre is from the centre of mass [m, body].
func (p *Params) tankPlace() r3.Vec {
	return r3.Vec{X: p.Fuel.X + p.CGToFront, Y: p.Fuel.Y - p.CGLeft, Z: p.Fuel.Z - p.CGHeight}
}

// validFuel reports a tank that does not fit the car.
func (p Params) validFuel() error {
	if err := valid.Within("fuel", p.Fuel.Validate()); err != nil || p.Driveline.Motor.Enabled || p.ValidateParts() != nil {
		return err
	}
	q := p
	q.Fuel.Level = 1000
	if q = q.settled(); !(q.Mass > 0) {
		return nil // named elsewhere
	}
	if err := valid.InRange("fuel.capacity_l", q.Fuel.Capacity, 0, mostFuel*q.Mass/q.Fuel.Density); err != nil {
		return fmt.Errorf("%w, %.0f %% of the car's mass", err, 100*mostFuel)
	}
	if p.Fuel.Level >= q.Fuel.Capacity {
		return nil
	}
	p = p.settled()
	if err := p.ValidateMass(); err != nil {
		return fmt.Errorf("fuel.level_l = %g: the car without the fuel that is missing has %w", p.Fuel.Level, err)
	}
	return nil
}

// tank is the constant part of what the fuel weighs.
type tank struct {
	level   float64 // at the start [L], which the car's own mass counts with
	density float64 // [kg/L]
}

func newTank(p Params) tank {
	t := tank{level: p.Fuel.Level, density: p.Fuel.Density}
	if p.Driveline.Motor.Enabled {
		t.level = 0
	}
	return t
}

// gone returns the mass of the fuel burned since the start [kg].
func (t *tank) gone(s *State) float64 { return (t.level - s.Driveline.Fuel) * t.density }
