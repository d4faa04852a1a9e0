package mesh

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/road"
)

// Limits of a mesh.
const (
	maxTriangles = 200_000_000
	maxExtent    = 1e6 // along each axis [m]
)

// check reports the first fault of the input.
func (t *Triangles) check() error {
	n := len(t.Indices) / 3
	switch {
	case n == 0:
		return errors.New("mesh: no triangles: export the road's faces as well")
	case len(t.Indices)%3 != 0:
		return fmt.Errorf("mesh: %d indices: must be three per triangle", len(t.Indices))
	case len(t.Positions)%3 != 0:
		return fmt.Errorf("mesh: %d coordinates: must be three per vertex", len(t.Positions))
	case n > maxTriangles:
		return fmt.Errorf("mesh: %d triangles: must be at most %d; simplify the mesh", n, maxTriangles)
	case t.Materials != nil && len(t.Materials) != n:
		return fmt.Errorf("mesh: %d materials for %d triangles: must be one per triangle", len(t.Materials), n)
	}
	vertices := len(t.Positions) / 3
	for i, v := range t.Indices {
		if int(v) >= vertices {
			return fmt.Errorf("mesh: triangle %d: vertex %d of %d: export the mesh again", i/3, v, vertices)
		}
	}
	return t.checkCoordinates()
}

// checkCoordinates returns an error if a coordinate is NaN, Inf or too large, or if the mesh extends too far.
func (t *Triangles) checkCoordinates() error {
	for i, x := range t.Positions {
		if !(math.Abs(x) <= road.MaxCoordinate) {
			return fmt.Errorf("mesh: vertex %d: %s is %g m: must be within ±%g m", i/3, axisNames[i%3], x, float64(road.MaxCoordinate))
		}
	}
	low, high := t.bounds()
	for k, axis := range axisNames {
		if high[k]-low[k] > maxExtent {
			return fmt.Errorf("mesh: vertex %d is %g m along %s from the lowest: must be at most %g m; "+
				"check that the unit is metres", t.highest(k), high[k]-low[k], axis, maxExtent)
		}
	}
	return nil
}

var axisNames = [3]string{"x", "y", "z"}

// bounds returns the smallest and the largest coordinates [m].
func (t *Triangles) bounds() (low, high [3]float64) {
	low = [3]float64(t.Positions)
	high = low
	for i := 0; i < len(t.Positions); i += 3 {
		for k := range 3 {
			low[k] = min(low[k], t.Positions[i+k])
			high[k] = max(high[k], t.Positions[i+k])
		}
	}
	return low, high
}

// highest returns the vertex with the largest coordinate along an axis.
func (t *Triangles) highest(axis int) int {
	best := 0
	for i := range len(t.Positions) / 3 {
		if t.Positions[3*i+axis] > t.Positions[3*best+axis] {
			best = i
		}
	}
	return best
}
