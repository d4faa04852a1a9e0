package circuit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// All places that files name count in the coordinates of the ground's file. What is built
// counts from the origin.

// settle chooses the origin of a ground that lies between two corners [m, of its file]: that of
// the circuit's file, or rig's.
func (s *Site) settle(low, high r3.Vec) error {
	g := &s.file.Ground
	origin, err := road.Origin(low, high)
	if err != nil {
		return fmt.Errorf("%s: %w", g.File, err)
	}
	if g.Origin != nil {
		origin = r3.Vec{X: g.Origin[0], Y: g.Origin[1], Z: g.Origin[2]}
		if far := max(away(low, origin), away(high, origin)); far > road.MostAway {
			return s.file.Fault(fmt.Errorf("ground.origin_m = %v: the ground reaches %.0f km from there, at most %.0f are possible; leave it out, or give a place on the ground",
				g.Origin, far/1e3, road.MostAway/1e3))
		}
	}
	s.Origin = origin
	return nil
}

// away returns how far a place is from another along the axis that has most of it [m].
func away(p, from r3.Vec) float64 {
	d := r3.Sub(p, from)
	return max(math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z))
}

// here returns where a place of the file's coordinates is.
func (s *Site) here(x, y float64) r3.Vec { return r3.Vec{X: x - s.Origin.X, Y: y - s.Origin.Y} }
