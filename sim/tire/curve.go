package tire

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// CurveShape is friction over slip in one direction, given by two points.
type CurveShape struct {
	ExtremumSlip   float64 `toml:"extremum_slip" range:"0.001..2"`               // slip of the largest friction
	ExtremumValue  float64 `toml:"extremum_value" range:"0.01..5"`               // friction coefficient at the extremum
	AsymptoteSlip  float64 `toml:"asymptote_slip" range:"0.00101..20" valid:"-"` // slip from which on friction falls no further
	AsymptoteValue float64 `toml:"asymptote_value" range:"0..5" valid:"-"`       // friction coefficient at the asymptote and beyond
	Stiffness      float64 `toml:"stiffness" range:"0..10"`                      // factor on both values; 0 is no friction
}

// Validate reports every parameter that is out of range.
func (s CurveShape) Validate() error {
	return errors.Join(
		valid.Struct(s),
		valid.AtLeast(s, "asymptote_slip", 1.01*s.ExtremumSlip),
		valid.AtMost(s, "asymptote_value", s.ExtremumValue),
	)
}

// CurveParams describe a tire by its friction curves.
type CurveParams struct {
	Forward           CurveShape `toml:"forward"`                                 // friction over longitudinal slip
	Sideways          CurveShape `toml:"sideways"`                                // friction over the tangent of the slip angle
	Ellipse           bool       `toml:"ellipse"`                                 // whether both directions share their friction
	HalfLength        float64    `toml:"contact_half_length_m" range:"0.01..0.5"` // half the contact length, for the moment of a standing wheel only
	RollingResistance float64    `toml:"rolling_resistance" range:"0..0.3"`       // drag of a free-rolling wheel over its load
}

// DefaultCurve is plausible for a road tire: the peaks are at 12 % of slip and at 9°, a fifth of the
// friction is lost in sliding, and the directions are independent.
func DefaultCurve() CurveParams {
	return CurveParams{
		Forward:           CurveShape{ExtremumSlip: 0.12, ExtremumValue: 1, AsymptoteSlip: 0.8, AsymptoteValue: 0.8, Stiffness: 1},
		Sideways:          CurveShape{ExtremumSlip: 0.16, ExtremumValue: 1, AsymptoteSlip: 0.8, AsymptoteValue: 0.8, Stiffness: 1},
		HalfLength:        0.085,
		RollingResistance: 0.012,
	}
}

// Validate reports every parameter that is out of range.
func (p CurveParams) Validate() error {
	return valid.Struct(p)
}

// Curve is a tire with a friction curve in each direction, like the wheel colliders of game engines. Its
// force is the curve's value times the load.
//
// A surface's grip multiplies the values, as the curve's own stiffness factor does; the surface's
// stiffness divides the slips, so that the curve is steeper and equally high. There is no aligning
// moment, because the curves have no contact length.
type Curve struct {
	forward, sideways frictionCurve
	ellipse           bool
	halfLength        float64 // half the contact length [m]
	rollingArm        float64 // rolling resistance moment over load [m]
}

// NewCurve returns a tire on a wheel of a radius [m]. The parameters must pass Validate.
func NewCurve(p CurveParams, radius float64) (*Curve, error) {
	if err := errors.Join(p.Validate(), valid.InRange("radius", radius, 0.05, 2)); err != nil {
		return nil, fmt.Errorf("tire: curve: %w", err)
	}
	return &Curve{
		forward:    newFrictionCurve(p.Forward),
		sideways:   newFrictionCurve(p.Sideways),
		ellipse:    p.Ellipse,
		halfLength: p.HalfLength,
		rollingArm: p.RollingResistance * radius,
	}, nil
}

// minStiffness is the slope reported for a curve without friction [N]. Dividing a force limit of 0 by it
// gives a slip limit of 0.
const minStiffness = 1

// Capacity returns stiffnesses and force limits for the load and surface of c. A direction without
// friction has a force of 0 and a stiffness of 1 N, so that callers may divide by it.
func (m *Curve) Capacity(c Contact) (capacity Capacity) {
	m.capacity(&capacity, &c)
	return capacity
}

