//go:build amd64 && !amd64.v3

package suspension

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/testground"
)

func TestFootingsMirror(t *testing.T) {
	grounds := []struct{ left, right road.Ground }{
		{road.Asphalt(), road.Asphalt()},
		{kerbAcross(), kerbAcross()},
		{sightedKerb{}, sightedKerb{}},
		{testground.NewKerb(1.1, 0.05, 0.5, 0.07, tire.Dry()), testground.NewKerb(-1.1, 0.05, 0.5, 0.07, tire.Dry())},
		{testground.NewKerb(1.5, 0, 0.1, 0.03, tire.Dry()), testground.NewKerb(-1.5, 0, 0.1, 0.03, tire.Dry())},
		{testground.NewBump(0.6, 0, 0.5, 0.08, tire.Dry()), testground.NewBump(-0.6, 0, 0.5, 0.08, tire.Dry())},
		{testground.NewPlane(0.2, 0.8, tire.Dry()), testground.NewPlane(0.2, -0.8, tire.Dry())},
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, kind := range []string{"ray", "rays", "sweep"} {
		f := footingOf(t, kind)
		for i := range level.Pick(7_000, 70_000, 70_000) {
			g := grounds[i%len(grounds)]
			hub := r3.Vec{X: r.NormFloat64() / 5, Y: r.NormFloat64() / 5, Z: 0.2 + 0.2*r.Float64()}
			axle := axleAt(r.NormFloat64(), r.NormFloat64()/5)
			left := f.touch(g.left, hub, axle, wheelRadius)
			hub.Y = -hub.Y
			right := f.touch(g.right, hub, r3.Vec{X: -axle.X, Y: axle.Y, Z: -axle.Z}, wheelRadius)
			right.Point.Y, right.Normal.Y = -right.Point.Y, -right.Normal.Y
			if left != right { // -0 equals 0
				t.Fatalf("%s, %+v, hub %v, axle %v:\n%+v\n%+v", kind, g.left, hub, axle, left, right)
			}
		}
	}
}
