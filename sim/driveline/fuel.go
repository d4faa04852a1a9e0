package driveline

import (
	"errors"
	"slices"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// Fuel describes the tank and the engine's consumption. The car's mass, center of mass and inertia in its
// file are those with a full tank.
type Fuel struct {
	// capacity of the tank; 0 for a litre for each 25 kg of the car; at most 15 % of the car's mass
	Capacity float64 `toml:"capacity_l" range:"0..1000"`
	// fuel at the start; more than the capacity is a full tank
	Level float64 `toml:"level_l" range:"0.1..1000"`
	// density of the fuel: 0.7489 for petrol, about 0.835 for diesel
	Density float64 `toml:"density_kg_per_l" range:"0.05..2"`
	// brake specific fuel consumption: fuel for each kWh at the crank; about 0.2 for a good diesel, 0.25 for
	// petrol at its best, 0.32 for a turbo that burns much
	BSFC float64 `toml:"bsfc_kg_per_kwh" range:"0.05..2"`
	// brake specific fuel consumption over engine speed and torque, instead of the constant; points `{ rpm,
	// nm, kg_per_kwh }` for each speed with each torque, in any order; bilinear between them, constant outside
	BSFCMap []FuelPoint `toml:"bsfc" count:"0..1024"`
	// consumption at idle without load. It is never less while the engine is fed, and grows with the power
	// that friction takes; a load that burns more counts alone
	IdleRate float64 `toml:"idle_l_per_h" range:"0..100"`
	// center of the tank ahead of the front axle; negative behind it
	X float64 `toml:"x_m" range:"-12..5"`
	// center of the tank to the left of the car's middle
	Y float64 `toml:"y_m" range:"-2..2"`
	Z float64 `toml:"z_m" range:"0..4"` // center of the tank above the ground at rest
}

// FuelPoint is a point of a consumption map.
type FuelPoint struct {
	RPM    float64 `toml:"rpm" range:"0..30000"`       // engine speed
	Torque float64 `toml:"nm" range:"0..5000"`         // torque at the crank
	BSFC   float64 `toml:"kg_per_kwh" range:"0.05..5"` // fuel for each kWh at the crank
}

// DefaultFuel returns a full tank of petrol ahead of the rear axle, and the consumption of a simple petrol
// engine.
func DefaultFuel() Fuel {
	return Fuel{Level: 1000, Density: 0.7489, BSFC: 0.29, IdleRate: 0.9, X: -2.1, Z: 0.35}
}

// Validate reports every parameter that is out of range.
func (f Fuel) Validate() error {
	return errors.Join(valid.Struct(f), curve.CheckGrid("bsfc", "rpm", "nm", f.points()))
}

// points returns the consumption map as points of a grid.
func (f Fuel) points() (list []curve.MapPoint) {
	for _, p := range f.BSFCMap {
		list = append(list, curve.MapPoint{X: p.RPM, Y: p.Torque, Z: p.BSFC})
	}
	return list
}

// Clone returns a deep copy.
func (f Fuel) Clone() Fuel {
	f.BSFCMap = slices.Clone(f.BSFCMap)
	return f
}

// fuelMap is the fuel consumption of an engine in the form that a tick needs.
type fuelMap struct {
	specific curve.Map // [kg/kWh] over speed [rad/s] and torque [N·m]
	perLoad  float64   // factor from the map's value to consumption [L/(W·s) for each kg/kWh]
	idle     float64   // consumption at idle [L/s]
	perDrag  float64   // consumption for each W·s of friction work [L/(W·s)]
}

// newFuelMap returns the consumption of an engine.
func newFuelMap(f Fuel, e *engine) fuelMap {
	const joules = 3.6e6 // in a kWh
	t := fuelMap{specific: curve.Constant(f.BSFC), perLoad: 1 / (joules * f.Density), idle: f.IdleRate / 3600}
	if len(f.BSFCMap) > 0 {
		points := f.points()
		for i := range points {
			points[i].X *= PerRPM
		}
		t.specific = curve.NewMap(points)
	}
	if friction := -e.closedTorque(e.idle) * e.idle; friction > 0 {
		t.perDrag = t.idle / friction
	}
	return t
}

// consumption returns the fuel consumption [L/s] at a crank torque [N·m] and an engine speed [rad/s].
// fuelShare is the share of the cycles that get fuel; closed is the torque with a released throttle at this
// speed [N·m].
//
// The engine burns the larger of two amounts: fuel by the power at the crank and the map, and fuel for
// friction (the intercept of the Willans line). The latter is proportional to the part of the friction that
// the engine overcomes, and not less than at idle.
func (t *fuelMap) consumption(fuelShare, torque, closed, speed float64) float64 {
	if fuelShare == 0 {
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
	return max(load, fuelShare*max(overcome, t.idle))
}

// takeFuel subtracts the fuel or the battery energy of a tick, at a crank torque [N·m] and a mean speed
// [rad/s].
func (l *System) takeFuel(s *State, torque, speed float64) {
	if l.motor.enabled {
		power := l.motor.batteryPower(s, torque, speed)
		drain(&s.Battery, &s.Engine.LevelCarry, power*l.dt)
		s.Battery = min(s.Battery, l.motor.capacity)
		return
	}
	drain(&s.Fuel, &s.Engine.LevelCarry,
		l.fuel.consumption(s.Engine.FuelShare, torque, l.engine.closedTorque(speed), speed)*l.dt)
}

// drain subtracts take from *level, down to 0. It keeps the amount that rounding would lose in *carry.
func drain(level, carry *float64, take float64) {
	take += *carry
	before := *level
	*level = max(before-take, 0)
	*carry = take - (before - *level)
	if *level == 0 {
		*carry = 0
	}
}
