package tire

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// CoulombParams describe a tire of dry friction.
type CoulombParams struct {
	Friction          float64 `toml:"friction" range:"0.01..3"`                // friction coefficient on dry asphalt
	FullSlip          float64 `toml:"full_slip" range:"0.0001..0.1"`           // slip from which on the steady force is at the friction limit
	HalfLength        float64 `toml:"contact_half_length_m" range:"0.01..0.5"` // half the contact length, for the moment of a standing wheel only
	RollingResistance float64 `toml:"rolling_resistance" range:"0..0.3"`       // drag of a free-rolling wheel over its load
}

// DefaultCoulomb returns dry asphalt, with the full force from a slip of 0.4 % on.
func DefaultCoulomb() CoulombParams {
	return CoulombParams{Friction: 1, FullSlip: 0.004, HalfLength: 0.085, RollingResistance: 0.012}
}

// Validate reports every parameter that is out of range.
func (p CoulombParams) Validate() error {
	return valid.Struct(p)
}

// Coulomb is dry friction: mu times the load, against the sliding velocity, whatever its size.
// CoulombWheel applies it exactly from tick to tick; the steady force of this model rises over a small
// slip, so that it is continuous and has a slope. The contact has no pressure distribution, so there is
// no aligning moment.
type Coulomb struct {
	friction    float64 // mu on dry asphalt
	fullSlip    float64 // slip from which on the force is at its limit
	perFullSlip float64 // 1 over fullSlip
	halfLength  float64 // half the contact length [m]
	rollingArm  float64 // rolling resistance moment over load [m]
}

// NewCoulomb returns a tire of dry friction on a wheel of a radius [m]. The parameters must pass
// Validate.
func NewCoulomb(p CoulombParams, radius float64) (*Coulomb, error) {
	if err := errors.Join(p.Validate(), valid.InRange("radius", radius, 0.05, 2)); err != nil {
		return nil, fmt.Errorf("tire: coulomb: %w", err)
	}
	return &Coulomb{
		friction:    p.Friction,
		fullSlip:    p.FullSlip,
		perFullSlip: 1 / p.FullSlip,
		halfLength:  p.HalfLength,
		rollingArm:  p.RollingResistance * radius,
	}, nil
}

// Capacity returns stiffnesses and force limits for the load and surface of c.
func (m *Coulomb) Capacity(c Contact) (capacity Capacity) {
	m.capacity(&capacity, &c)
	return capacity
}

// capacity is Capacity, but writes the result through a pointer to avoid copies.
func (m *Coulomb) capacity(capacity *Capacity, c *Contact) {
	load := atMost(c.Load, maxLoad)
	capacity.ForceX = m.friction * load * surfaceFactor(c.Surface.Grip)
	capacity.ForceY = capacity.ForceX
	capacity.StiffnessX = atLeast(capacity.ForceX*surfaceFactor(c.Surface.Stiffness)*m.perFullSlip, minStiffness)
	capacity.StiffnessY = capacity.StiffnessX
	capacity.Rolling = rollingMoment(m.rollingArm, load, c.Surface.Rolling)
	capacity.HalfLength = m.halfLength
}

// Forces returns the steady forces. The force in the road plane never exceeds mu·grip·load.
func (m *Coulomb) Forces(c Contact) Forces {
	if !c.hasContact() {
		return Forces{}
	}
	kappa, tan := boundedOrZero(c.Kappa), boundedOrZero(c.TanAlpha)
	var capacity Capacity
	m.capacity(&capacity, &c)
	full := m.fullSlip / surfaceFactor(c.Surface.Stiffness)
	perSlip := capacity.ForceX / max(math.Sqrt(kappa*kappa+tan*tan), full)
	return Forces{Fx: perSlip * kappa, Fy: -perSlip * tan, My: -capacity.Rolling}
}

// surfaceFactor clamps a factor of the ground to 0 to maxFactor. NaN gives 0.
func surfaceFactor(v float64) float64 {
	if v > 0 {
		return atMost(v, maxFactor)
	}
	return 0
}

// rollingMoment returns the moment of rolling resistance [N·m]. perLoad is the moment over the load [m],
// factor the surface's.
func rollingMoment(perLoad, load, factor float64) float64 {
	return perLoad * load * surfaceFactor(factor)
}
