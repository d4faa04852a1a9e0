//go:build amd64 && !amd64.v3

package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestASteeringWithEverythingMirrors(t *testing.T) {
	c := newCar(t, steered(everything), Dt)
	mirrorEachOther(t, c, c, c.Rest(r3.Vec{X: 1, Y: 2}, 0.3), 16_000)
}
