package circuit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// Points in files are in the coordinates of the ground's file. What is built is relative to the origin.

// chooseOrigin sets the origin for a ground between two corners [m, in coordinates of its file]: the one in the
// circuit's file, or else a default.
func (s *Site) chooseOrigin(low, high r3.Vec) error {
	g := &s.file.Ground
	origin, err := road.Origin(low, high)
	if err != nil {
		return fmt.Errorf("%s: %w", g.File, err)
	}
	if g.Origin != nil {
		origin = r3.Vec{X: g.Origin[0], Y: g.Origin[1], Z: g.Origin[2]}
		if far := max(axisDistance(low, origin), axisDistance(high, origin)); far > road.MaxFromOrigin {
			return s.file.Locate(fmt.Errorf("ground.origin_m = %v: the ground extends to %.0f km from there: must be at most %.0f; leave it out, or give a point on the ground",
				g.Origin, far/1e3, road.MaxFromOrigin/1e3))
		}
	}
	s.Origin = origin
	return nil
}

// axisDistance returns the largest distance between two points along one axis [m].
func axisDistance(p, from r3.Vec) float64 {
	d := r3.Sub(p, from)
	return max(math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z))
}

// toLocal converts a point in the coordinates of the ground's file to one relative to the origin.
func (s *Site) toLocal(x, y float64) r3.Vec { return r3.Vec{X: x - s.Origin.X, Y: y - s.Origin.Y} }
