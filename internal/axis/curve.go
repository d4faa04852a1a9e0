package axis

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"
)

// CurveConfig shapes how a pedal's travel acts. The zero value is a straight
// line over all of the travel.
type CurveConfig struct {
	Shape     string    `toml:"curve"`      // "linear" (also ""), "gamma" or "points"
	Gamma     float64   `toml:"gamma"`      // output = travel^gamma, 0.2..5; above 1 is finer at the start
	PointsIn  []float64 `toml:"points_in"`  // travel, from 0 up to 1
	PointsOut []float64 `toml:"points_out"` // output there, from 0, never falling
	DeadLow   float64   `toml:"dead_low"`   // share of the travel that still counts as released, 0..0.4
	DeadHigh  float64   `toml:"dead_high"`  // share of the travel that already counts as fully pressed, 0..0.4
}

// Validate reports every value that cannot be used, without a prefix: the
// axis' name comes before it.
func (c CurveConfig) Validate() error {
	err := errors.Join(InRange("dead_low", c.DeadLow, 0, 0.4), InRange("dead_high", c.DeadHigh, 0, 0.4))
	switch c.Shape {
	case "", "linear":
		return errors.Join(err, c.idle())
	case "gamma":
		return errors.Join(err, InRange("gamma", c.Gamma, 0.2, 5), c.idle())
	case "points":
		return errors.Join(err, c.checkPoints(), c.idle())
	default:
		return errors.Join(err, fmt.Errorf(`curve = %q is not "linear", "gamma" or "points"`, c.Shape))
	}
}

// idle reports what another kind of curve takes.
func (c CurveConfig) idle() error {
	switch {
	case c.Gamma != 0 && c.Shape != "gamma":
		return fmt.Errorf(`gamma = %g does nothing without curve = "gamma"`, c.Gamma)
	case len(c.PointsIn)+len(c.PointsOut) > 0 && c.Shape != "points":
		return errors.New(`points_in and points_out do nothing without curve = "points"`)
	}
	return nil
}

// maxPoints is more than a hand can draw.
const maxPoints = 64

func (c CurveConfig) checkPoints() error {
	in, out := c.PointsIn, c.PointsOut
	n := len(in)
	if n < 2 || n > maxPoints || len(out) != n {
		return fmt.Errorf("points_in has %d values and points_out %d; give both the same 2..%d", n, len(out), maxPoints)
	}
	if in[0] != 0 || in[n-1] != 1 || out[0] != 0 {
		return fmt.Errorf("the points run from (%g, %g) to (%g, %g); begin at (0, 0) and end at travel 1", in[0], out[0], in[n-1], out[n-1])
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

// curvePieces is how many straight pieces a bent curve is drawn with: finer
// than any pedal resolves, and, other than the curve itself, never falling by a
// rounding.
const curvePieces = 1024

// Curve maps a pedal's travel to its output, both 0..1. It never falls.
type Curve struct {
	deadLow, live float64                   // share of the travel below and between the dead zones
	table         *[curvePieces + 1]float64 // nil is a straight line
}

// NewCurve builds a curve. cfg must be valid.
func NewCurve(cfg CurveConfig) Curve {
	c := Curve{deadLow: cfg.DeadLow, live: 1 - cfg.DeadLow - cfg.DeadHigh}
	switch cfg.Shape {
	case "gamma":
		c.table = tabulate(func(x float64) float64 { return math.Pow(x, cfg.Gamma) })
	case "points":
		c.table = tabulate(monotone(cfg.PointsIn, cfg.PointsOut))
	}
	return c
}

// monotone returns a smooth curve through the points that rises nowhere
// between two that are level: F. N. Fritsch and J. Butland, "A method for
// constructing local monotone piecewise cubic interpolants", 1984.
func monotone(x, y []float64) func(float64) float64 {
	if len(x) == 2 { // the method wants three
		return func(v float64) float64 { return y[0] + (y[1]-y[0])*v }
	}
	var f interp.FritschButland
	if err := f.Fit(x, y); err != nil {
		panic("axis: points that were not validated: " + err.Error())
	}
	return f.Predict
}

func tabulate(f func(float64) float64) *[curvePieces + 1]float64 {
	var t [curvePieces + 1]float64
	least := 0.0
	for i := range t {
		least = min(max(f(float64(i)/curvePieces), least), 1)
		t[i] = least
	}
	return &t
}

// Value returns the output at travel v. What is no number is released.
func (c *Curve) Value(v float64) float64 {
	v = (v - c.deadLow) / c.live
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
