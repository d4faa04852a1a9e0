//go:build amd64 && !amd64.v3

package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/suspension"
	"rig.example/rig/test/level"
)

func TestEveryBarMirrors(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	cars := stiffest()
	cars["weak share"] = barred("stiffness", func(b *suspension.Bar) { b.Share = 0.1 })
	cars["soft force"] = barred("force", nil)
	cars["soft body"] = barred("force", onBody)
	for name, p := range cars {
		t.Run(name, func(t *testing.T) {
			c := newCar(t, p, Dt)
			left := c.Rest(r3.Vec{X: 1, Y: 2}, 0.3)
			left.Pos.Z, left.Rate.X = 0.8, 0.7 // lands on one side
			mirrorEachOther(t, c, c, left, level.Pick(0, 5000, 9000))
		})
	}
}
