package maneuver

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// halves is level asphalt with another grip to the left of the world's x axis.
type halves struct {
	road.Flat
	left float64 // over that of the dry right half
}

func newHalves(left float64) halves { return halves{road.Asphalt(), left} }

// Touch returns the ground straight below p.
func (g halves) Touch(p r3.Vec) road.Contact {
	c := g.Flat.Touch(p)
	if p.Y > 0 {
		c.Surface.Grip = g.left
	}
	return c
}
