package sim

import (
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// wheel is the constant part of one wheel with its tire.
type wheel struct {
	model    tire.Model
	roller   tire.Roller
	vertical *tire.Vertical
	load     float64       // at rest [N]
	firm     float64       // as in suspension.Station
	inertia  float64       // [kg·m²]
	pressure float64       // inflation when cold [Pa]; 0 is the tire's own
	thermal  *tire.Thermal // nil where temperature and wear do not count
}

// newWheel puts a tire on wheel i, which stands under a load [N] and carries a mass [kg].
func newWheel(a *suspension.Params, i int, t *tire.Tire, load, carried, dt float64) (k wheel, err error) {
	side := tire.Left
	if i == tire.FR || i == tire.RR {
		side = tire.Right
	}
	k.load, k.inertia = load, a.Wheel.Inertia
	if k.vertical, err = tire.NewVertical(a.TireSpring(t)); err != nil {
		return k, err
	}
	if k.roller, err = a.Roller(t, side, dt); err != nil {
		return k, err
	}
	k.model, k.pressure = t.Model, t.Pressure
	k.firm = k.grasp(a, carried, dt)
	if own := a.Tire.Pressure; own > 0 {
		k.pressure = own * 1e3
	}
	if a.Tire.Heat.Enabled {
		k.thermal, err = tire.NewThermal(a.Tire.Heat, dt)
	}
	return k, err
}

// grasp returns how the force of a contact that holds answers to its speed within
// a tick [N·s/m]: by the mass carried [kg] that dry friction stops, or by the carcass.
func (k *wheel) grasp(a *suspension.Params, carried, dt float64) float64 {
	if _, dry := k.model.(*tire.Coulomb); dry {
		return carried / dt
	}
	const relaxes = 0.1 // [m], less than most
	can := k.model.Capacity(tire.Contact{Load: k.load, Surface: tire.Dry(), Pressure: k.pressure})
	return max(can.StiffnessX, can.StiffnessY)/relaxes*dt + a.Wheel.Damping
}

// restDeflection returns how far the tire yields to the car at rest [m].
func (k *wheel) restDeflection() float64 {
	if k.load == 0 { // without gravity
		return 0
	}
	own := k.vertical.Deflection(k.load)
	filled := k.vertical.Force(own, tire.Running{Pressure: k.pressure})
	return k.vertical.Deflection(k.load * k.load / filled)
}

// compliance returns the slip angle for each load of side force, at rest [rad].
func (k *wheel) compliance() float64 {
	can := k.model.Capacity(tire.Contact{Load: k.load, Surface: tire.Dry(), Pressure: k.pressure})
	return k.load / can.StiffnessY
}

// radius returns the effective rolling radius at rest [m].
func (k *wheel) radius() float64 { return k.vertical.EffectiveRadius(k.load, 0) }
