//go:build amd64 && !amd64.v3

package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/sim/chassis"
)

func TestSurfacesMirror(t *testing.T) {
	end := []chassis.HeightPoint{{Height: 0.05, Factor: 2}, {Height: 0.2, Factor: 1}}
	c := winged(t, chassis.DefaultAir(),
		chassis.AeroSurface{X: -3, Y: 0.5, Z: 1, Drag: 0.21, Lift: -0.3},
		chassis.AeroSurface{X: 0.5, Y: -0.7, Z: 0.1, Lift: -0.33, RideHeight: end},
		chassis.AeroSurface{X: -1, Z: 0.3, DragArea: 0.6},
		chassis.AeroSurface{X: -3, Y: -0.5, Z: 1, Drag: 0.21, Lift: -0.3},
		chassis.AeroSurface{X: 0.5, Y: 0.7, Z: 0.1, Lift: -0.33, RideHeight: end},
	)
	mirrorEachOther(t, c, c, c.Rest(r3.Vec{X: 1, Y: 2}, 0.3), 13_000)
}
