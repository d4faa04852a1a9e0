package tire

import (
	"errors"
	"fmt"
	"math"
)

// CurveShape is friction over slip in one direction, by its two points.
type CurveShape struct {
	ExtremumSlip   float64 `toml:"extremum_slip"`   // where friction is greatest
	ExtremumValue  float64 `toml:"extremum_value"`  // friction coefficient there
	AsymptoteSlip  float64 `toml:"asymptote_slip"`  // from where friction falls no further
	AsymptoteValue float64 `toml:"asymptote_value"` // friction coefficient there and beyond
	Stiffness      float64 `toml:"stiffness"`       // factor on both values; 0 is no friction
}

// Validate reports every parameter that is out of range.
func (s CurveShape) Validate() error {
	return errors.Join(
		inRange("extremum_slip", s.ExtremumSlip, 1e-3, 2),
		inRange("extremum_value", s.ExtremumValue, 0.01, 5),
		inRange("asymptote_slip", s.AsymptoteSlip, 1.01*s.ExtremumSlip, 20),
		inRange("asymptote_value", s.AsymptoteValue, 0, s.ExtremumValue),
		inRange("stiffness", s.Stiffness, 0, 10),
	)
}

// CurveParams describe a tire by its friction curves.
type CurveParams struct {
	Forward           CurveShape `toml:"forward"`               // over kappa
	Sideways          CurveShape `toml:"sideways"`              // over the tangent of the slip angle
	Ellipse           bool       `toml:"ellipse"`               // whether the directions share their friction
	HalfLength        float64    `toml:"contact_half_length_m"` // for the moment of a standing wheel alone
	RollingResistance float64    `toml:"rolling_resistance"`    // drag over load of a free-rolling wheel
}

// DefaultCurve is plausible for a road tire: greatest at 12 % of slip and at
// 9°, a fifth less when it slides, the directions independent.
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
	return errors.Join(
		inTable("forward", p.Forward.Validate()),
		inTable("sideways", p.Sideways.Validate()),
		inRange("contact_half_length_m", p.HalfLength, 0.01, 0.5),
		inRange("rolling_resistance", p.RollingResistance, 0, 0.3),
	)
}

// inTable puts the table's name before every error that a Validate joined.
func inTable(table string, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var errs []error
	for _, e := range joined.Unwrap() {
		errs = append(errs, fmt.Errorf("%s.%w", table, e))
	}
	return errors.Join(errs...)
}

// Curve is a tire with a friction curve in each direction, as game engines'
// wheel colliders have. Its force is the curve's value times the load.
//
// A surface's grip multiplies the values, as the curve's own stiffness does;
// its stiffness divides the slips, so that the curve rises the steeper and is
// as high. There is no aligning moment: the curves know of no contact's length.
type Curve struct {
	forward, sideways friction
	ellipse           bool
	halfLength        float64 // of the contact [m]
	rolling           float64 // rolling resistance moment over load [m]
}

// NewCurve returns a tire of parameters that pass Validate, on a wheel of a
// radius [m].
func NewCurve(p CurveParams, radius float64) (*Curve, error) {
	if err := errors.Join(p.Validate(), inRange("radius", radius, 0.05, 2)); err != nil {
		return nil, fmt.Errorf("tire: curve: %w", err)
	}
	return &Curve{
		forward:    newFriction(p.Forward),
		sideways:   newFriction(p.Sideways),
		ellipse:    p.Ellipse,
		halfLength: p.HalfLength,
		rolling:    p.RollingResistance * radius,
	}, nil
}

// leastStiffness stands for the slope of a curve without friction [N]: who
// divides by it gets a greatest slip of 0.
const leastStiffness = 1

// Capacity returns the limits. A direction without friction has a force of 0
// and a stiffness of 1 N, so that it may be divided by.
func (m *Curve) Capacity(c Contact) (can Capacity) {
	m.capacity(&can, &c)
	return can
}

// capacity fills in the limits at c.
func (m *Curve) capacity(can *Capacity, c *Contact) {
	load := atMost(c.Load, mostLoad)
	value := load * surfaceFactor(c.Surface.Grip)
	slope := value * surfaceFactor(c.Surface.Stiffness)
	can.StiffnessX = atLeast(slope*m.forward.slope(), leastStiffness)
	can.StiffnessY = atLeast(slope*m.sideways.slope(), leastStiffness)
	can.ForceX, can.ForceY = value*m.forward.extremum, value*m.sideways.extremum
	can.Rolling = rollingMoment(m.rolling, load, c.Surface.Rolling)
	can.HalfLength = m.halfLength
}

// Forces returns the steady forces. Each stays below its curve's extremum.
//
// Without the ellipse the directions do not know of each other, and both may be
// at their greatest. With it, both curves are read at the same slip, the root
// of the sum of squares of the slips over their extremum slips, and each gives
// its direction's share of that sum. So the force lies on the ellipse through
// the two curves' values at that slip, never outside the one through the
// extrema, is smooth everywhere, and is the curve itself in pure slip (the
// similarity method, P §4.2, with a curve for each direction).
func (m *Curve) Forces(c Contact) (f Forces) {
	if c.presses() {
		m.forces(&f, &c, bounded(c.Kappa), bounded(c.TanAlpha))
	}
	return f
}

// forces fills in the forces at slips of a contact.
func (m *Curve) forces(f *Forces, c *Contact, kappa, tan float64) {
	steeper := surfaceFactor(c.Surface.Stiffness)
	load := atMost(c.Load, mostLoad)
	value := load * surfaceFactor(c.Surface.Grip)
	nx := kappa * m.forward.perExtremum * steeper
	ny := tan * m.sideways.perExtremum * steeper
	slipX, slipY := math.Abs(nx), math.Abs(ny)
	if m.ellipse {
		slipX = math.Sqrt(nx*nx + ny*ny)
		slipY = slipX
	}
	f.Fx = value * nx * m.forward.perSlip(slipX)
	f.Fy = -value * ny * m.sideways.perSlip(slipY)
	f.Mx, f.My, f.Mz = 0, -rollingMoment(m.rolling, load, c.Surface.Rolling), 0
}

// friction is a CurveShape over slips counted in its extremum slip.
type friction struct {
	perExtremum float64 // 1 over the extremum slip
	perFall     float64 // 1 over the way from the extremum to the asymptote
	extremum    float64 // the greatest value
	fall        float64 // from the extremum to the asymptote
}

func newFriction(s CurveShape) friction {
	return friction{
		perExtremum: 1 / s.ExtremumSlip,
		perFall:     s.ExtremumSlip / (s.AsymptoteSlip - s.ExtremumSlip),
		extremum:    s.ExtremumValue * s.Stiffness,
		fall:        (s.ExtremumValue - s.AsymptoteValue) * s.Stiffness,
	}
}

// slope returns what the value rises for each unit of slip at no slip.
func (f *friction) slope() float64 { return 2 * f.extremum * f.perExtremum }

// perSlip returns the value over n, a slip in extremum slips, >= 0.
//
// Two Hermite pieces with level tangents at the extremum and at the asymptote.
// The slope at no slip is free: twice the value over the slip turns the first
// piece into the parabola with its vertex at the extremum.
func (f *friction) perSlip(n float64) float64 {
	if n < 1 {
		return f.extremum * (2 - n)
	}
	x := min((n-1)*f.perFall, 1)
	return (f.extremum - f.fall*x*x*(3-2*x)) / n
}
