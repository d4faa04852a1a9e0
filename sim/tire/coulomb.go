package tire

import (
	"errors"
	"fmt"
	"math"
)

// CoulombParams describe dry friction.
type CoulombParams struct {
	Friction          float64 `toml:"friction"`              // mu on dry asphalt
	FullSlip          float64 `toml:"full_slip"`             // from which on the steady force is whole
	HalfLength        float64 `toml:"contact_half_length_m"` // for the moment of a standing wheel alone
	RollingResistance float64 `toml:"rolling_resistance"`    // drag over load of a free-rolling wheel
}

// DefaultCoulomb is dry asphalt, and whole from 0.4 % of slip on.
func DefaultCoulomb() CoulombParams {
	return CoulombParams{Friction: 1, FullSlip: 0.004, HalfLength: 0.085, RollingResistance: 0.012}
}

// Validate reports every parameter that is out of range.
func (p CoulombParams) Validate() error {
	return errors.Join(
		inRange("friction", p.Friction, 0.01, 3),
		inRange("full_slip", p.FullSlip, 1e-4, 0.1),
		inRange("contact_half_length_m", p.HalfLength, 0.01, 0.5),
		inRange("rolling_resistance", p.RollingResistance, 0, 0.3),
	)
}

// Coulomb is dry friction: mu times the load against the sliding, whatever its
// speed. CoulombWheel is its exact form from tick to tick; the steady force of
// this model rises over a small slip, so that it is continuous and has a slope.
// Nothing has a place within the contact, so there is no aligning moment.
type Coulomb struct {
	friction   float64
	fullSlip   float64
	perFull    float64 // 1 over it
	halfLength float64 // of the contact [m]
	rolling    float64 // rolling resistance moment over load [m]
}

// NewCoulomb returns a tire of parameters that pass Validate, on a wheel of a
// radius [m].
func NewCoulomb(p CoulombParams, radius float64) (*Coulomb, error) {
	if err := errors.Join(p.Validate(), inRange("radius", radius, 0.05, 2)); err != nil {
		return nil, fmt.Errorf("tire: coulomb: %w", err)
	}
	return &Coulomb{
		friction:   p.Friction,
		fullSlip:   p.FullSlip,
		perFull:    1 / p.FullSlip,
		halfLength: p.HalfLength,
		rolling:    p.RollingResistance * radius,
	}, nil
}

// Capacity returns the limits.
func (m *Coulomb) Capacity(c Contact) (can Capacity) {
	m.capacity(&can, &c)
	return can
}

// capacity fills in the limits at c.
func (m *Coulomb) capacity(can *Capacity, c *Contact) {
	load := atMost(c.Load, mostLoad)
	can.ForceX = m.friction * load * surfaceFactor(c.Surface.Grip)
	can.ForceY = can.ForceX
	can.StiffnessX = atLeast(can.ForceX*surfaceFactor(c.Surface.Stiffness)*m.perFull, leastStiffness)
	can.StiffnessY = can.StiffnessX
	can.Rolling = rollingMoment(m.rolling, load, c.Surface.Rolling)
	can.HalfLength = m.halfLength
}

// Forces returns the steady forces; the force never exceeds mu·grip·load.
func (m *Coulomb) Forces(c Contact) Forces {
	if !c.presses() {
		return Forces{}
	}
	kappa, tan := bounded(c.Kappa), bounded(c.TanAlpha)
	var can Capacity
	m.capacity(&can, &c)
	full := m.fullSlip / surfaceFactor(c.Surface.Stiffness)
	perSlip := can.ForceX / max(math.Sqrt(kappa*kappa+tan*tan), full)
	return Forces{Fx: perSlip * kappa, Fy: -perSlip * tan, My: -can.Rolling}
}

// surfaceFactor bounds a factor of the ground; one that is no number is none.
func surfaceFactor(v float64) float64 {
	if v > 0 {
		return atMost(v, mostFactor)
	}
	return 0
}

// rollingMoment returns what resists free rolling [N·m], from its share of the
// load [m] and the surface's factor.
func rollingMoment(perLoad, load, factor float64) float64 {
	return perLoad * load * surfaceFactor(factor)
}
