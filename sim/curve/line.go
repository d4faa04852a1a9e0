// Package curve holds functions of one and two variables that interpolate between points, such as the tables
// in a car's file: piecewise linear functions (Line), bilinear functions on a grid (Map), and piecewise
// quadratic functions over a wheel's travel (TravelGrid, Quadratic). It also checks the points of such
// tables.
//
// Inputs are points, which must be valid; outputs are values, and slopes where forces need them. The
// functions never change after they are built, allocate nothing when they are evaluated, and have no units of
// their own.
package curve

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Line is a piecewise linear function through points with rising X. It is constant outside of them, and needs
// at least one point.
type Line struct{ X, Y []float64 }

// Add appends a point. x must be larger than that of the point before.
func (l *Line) Add(x, y float64) {
	l.X, l.Y = append(l.X, x), append(l.Y, y)
}

// At returns the function's value at x.
func (l *Line) At(x float64) float64 {
	last := len(l.X) - 1
	if !(x > l.X[0]) { // also true for NaN
		return l.Y[0]
	}
	for i := 1; i <= last; i++ {
		if x < l.X[i] {
			fraction := (x - l.X[i-1]) / (l.X[i] - l.X[i-1])
			return l.Y[i-1] + fraction*(l.Y[i]-l.Y[i-1])
		}
	}
	return l.Y[last]
}

// CheckRising returns an error that names each point whose x is outside of the range in its tag, or less than
// gap above that of the point before. list and key are the keys of the list and of x in the car's file.
func CheckRising[P any](list, key string, points []P, x func(P) float64, gap float64) error {
	var errs []error
	low := math.Inf(-1)
	for i, p := range points {
		errs = append(errs, valid.WithPrefix(fmt.Sprintf("%s[%d]", list, i), valid.AtLeast(p, key, low)))
		low = x(p) + gap
	}
	return errors.Join(errs...)
}
