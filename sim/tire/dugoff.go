package tire

import (
	"errors"
	"fmt"
	"math"
)

// DugoffParams describe Dugoff's tire as game developers state it.
type DugoffParams struct {
	Friction          float64 `toml:"friction"`           // mu on dry asphalt
	ContactLength     float64 `toml:"contact_length_m"`   // of the whole contact, at the nominal load
	TireStiffness     float64 `toml:"tire_stiffness"`     // of the tread along its length [MN/m²]; 5 to 10 are usual
	NominalLoad       float64 `toml:"nominal_load_n"`     // where the contact's length holds
	RollingResistance float64 `toml:"rolling_resistance"` // drag over load of a free-rolling wheel
}

// DefaultDugoff has the softest of the usual values, which give 56 kN for each
// unit of slip; 10 and a contact of 0.25 m give 312 kN, more than road tires have.
func DefaultDugoff() DugoffParams {
	return DugoffParams{
		Friction:          1.0,
		ContactLength:     0.15,
		TireStiffness:     5,
		NominalLoad:       4000,
		RollingResistance: 0.012,
	}
}

// Validate reports every parameter that is out of range.
func (p DugoffParams) Validate() error {
	return errors.Join(
		inRange("friction", p.Friction, 0.01, 3),
		inRange("contact_length_m", p.ContactLength, 0.02, 1),
		inRange("tire_stiffness", p.TireStiffness, 0.1, 100),
		inRange("nominal_load_n", p.NominalLoad, 100, 50e3),
		inRange("rolling_resistance", p.RollingResistance, 0, 0.3),
	)
}

// Dugoff is the tire of Dugoff, Fancher and Segel (SAE 700377), which is also
// a brush with even pressure: linear up to half of the friction, and from there
// towards it, which it reaches only when it is locked.
//
// A listing that games use under the name of a brush is this model. It exceeds
// mu times the load on a wheel that turns backward; here such a wheel slides
// like a locked one.
//
// There is no aligning moment: the model says how much of the contact slides,
// not where, and its stiffness, the same at every load, belongs to no contact
// from which a trail would follow.
type Dugoff struct {
	friction   float64
	stiffness  float64 // slip stiffness [N]
	halfLength float64 // of the contact at the nominal load [m]
	loads      float64 // 1 over the nominal load [1/N]
	rolling    float64 // rolling resistance moment over load [m]
}

// NewDugoff returns a tire of parameters that pass Validate, on a wheel of a
// radius [m].
func NewDugoff(p DugoffParams, radius float64) (*Dugoff, error) {
	if err := errors.Join(p.Validate(), inRange("radius", radius, 0.05, 2)); err != nil {
		return nil, fmt.Errorf("tire: dugoff: %w", err)
	}
	const perMega = 1e6
	return &Dugoff{
		friction:   p.Friction,
		stiffness:  perMega / 2 * p.TireStiffness * p.ContactLength * p.ContactLength,
		halfLength: p.ContactLength / 2,
		loads:      1 / p.NominalLoad,
		rolling:    p.RollingResistance * radius,
	}, nil
}

// Capacity returns the limits. The contact's length, which only the moment of a
// standing wheel asks for, grows with the root of the load, as at constant
// pressure.
func (m *Dugoff) Capacity(c Contact) (can Capacity) {
	m.capacity(&can, &c)
	return can
}

// capacity fills in the limits at c.
func (m *Dugoff) capacity(can *Capacity, c *Contact) {
	load := atMost(c.Load, mostLoad)
	can.StiffnessX = m.stiffness * surfaceFactor(c.Surface.Stiffness)
	can.StiffnessY = can.StiffnessX
	can.ForceX = m.friction * load * surfaceFactor(c.Surface.Grip)
	can.ForceY = can.ForceX
	can.Rolling = rollingMoment(m.rolling, load, c.Surface.Rolling)
	can.HalfLength = m.halfLength * math.Sqrt(load*m.loads)
}

// Forces returns the steady forces; the force never exceeds mu·grip·load.
//
// Driving and braking alike, the slip counts over the rolled way, which makes
// the force continuous and monotone from a locked wheel to one that spins.
func (m *Dugoff) Forces(c Contact) (f Forces) {
	if c.presses() {
		var can Capacity
		m.capacity(&can, &c)
		m.forces(&f, &can, bounded(c.Kappa), bounded(c.TanAlpha))
	}
	return f
}

// forces fills in the forces at slips of a contact.
func (m *Dugoff) forces(f *Forces, can *Capacity, kappa, tan float64) {
	roll := atLeast(1+kappa, 0) // rolled over travelled way
	perSlip := dugoff(can.StiffnessX, can.ForceX, math.Sqrt(kappa*kappa+tan*tan), roll)
	f.Fx, f.Fy = perSlip*kappa, -perSlip*tan
	f.Mx, f.My, f.Mz = 0, -can.Rolling, 0
}

// dugoff returns the force over the slip [N]. A slip of 0 goes with a roll of
// 1, so neither quotient has a 0 below it.
func dugoff(stiffness, force, slip, roll float64) float64 {
	pull := stiffness * slip
	if 2*pull <= force*roll {
		return stiffness / roll
	}
	return force * (1 - force*roll/(4*pull)) / slip
}