// capacity is Capacity, but writes the result through a pointer to avoid copies.
func (m *Curve) capacity(capacity *Capacity, c *Contact) {
	load := atMost(c.Load, maxLoad)
	value := load * surfaceFactor(c.Surface.Grip)
	slope := value * surfaceFactor(c.Surface.Stiffness)
	capacity.StiffnessX = atLeast(slope*m.forward.slope(), minStiffness)
	capacity.StiffnessY = atLeast(slope*m.sideways.slope(), minStiffness)
	capacity.ForceX, capacity.ForceY = value*m.forward.extremum, value*m.sideways.extremum
	capacity.Rolling = rollingMoment(m.rollingArm, load, c.Surface.Rolling)
	capacity.HalfLength = m.halfLength
}

// Forces returns the steady forces. Each stays below its curve's extremum.
//
// Without the ellipse the directions are independent, and both may be at their peak at once. With it,
// both curves are evaluated at the same combined slip, the root of the sum of squares of the slips over
// their extremum slips, and each direction takes its share. So the force lies on the ellipse through the
// two curves' values at that slip, never outside the one through the extrema, is smooth everywhere, and
// equals the curve itself in pure slip (the similarity method, P §4.2, with a curve for each direction).
func (m *Curve) Forces(c Contact) (f Forces) {
	if c.hasContact() {
		m.forces(&f, &c, boundedOrZero(c.Kappa), boundedOrZero(c.TanAlpha))
	}
	return f
}

// forces sets f to the forces at the slips kappa and tan, the tangent of the slip angle.
func (m *Curve) forces(f *Forces, c *Contact, kappa, tan float64) {
	steeper := surfaceFactor(c.Surface.Stiffness)
	load := atMost(c.Load, maxLoad)
	value := load * surfaceFactor(c.Surface.Grip)
	nx := kappa * m.forward.perExtremumSlip * steeper
	ny := tan * m.sideways.perExtremumSlip * steeper
	slipX, slipY := math.Abs(nx), math.Abs(ny)
	if m.ellipse {
		slipX = math.Sqrt(nx*nx + ny*ny)
		slipY = slipX
	}
	f.Fx = value * nx * m.forward.valuePerSlip(slipX)
	f.Fy = -value * ny * m.sideways.valuePerSlip(slipY)
	f.Mx, f.My, f.Mz = 0, -rollingMoment(m.rollingArm, load, c.Surface.Rolling), 0
}

// frictionCurve is a CurveShape over slips normalized by its extremum slip.
type frictionCurve struct {
	perExtremumSlip float64 // 1 over the extremum slip
	perFallWidth    float64 // 1 over the normalized slip from the extremum to the asymptote
	extremum        float64 // largest friction coefficient
	drop            float64 // loss of friction from the extremum to the asymptote
}

// newFrictionCurve precomputes the constants of a shape.
func newFrictionCurve(s CurveShape) frictionCurve {
	return frictionCurve{
		perExtremumSlip: 1 / s.ExtremumSlip,
		perFallWidth:    s.ExtremumSlip / (s.AsymptoteSlip - s.ExtremumSlip),
		extremum:        s.ExtremumValue * s.Stiffness,
		drop:            (s.ExtremumValue - s.AsymptoteValue) * s.Stiffness,
	}
}

// slope returns the slope of friction over slip at zero slip.
func (f *frictionCurve) slope() float64 { return 2 * f.extremum * f.perExtremumSlip }

// valuePerSlip returns friction over n, the normalized slip, which must be >= 0.
//
// The curve consists of two Hermite pieces with level tangents at the extremum and at the asymptote. Its
// slope at zero slip is free: twice the extremum over the extremum slip makes the first piece a parabola
// with its vertex at the extremum.
func (f *frictionCurve) valuePerSlip(n float64) float64 {
	if n < 1 {
		return f.extremum * (2 - n)
	}
	x := min((n-1)*f.perFallWidth, 1)
	return (f.extremum - f.drop*x*x*(3-2*x)) / n
}
