//go:build amd64 && !amd64.v3

package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestSwingingAxlesMirror(t *testing.T) {
	c := newCar(t, swinging(), Dt)
	left := c.Rest(r3.Vec{X: 1, Y: 2}, 0.3)
	left.Pos.Z, left.Rate.X = 0.8, 0.7 // lands on one side
	left.Joints[0].Shift = 0.03
	mirrorEachOther(t, c, c, left, 9000)
}
