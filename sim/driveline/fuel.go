package driveline

import (
	"errors"
	"slices"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// Fuel is the tank, and what the engine burns of it. A car's mass, centre of mass and
// inertia are those with a full tank.
type Fuel struct {
	Capacity float64     `toml:"capacity_l"`       // 0: a litre for each 25 kg of the car
	Level    float64     `toml:"level_l"`          // at the start; more than the capacity is a full tank
	Density  float64     `toml:"density_kg_per_l"` // 0.7489 for petrol, about 0.835 for diesel
	Constant float64     `toml:"bsfc_kg_per_kwh"`  // fuel for each kWh at the crank (brake specific fuel consumption)
	Map      []FuelPoint `toml:"bsfc" most:"1024"` // the same over speed and torque, in place of the constant
	Idle     float64     `toml:"idle_l_per_h"`     // idling without load
	X        float64     `toml:"x_m"`              // centre of the tank ahead of the front axle, behind it negative
	Y        float64     `toml:"y_m"`              // to the left of the car's middle
	Z        float64     `toml:"z_m"`              // above the ground at rest
}

// FuelPoint is a point of a consumption map.
type FuelPoint struct {
	RPM      float64 `toml:"rpm"`
	Torque   float64 `toml:"nm"`
	Specific float64 `toml:"kg_per_kwh"`
}

// DefaultFuel is a full tank of petrol before the rear axle, and the consumption of a plain petrol engine.
func DefaultFuel() Fuel {
	return Fuel{Level: 1000, Density: 0.7489, Constant: 0.29, Idle: 0.9, X: -2.1, Z: 0.35}
}

// Validate reports every parameter that is out of range.
func (f Fuel) Validate() error {
	errs := []error{
		valid.InRange("capacity_l", f.Capacity, 0, 1000),
		valid.InRange("level_l", f.Level, 0.1, 1000),
		valid.InRange("density_kg_per_l", f.Density, 0.05, 2),
		valid.InRange("bsfc_kg_per_kwh", f.Constant, 0.05, 2),
		valid.InRange("idle_l_per_h", f.Idle, 0, 100),
		valid.InRange("x_m", f.X, -12, 5),
		valid.InRange("y_m", f.Y, -2, 2),
		valid.InRange("z_m", f.Z, 0, 4),
	}
	grid := curve.MapRange{List: "bsfc", X: "rpm", Y: "nm", Z: "kg_per_kwh", Xs: [2]float64{0, 30e3}, Ys: [2]float64{0, 5e3}, Zs: [2]float64{0.05, 5}, Most: 1024}
	return errors.Join(append(errs, grid.Check(f.points())...)...)
}

func (f Fuel) points() (list []curve.Point) {
	for _, p := range f.Map {
		list = append(list, curve.Point{X: p.RPM, Y: p.Torque, Z: p.Specific})
	}
	return list
}

// Clone returns f with a list of its own.
func (f Fuel) Clone() Fuel {
	f.Map = slices.Clone(f.Map)
	return f
}

// fuelMap is the constant part of what an engine burns.
type fuelMap struct {
	specific curve.Map // [kg/kWh] over speed [rad/s] and torque [N·m]
	perLoad  float64   // L for each W·s that the map's value multiplies
	idle     float64   // [L/s]
	perDrag  float64   // L for each W·s that friction takes
}

// newFuelMap returns that of an engine whose released throttle takes what closed says.
func newFuelMap(f Fuel, e *engine) fuelMap {
	const joules = 3.6e6 // kWh
	t := fuelMap{specific: curve.Constant(f.Constant), perLoad: 1 / (joules * f.Density), idle: f.Idle / 3600}
	if len(f.Map) > 0 {
		points := f.points()
		for i := range points {
			points[i].X *= PerRPM
		}
		t.specific = curve.NewMap(points)
	}
	if friction := -e.closed(e.idle) * e.idle; friction > 0 {
		t.perDrag = t.idle / friction
	}
	return t
}

// burns returns the fuel [L/s] of an engine of which a share of the cycles are fed, at a
// torque at the crank [N·m] that a released throttle takes part of, and a speed [rad/s].
//
// A load burns by its power and the map. Where that is less than what friction burns,
// as Willans' line has it at no load, the latter counts: by the part of friction that is
// overcome, and never less than idle.
func (t *fuelMap) burns(fed, torque, closed, speed float64) float64 {
	if fed == 0 {
		return 0
	}
	load := 0.0
	if power := torque * speed; power > 0 {
		load = power * t.specific.At(speed, torque) * t.perLoad
	}
	overcome := 0.0
	if closed < 0 {
		overcome = t.perDrag * speed * valid.Clamp(torque-closed, 0, -closed)
	}
	return max(load, fed*max(overcome, t.idle))
}

// burn takes the fuel, or the energy, of a tick in which the crank gave a torque [N·m]
// at a mean speed [rad/s].
func (l *System) burn(s *State, torque, speed float64) {
	if l.motor.on {
		power := l.motor.draws(s, torque, speed)
		drain(&s.Battery, &s.Power.Due, power*l.dt)
		s.Battery = min(s.Battery, l.motor.capacity)
		return
	}
	drain(&s.Fuel, &s.Power.Due, l.fuel.burns(s.Power.Fed, torque, l.engine.closed(speed), speed)*l.dt)
}

// drain takes from a level, down to 0, and keeps in due what rounding leaves behind.
func drain(level, due *float64, take float64) {
	take += *due
	before := *level
	*level = max(before-take, 0)
	*due = take - (before - *level)
	if *level == 0 {
		*due = 0
	}
}
