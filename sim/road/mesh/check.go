package mesh

import (
	"errors"
	"fmt"
	"math"
)

// Limits of what is built.
const (
	mostTriangles = 200_000_000
	mostExtent    = 1e6 // [m]
	mostFar       = 1e8 // of a coordinate [m]
)

// check refuses what is not a mesh.
func (t *Triangles) check() error {
	n := len(t.Indices) / 3
	switch {
	case n == 0:
		return errors.New("mesh: no triangles: export the road's faces, too")
	case len(t.Indices)%3 != 0:
		return fmt.Errorf("mesh: %d indices: must be three a triangle", len(t.Indices))
	case len(t.Positions)%3 != 0:
		return fmt.Errorf("mesh: %d coordinates: must be three a vertex", len(t.Positions))
	case n > mostTriangles:
		return fmt.Errorf("mesh: %d triangles: at most %d are possible; simplify the mesh", n, mostTriangles)
	case t.Materials != nil && len(t.Materials) != n:
		return fmt.Errorf("mesh: %d materials for %d triangles: must be one a triangle", len(t.Materials), n)
	}
	vertices := len(t.Positions) / 3
	for i, v := range t.Indices {
		if int(v) >= vertices {
			return fmt.Errorf("mesh: triangle %d: vertex %d of %d: export the mesh again", i/3, v, vertices)
		}
	}
	return t.checkPlaces()
}

func (t *Triangles) checkPlaces() error {
	for i, x := range t.Positions {
		if !(math.Abs(x) <= mostFar) {
			return fmt.Errorf("mesh: vertex %d: %s is %g m: must be within ±%g m", i/3, axes[i%3], x, mostFar)
		}
	}
	low, high := t.bounds()
	for k, axis := range axes {
		if high[k]-low[k] > mostExtent {
			return fmt.Errorf("mesh: vertex %d is %g m along %s from the lowest: at most %g m are possible; are its units metres?",
				t.highest(k), high[k]-low[k], axis, mostExtent)
		}
	}
	return nil
}

var axes = [3]string{"x", "y", "z"}

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

// highest returns the vertex that is highest along an axis.
func (t *Triangles) highest(axis int) int {
	best := 0
	for i := range len(t.Positions) / 3 {
		if t.Positions[3*i+axis] > t.Positions[3*best+axis] {
			best = i
		}
	}
	return best
}
