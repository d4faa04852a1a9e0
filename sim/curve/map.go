package curve

import (
	"fmt"
	"slices"
)

// Map is a function of two variables that is given by the points of a grid. It is bilinear between the points
// and constant outside of them.
type Map struct {
	x, y []float64 // coordinates of the grid's rows and columns, rising
	z    []float64 // values: that at (x[i], y[j]) has the index i·len(y) + j
}

// MapPoint is a point of a Map: the value Z at (X, Y).
type MapPoint struct{ X, Y, Z float64 }

// NewMap returns the function through points, which must form a complete grid. Their order does not matter.
func NewMap(points []MapPoint) Map {
	var m Map
	for _, p := range points {
		m.x, m.y = append(m.x, p.X), append(m.y, p.Y)
	}
	slices.Sort(m.x)
	slices.Sort(m.y)
	m.x, m.y = slices.Compact(m.x), slices.Compact(m.y)
	m.z = make([]float64, len(m.x)*len(m.y))
	for _, p := range points {
		i, _ := slices.BinarySearch(m.x, p.X)
		j, _ := slices.BinarySearch(m.y, p.Y)
		m.z[i*len(m.y)+j] = p.Z
	}
	return m
}

// Constant returns a function that has the value v everywhere.
func Constant(v float64) Map { return Map{x: []float64{0}, y: []float64{0}, z: []float64{v}} }

// At returns the function's value at (x, y).
func (m *Map) At(x, y float64) float64 {
	if len(m.z) == 1 {
		return m.z[0]
	}
	i, u := interval(m.x, x)
	j, v := interval(m.y, y)
	n := len(m.y)
	right, up := min(i+1, len(m.x)-1), min(j+1, n-1)
	low := m.z[i*n+j] + v*(m.z[i*n+up]-m.z[i*n+j])
	high := m.z[right*n+j] + v*(m.z[right*n+up]-m.z[right*n+j])
	return low + u*(high-low)
}

// interval returns the index of the last value that is not above v, and the position of v between that value
// and the next one, 0..1. values must rise.
func interval(values []float64, v float64) (i int, fraction float64) {
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

// MaxMapPoints is the largest number of points of a map in a car's file.
const MaxMapPoints = 1024

// CheckGrid returns an error if points do not form a complete grid: if a point occurs twice, or if there is
// no point for the x of one point and the y of another. list, x and y are the keys of the list and of the
// variables in the car's file. It does not check lists of more than MaxMapPoints points, which other checks
// refuse.
func CheckGrid(list, x, y string, points []MapPoint) error {
	if len(points) > MaxMapPoints {
		return nil
	}
	present := map[[2]float64]bool{}
	for i, p := range points {
		at := [2]float64{p.X, p.Y}
		if present[at] {
			return fmt.Errorf("%s[%d] stands twice, at %s = %g and %s = %g: leave one out", list, i, x, p.X,
				y, p.Y)
		}
		present[at] = true
	}
	for _, p := range points {
		for _, q := range points {
			if !present[[2]float64{p.X, q.Y}] {
				return fmt.Errorf("%s lacks the point at %s = %g and %s = %g: give each %s with each %s",
					list, x, p.X, y, q.Y, x, y)
			}
		}
	}
	return nil
}
