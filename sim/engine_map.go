package sim

import (
	"fmt"
	"slices"

	"rig.example/rig/internal/valid"
)

// chart is a function of two variables on a grid, bilinear between its points and
// constant outside. It has one point at least.
type chart struct {
	x, y []float64 // rising
	z    []float64 // y runs fastest
}

// chartPoint is a point of one.
type chartPoint struct{ x, y, z float64 }

// newChart returns the chart of points that fill a grid, in any order.
func newChart(points []chartPoint) chart {
	var c chart
	for _, p := range points {
		c.x, c.y = append(c.x, p.x), append(c.y, p.y)
	}
	slices.Sort(c.x)
	slices.Sort(c.y)
	c.x, c.y = slices.Compact(c.x), slices.Compact(c.y)
	c.z = make([]float64, len(c.x)*len(c.y))
	for _, p := range points {
		i, _ := slices.BinarySearch(c.x, p.x)
		j, _ := slices.BinarySearch(c.y, p.y)
		c.z[i*len(c.y)+j] = p.z
	}
	return c
}

// flat is a function that has the same value everywhere.
func flat(v float64) chart { return chart{x: []float64{0}, y: []float64{0}, z: []float64{v}} }

// at returns the function's value.
func (c *chart) at(x, y float64) float64 {
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

// chartRange is what the points of a chart in a car's file must keep to.
type chartRange struct {
	list    string
	x, y, z string     // keys
	xs      [2]float64 // least and most
	ys      [2]float64
	zs      [2]float64
	most    int // points
}

// check reports everything that is out of range in points, and a grid that they leave
// gaps in. No points at all are fine.
func (r chartRange) check(points []chartPoint) (errs []error) {
	if len(points) == 0 {
		return nil
	}
	for i, p := range points {
		name := func(key string) string { return fmt.Sprintf("%s[%d].%s", r.list, i, key) }
		errs = append(errs,
			valid.InRange(name(r.x), p.x, r.xs[0], r.xs[1]),
			valid.InRange(name(r.y), p.y, r.ys[0], r.ys[1]),
			valid.InRange(name(r.z), p.z, r.zs[0], r.zs[1]))
	}
	if len(points) > r.most {
		errs = append(errs, fmt.Errorf("%s has %d points: give up to %d", r.list, len(points), r.most))
		return errs
	}
	return append(errs, r.filled(points))
}

// filled reports points that stand twice, and those that a grid of the others' rows and
// columns lacks.
func (r chartRange) filled(points []chartPoint) error {
	seen := map[[2]float64]bool{}
	for i, p := range points {
		at := [2]float64{p.x, p.y}
		if seen[at] {
			return fmt.Errorf("%s[%d] stands twice, at %s = %g and %s = %g: leave one out", r.list, i, r.x, p.x, r.y, p.y)
		}
		seen[at] = true
	}
	for _, p := range points {
		for _, q := range points {
			if !seen[[2]float64{p.x, q.y}] {
				return fmt.Errorf("%s lacks the point at %s = %g and %s = %g: give each %s with each %s",
					r.list, r.x, p.x, r.y, q.y, r.x, r.y)
			}
		}
	}
	return nil
}
