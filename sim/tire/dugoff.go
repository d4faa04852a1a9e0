package tire

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// DugoffParams describe Dugoff's tire by the quantities that game developers use.
type DugoffParams struct {
	Friction          float64 `toml:"friction" range:"0.01..3"`          // friction coefficient on dry asphalt
	ContactLength     float64 `toml:"contact_length_m" range:"0.02..1"`  // contact length at the nominal load
	TireStiffness     float64 `toml:"tire_stiffness" range:"0.1..100"`   // stiffness of the tread per contact length [MN/m²]; 5 to 10 are typical
	NominalLoad       float64 `toml:"nominal_load_n" range:"100..50000"` // load at which the contact length holds
	RollingResistance float64 `toml:"rolling_resistance" range:"0..0.3"` // drag of a free-rolling wheel over its load
}

// DefaultDugoff has the lowest of the usual stiffnesses, which gives 56 kN per unit of slip. 10 MN/m²
// and a contact of 0.25 m give 312 kN, more than road tires have.
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
	return valid.Struct(p)
}

// Dugoff is the tire of Dugoff, Fancher and Segel (SAE 700377), which is also a brush model with uniform
// pressure: linear up to half of the friction limit, and from there on approaching it. It reaches the
// limit only with a locked wheel.
//
// Source code that many games use under the name of a brush model is this model. On a wheel that turns
// backward its force exceeds mu times the load; here such a wheel slides like a locked one.
//
// There is no aligning moment: the model says how much of the contact slides but not where, and its
// stiffness, the same at every load, does not define a contact length from which a trail would follow.
type Dugoff struct {
	friction       float64 // mu on dry asphalt
	stiffness      float64 // slip stiffness [N]
	halfLength     float64 // half the contact length at the nominal load [m]
	perNominalLoad float64 // 1 over the nominal load [1/N]
	rollingArm     float64 // rolling resistance moment over load [m]
}

// NewDugoff returns Dugoff's tire on a wheel of a radius [m]. The parameters must pass Validate.
func NewDugoff(p DugoffParams, radius float64) (*Dugoff, error) {
	if err := errors.Join(p.Validate(), valid.InRange("radius", radius, 0.05, 2)); err != nil {
		return nil, fmt.Errorf("tire: dugoff: %w", err)
	}
	const perMega = 1e6
	return &Dugoff{
		friction:       p.Friction,
		stiffness:      perMega / 2 * p.TireStiffness * p.ContactLength * p.ContactLength,
		halfLength:     p.ContactLength / 2,
		perNominalLoad: 1 / p.NominalLoad,
		rollingArm:     p.RollingResistance * radius,
	}, nil
}

// Capacity returns stiffnesses and force limits for the load and surface of c. The contact length, which
// only the moment of a standing wheel needs, grows with the square root of the load, as at constant
// pressure.
func (m *Dugoff) Capacity(c Contact) (capacity Capacity) {
	m.capacity(&capacity, &c)
	return capacity
}

// capacity is Capacity, but writes the result through a pointer to avoid copies.
func (m *Dugoff) capacity(capacity *Capacity, c *Contact) {
	load := atMost(c.Load, maxLoad)
	capacity.StiffnessX = m.stiffness * surfaceFactor(c.Surface.Stiffness)
	capacity.StiffnessY = capacity.StiffnessX
	capacity.ForceX = m.friction * load * surfaceFactor(c.Surface.Grip)
	capacity.ForceY = capacity.ForceX
	capacity.Rolling = rollingMoment(m.rollingArm, load, c.Surface.Rolling)
	capacity.HalfLength = m.halfLength * math.Sqrt(load*m.perNominalLoad)
}

// Forces returns the steady forces. The force in the road plane never exceeds mu·grip·load.
//
// The slip is defined over the rolling speed both when driving and when braking, which makes the force
// continuous and monotone from a locked wheel to a spinning one.
func (m *Dugoff) Forces(c Contact) (f Forces) {
	if c.hasContact() {
		var capacity Capacity
		m.capacity(&capacity, &c)
		m.forces(&f, &capacity, boundedOrZero(c.Kappa), boundedOrZero(c.TanAlpha))
	}
	return f
}

// forces sets f to the forces at the slips kappa and tan, the tangent of the slip angle.
func (m *Dugoff) forces(f *Forces, capacity *Capacity, kappa, tan float64) {
	rollRatio := atLeast(1+kappa, 0) // rolling speed over hub speed
	perSlip := dugoffForcePerSlip(capacity.StiffnessX, capacity.ForceX, math.Sqrt(kappa*kappa+tan*tan), rollRatio)
	f.Fx, f.Fy = perSlip*kappa, -perSlip*tan
	f.Mx, f.My, f.Mz = 0, -capacity.Rolling, 0
}

// dugoffForcePerSlip returns the force over the slip [N]. force is the friction limit [N] and rollRatio
// the rolling speed over the hub speed. At zero slip rollRatio is 1, so no quotient is divided by 0.
func dugoffForcePerSlip(stiffness, force, slip, rollRatio float64) float64 {
	linearForce := stiffness * slip
	if 2*linearForce <= force*rollRatio {
		return stiffness / rollRatio
	}
	return force * (1 - force*rollRatio/(4*linearForce)) / slip
}
