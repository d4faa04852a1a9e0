//go:build amd64 && !amd64.v3

package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/level"
)

func TestAllRunningGearMirrors(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	cars := map[string]Params{"everything": allGear()}
	past := allGear()
	past.Front.Kinematics.ApplyForceDirectly, past.Rear.Kinematics.ForceHeight = true, 0.2
	cars["forces past the links"] = past
	cars["soft links"] = yielding(allGear())
	dry := yielding(allGear())
	dry.Front.Tire.Model, dry.Rear.Tire.Model = "coulomb", "curve"
	dry.Front.UnsprungMass, dry.Front.BarRate = 0, -7e3
	cars["dry friction"] = dry
	for name, p := range cars {
		t.Run(name, func(t *testing.T) {
			c := newCar(t, p, Dt)
			left := c.Rest(r3.Vec{X: 1, Y: 2}, 0.3)
			left.Pos.Z, left.Rate.X = 1.2, 0.7 // lands on one side
			mirrorEachOther(t, c, c, left, level.Pick(0, 10_000, 16_000))
		})
	}
}
