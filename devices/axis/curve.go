package axis

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"
	"rig.example/rig/internal/kit/valid"
)

// CurveConfig describes the curve from a pedal's travel to its output. The zero value is a straight line
// over all of the travel.
type CurveConfig struct {
	Shape string `toml:"curve" oneof:",linear,gamma,points"` // curve from travel to output; empty is `linear`
	// with `curve = "gamma"`: output = travel^gamma; values above 1 make the start of the travel finer
	Gamma float64 `toml:"gamma" range:"0.2..5" valid:"-"`
	// with `curve = "points"`: 2 to 64 values of the travel, rising from 0 to 1; the curve through the points
	// is smooth and never falls
	PointsIn []float64 `toml:"points_in"`
	// with `curve = "points"`: the output at each of these values, beginning at 0 and never falling
	PointsOut []float64 `toml:"points_out"`
	// share of the travel that still counts as released
	DeadLow float64 `toml:"dead_low" range:"0..0.4"`
	// share of the travel that already counts as fully pressed
	DeadHigh float64 `toml:"dead_high" range:"0..0.4"`
}

// Validate reports every value that cannot be used.
func (c CurveConfig) Validate() error {
	err := errors.Join(valid.Struct(c), c.unusedKeys())
	switch c.Shape {
	case "gamma":
		return errors.Join(err, valid.Fields(c, "gamma"))
	case "points":
		return errors.Join(err, c.checkPoints())
	}
	return err
}

// unusedKeys reports keys that the chosen kind of curve does not use.
func (c CurveConfig) unusedKeys() error {
	switch {
	case c.Gamma != 0 && c.Shape != "gamma":
		return fmt.Errorf(`gamma = %g does nothing without curve = "gamma"`, c.Gamma)
	case len(c.PointsIn)+len(c.PointsOut) > 0 && c.Shape != "points":
		return errors.New(`points_in and points_out do nothing without curve = "points"`)
	}
	return nil
}

// maxPoints is the highest number of points of a curve.
const maxPoints = 64

// checkPoints reports points that do not begin at (0, 0), end at travel 1 and never fall.
func (c CurveConfig) checkPoints() error {
	in, out := c.PointsIn, c.PointsOut
	n := len(in)
	if n < 2 || n > maxPoints || len(out) != n {
		return fmt.Errorf("points_in has %d values and points_out %d; give both the same 2..%d", n, len(out), maxPoints)
	}
	if in[0] != 0 || in[n-1] != 1 || out[0] != 0 {
		return fmt.Errorf("points_in and points_out run from (%g, %g) to (%g, %g); begin at (0, 0) and end at travel 1", in[0], out[0], in[n-1], out[n-1])
	}
	for i := 1; i < n; i++ {
		if !(in[i]-in[i-1] >= 1e-3) {
			return fmt.Errorf("points_in goes from %g to %g; let every value be at least 0.001 above the one before", in[i-1], in[i])
		}
		if !(out[i] >= out[i-1] && out[i] <= 1) {
			return fmt.Errorf("points_out goes from %g to %g; let it never fall, nor exceed 1", out[i-1], out[i])
		}
	}
	return nil
}

// curvePieces is the number of straight pieces that replace a curve: enough that a foot cannot tell the
// difference. A table can be made never to fall, whereas rounding may make the curve itself fall.
const curvePieces = 1024

// Curve maps a pedal's travel to its output, both 0..1. It never falls.
type Curve struct {
	deadLow      float64                   // share of the travel that is dead at the released end
	activeTravel float64                   // share of the travel between the dead zones
	table        *[curvePieces + 1]float64 // outputs at the ends of the pieces; nil: a straight line
}

// NewCurve builds a curve. cfg must be valid.
func NewCurve(cfg CurveConfig) Curve {
	c := Curve{deadLow: cfg.DeadLow, activeTravel: 1 - cfg.DeadLow - cfg.DeadHigh}
	switch cfg.Shape {
	case "gamma":
		c.table = tabulate(func(x float64) float64 { return math.Pow(x, cfg.Gamma) })
	case "points":
		c.table = tabulate(monotoneSpline(cfg.PointsIn, cfg.PointsOut))
	}
	return c
}

// monotoneSpline returns a smooth curve through the points that is level between two points of the
// same height and never falls: F. N. Fritsch and J. Butland, "A method for constructing local monotone
// piecewise cubic interpolants", 1984.
func monotoneSpline(x, y []float64) func(float64) float64 {
	if len(x) == 2 { // the method needs three points
		return func(v float64) float64 { return y[0] + (y[1]-y[0])*v }
	}
	var f interp.FritschButland
	if err := f.Fit(x, y); err != nil {
		panic("axis: points that were not validated: " + err.Error())
	}
	return f.Predict
}

// tabulate returns the values of f at the ends of all pieces, limited to 0..1 and made never to fall.
func tabulate(f func(float64) float64) *[curvePieces + 1]float64 {
	var t [curvePieces + 1]float64
	highest := 0.0
	for i := range t {
		highest = min(max(f(float64(i)/curvePieces), highest), 1)
		t[i] = highest
	}
	return &t
}

// Value returns the output at travel v, both 0..1. NaN counts as released.
func (c *Curve) Value(v float64) float64 {
	v = (v - c.deadLow) / c.activeTravel
	if !(v > 0) {
		v = 0
	}
	v = min(v, 1)
	if c.table == nil {
		return v
	}
	i := min(int(v*curvePieces), curvePieces-1)
	low, high := c.table[i], c.table[i+1]
	return min(low+(high-low)*(v*curvePieces-float64(i)), high)
}
