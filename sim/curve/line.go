// Package curve holds functions of one and two variables that are given by points, as the tables in a
// car's file: straight lines (Line), a grid (Map), and pieces of second order over a wheel's travel
// (Grid, Quadratic), with the checks of the points that such tables are given by.
//
// What comes in are points that have been checked; what goes out is a value, and a slope where forces
// need one. Nothing here knows units, keeps state or allocates once it is built.
package curve

import (
	"fmt"

	"rig.example/rig/internal/valid"
)

// MostPoints is what a table in a tick may have.
const MostPoints = 32

// Line is a function by straight lines between points of rising x, constant
// outside. It has one point at least.
type Line struct{ X, Y []float64 }

// Add appends a point.
func (p *Line) Add(x, y float64) {
	p.X, p.Y = append(p.X, x), append(p.Y, y)
}

// At returns the function's value.
func (p *Line) At(x float64) float64 {
	last := len(p.X) - 1
	if !(x > p.X[0]) { // also true for NaN
		return p.Y[0]
	}
	for i := 1; i <= last; i++ {
		if x < p.X[i] {
			part := (x - p.X[i-1]) / (p.X[i] - p.X[i-1])
			return p.Y[i-1] + part*(p.Y[i]-p.Y[i-1])
		}
	}
	return p.Y[last]
}

// LineRange is what the points of a list in a car's file must keep to: x rises from
// least by a gap from point to point, and y stays between low and high.
type LineRange struct {
	List             string
	X                string
	Least, Most, Gap float64
	Y                string
	Low, High        float64
}

// Check reports everything that is out of range in n points.
func (r LineRange) Check(n int, at func(i int) (x, y float64)) (errs []error) {
	least := r.Least
	for i := range n {
		x, y := at(i)
		errs = append(errs,
			valid.InRange(fmt.Sprintf("%s[%d].%s", r.List, i, r.X), x, least, r.Most),
			valid.InRange(fmt.Sprintf("%s[%d].%s", r.List, i, r.Y), y, r.Low, r.High))
		least = x + r.Gap
	}
	return errs
}

// BySpeed are points over a speed in km/h.
func BySpeed(list, y string, low, high float64) LineRange {
	return LineRange{list, "speed_kph", 0, 500, 0.1, y, low, high}
}
