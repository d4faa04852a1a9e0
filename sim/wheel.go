package sim

import (
	"math"

	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// wheel holds the data of one wheel and its tire that are constant in a run.
type wheel struct {
	model          tire.Model
	rolling        tire.WheelModel
	vertical       *tire.Vertical
	load           float64       // load at rest [N]
	mostGrip       float64       // load above which the tire grips no more [N]
	contactDamping float64       // as suspension.Station.ContactDamping [N·s/m]
	inertia        float64       // [kg·m²]
	pressure       float64       // inflation pressure when cold [Pa]; 0 means the tire's own
	thermal        *tire.Thermal // nil if temperature and wear are switched off
}

// mostOverload is how many times its load at rest a tire grips with at most. Beyond, it is flat and its rim carries the
// rest; friction of what a crash presses on one wheel would throw the car back within a tick.
const mostOverload = 8

// newWheel returns wheel i of axle a with tire t. load is its load at rest [N], carriedMass the mass that it
// carries [kg].
func newWheel(a *suspension.Params, i int, t *tire.Tire, load, carriedMass, dt float64) (k wheel, err error) {
	side := tire.Left
	if i == tire.FR || i == tire.RR {
		side = tire.Right
	}
	k.load, k.inertia, k.mostGrip = load, a.Wheel.Inertia, math.Inf(1)
	if load > 0 {
		k.mostGrip = mostOverload * load
	}
	if k.vertical, err = tire.NewVertical(a.TireSpring(t)); err != nil {
		return k, err
	}
	if k.rolling, err = a.Roller(t, side, dt); err != nil {
		return k, err
	}
	k.model, k.pressure = t.Model, t.Pressure
	k.contactDamping = k.maxContactDamping(a, carriedMass, dt)
	if own := a.Tire.Pressure; own > 0 {
		k.pressure = own * 1e3
	}
	if a.Tire.Heat.Enabled {
		k.thermal, err = tire.NewThermal(a.Tire.Heat, dt)
	}
	return k, err
}

// maxContactDamping returns the largest ratio of force to speed that a contact can have within a tick before it
// slides [N·s/m]. A tire with dry friction can stop its carried mass [kg] in one tick; other tires are limited
// by the stiffness and damping of their carcass.
func (k *wheel) maxContactDamping(a *suspension.Params, carriedMass, dt float64) float64 {
	if _, dry := k.model.(*tire.Coulomb); dry {
		return carriedMass / dt
	}
	const relaxation = 0.1 // relaxation length [m]; most tires have a longer one
	capacity := k.model.Capacity(tire.Contact{Load: k.load, Surface: tire.Dry(), Pressure: k.pressure})
	return max(capacity.StiffnessX, capacity.StiffnessY)/relaxation*dt + a.Wheel.Damping
}

// restDeflection returns the deflection of the tire at rest [m].
func (k *wheel) restDeflection() float64 {
	if k.load == 0 { // without gravity
		return 0
	}
	deflection := k.vertical.Deflection(k.load) // at nominal pressure [m]
	force := k.vertical.Force(deflection, tire.VerticalInput{Pressure: k.pressure})
	return k.vertical.Deflection(k.load * k.load / force)
}

// corneringCompliance returns load over cornering stiffness at rest [rad]: the slip angle at which the lateral
// force would equal the load if it grew linearly.
func (k *wheel) corneringCompliance() float64 {
	capacity := k.model.Capacity(tire.Contact{Load: k.load, Surface: tire.Dry(), Pressure: k.pressure})
	return k.load / capacity.StiffnessY
}

// trail returns the pneumatic trail under the load at rest and a small slip angle [m]: how far behind the middle of
// the contact the lateral force acts.
func (k *wheel) trail() float64 {
	at := tire.Contact{Load: k.load, Surface: tire.Dry(), Pressure: k.pressure, Speed: 15}
	straight := k.model.Forces(at)
	at.TanAlpha = 1e-3
	f := k.model.Forces(at)
	if f.Fy == straight.Fy {
		return 0
	}
	return (straight.Mz - f.Mz) / (f.Fy - straight.Fy)
}

// radius returns the effective rolling radius at rest [m].
func (k *wheel) radius() float64 { return k.vertical.EffectiveRadius(k.load, 0) }
