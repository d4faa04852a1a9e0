//go:build amd64 && !amd64.v3

package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestSurfacesMirror(t *testing.T) {
	end := []HeightPoint{{0.05, 2}, {0.2, 1}}
	c := winged(t, DefaultAir(),
		AeroSurface{X: -3, Y: 0.5, Z: 1, Drag: 0.21, Lift: -0.3},
		AeroSurface{X: 0.5, Y: -0.7, Z: 0.1, Lift: -0.33, RideHeight: end},
		AeroSurface{X: -1, Z: 0.3, DragArea: 0.6},
		AeroSurface{X: -3, Y: -0.5, Z: 1, Drag: 0.21, Lift: -0.3},
		AeroSurface{X: 0.5, Y: 0.7, Z: 0.1, Lift: -0.33, RideHeight: end},
	)
	mirrorEachOther(t, c, c, c.Rest(r3.Vec{X: 1, Y: 2}, 0.3), 13_000)
}
