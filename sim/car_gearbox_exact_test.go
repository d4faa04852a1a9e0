//go:build amd64 && !amd64.v3

package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/level"
)

func TestEveryGearboxMirrors(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, kind := range boxes() {
		t.Run(kind, func(t *testing.T) {
			p := boxed(kind)
			p.Driveline.FrontShare = 0.4
			c := newCar(t, p, Dt)
			mirrorEachOther(t, c, c, c.Rest(r3.Vec{X: 1, Y: 2}, 0.3), level.Pick(0, 10_000, 16_000))
		})
	}
}
