package sim

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road/lap"
)

// Place returns the positions of the wheel hubs and of the middle of the front axle, for lap timing.
func (s *State) Place() lap.Position {
	w := &s.Wheels
	return lap.Position{
		Front:  r3.Scale(0.5, r3.Add(w[0].Hub, w[1].Hub)),
		Wheels: [4]r3.Vec{w[0].Hub, w[1].Hub, w[2].Hub, w[3].Hub},
	}
}
