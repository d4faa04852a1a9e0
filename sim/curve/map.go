package curve

import (
	"fmt"
	"slices"

	"rig.example/rig/internal/valid"
)

// Map is a function of two variables on a grid, bilinear between its points and
// constant outside. It has one point at least.
type Map struct {
	x, y []float64 // rising
	z    []float64 // y runs fastest
}

// Point is a point of one.
type Point struct{ X, Y, Z float64 }

// NewMap returns the chart of points that fill a grid, in any order.
func NewMap(points []Point) Map {
	var c Map
	for _, p := range points {
		c.x, c.y = append(c.x, p.X), append(c.y, p.Y)
	}
	slices.Sort(c.x)
	slices.Sort(c.y)
	c.x, c.y = slices.Compact(c.x), slices.Compact(c.y)
	c.z = make([]float64, len(c.x)*len(c.y))
	for _, p := range points {
		i, _ := slices.BinarySearch(c.x, p.X)
		j, _ := slices.BinarySearch(c.y, p.Y)
		c.z[i*len(c.y)+j] = p.Z
	}
	return c
}

// Constant is a function that has the same value everywhere.
func Constant(v float64) Map { return Map{x: []float64{0}, y: []float64{0}, z: []float64{v}} }

// At returns the function's value.
func (c *Map) At(x, y float64) float64 {
	if len(c.z) == 1 {
		return c.z[0]
	}
	i, u := between(c.x, x)
	j, v := between(c.y, y)
	n := len(c.y)
	right, up := min(i+1, len(c.x)-1), min(j+1, n-1)
	low := c.z[i*n+j] + v*(c.z[i*n+up]-c.z[i*n+j])
	high := c.z[right*n+j] + v*(c.z[right*n+up]-c.z[right*n+j])
	return low + u*(high-low)
}

// between returns the last of rising values that v has passed, and the part of the way
// from it to the next, 0..1.
func between(values []float64, v float64) (i int, part float64) {
	last := len(values) - 1
	if !(v > values[0]) { // also true for NaN
		return 0, 0
	}
	if v >= values[last] {
		return last, 0
	}
	for v >= values[i+1] {
		i++
	}
	return i, (v - values[i]) / (values[i+1] - values[i])
}

// MapRange is what the points of a chart in a car's file must keep to.
type MapRange struct {
	List    string
	X, Y, Z string     // keys
	Xs      [2]float64 // least and most
	Ys      [2]float64
	Zs      [2]float64
	Most    int // points
}

// Check reports everything that is out of range in points, and a grid that they leave
// gaps in. No points at all are fine.
func (r MapRange) Check(points []Point) (errs []error) {
	if len(points) == 0 {
		return nil
	}
	for i, p := range points {
		name := func(key string) string { return fmt.Sprintf("%s[%d].%s", r.List, i, key) }
		errs = append(errs,
			valid.InRange(name(r.X), p.X, r.Xs[0], r.Xs[1]),
			valid.InRange(name(r.Y), p.Y, r.Ys[0], r.Ys[1]),
			valid.InRange(name(r.Z), p.Z, r.Zs[0], r.Zs[1]))
	}
	if len(points) > r.Most {
		errs = append(errs, fmt.Errorf("%s has %d points: give up to %d", r.List, len(points), r.Most))
		return errs
	}
	return append(errs, r.filled(points))
}

// filled reports points that stand twice, and those that a grid of the others' rows and
// columns lacks.
func (r MapRange) filled(points []Point) error {
	seen := map[[2]float64]bool{}
	for i, p := range points {
		at := [2]float64{p.X, p.Y}
		if seen[at] {
			return fmt.Errorf("%s[%d] stands twice, at %s = %g and %s = %g: leave one out", r.List, i, r.X, p.X, r.Y, p.Y)
		}
		seen[at] = true
	}
	for _, p := range points {
		for _, q := range points {
			if !seen[[2]float64{p.X, q.Y}] {
				return fmt.Errorf("%s lacks the point at %s = %g and %s = %g: give each %s with each %s",
					r.List, r.X, p.X, r.Y, q.Y, r.X, r.Y)
			}
		}
	}
	return nil
}
