package maneuver

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/test/near"
)

func newTest(t testing.TB, o Options) *run {
	t.Helper()
	o, err := o.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	tr, err := newRun(sim.DefaultCar(), road.Asphalt(), o)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestGrounds(t *testing.T) {
	both := bumpRoad{road.Asphalt(), 5, 0.4, 0.05, false}
	left := both
	left.leftOnly = true
	for _, tt := range []struct {
		name  string
		g     road.Ground
		p     r3.Vec
		depth float64
		n     r3.Vec
	}{
		{"before the bump", both, r3.Vec{X: 4.9, Z: 0.3}, -0.3, r3.Vec{Z: 1}},
		{"behind it", both, r3.Vec{X: 5.5, Z: 0.3}, -0.3, r3.Vec{Z: 1}},
		{"on its top", both, r3.Vec{X: 5.2, Y: -1, Z: 0.3}, -0.25, r3.Vec{Z: 1}},
		{"on its steepest, half way up", both, r3.Vec{X: 5.1, Z: 0.025}, 0, r3.Vec{X: -0.365525, Z: 0.930802}},
		{"left half, on the left", left, r3.Vec{X: 5.2, Y: 1, Z: 0}, 0.05, r3.Vec{Z: 1}},
		{"left half, on the right", left, r3.Vec{X: 5.2, Y: -1, Z: 0}, 0, r3.Vec{Z: 1}},
		{"30° hill, on it", newHill(math.Pi / 6), r3.Vec{X: math.Sqrt(3), Z: 1}, 0, r3.Vec{X: -0.5, Z: 0.8660254}},
		{"30° hill, above it", newHill(math.Pi / 6), r3.Vec{Z: 2}, -1.7320508, r3.Vec{X: -0.5, Z: 0.8660254}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.g.Touch(tt.p)
			near.Value(t, "depth", c.Depth, tt.depth, 1e-6)
			near.Value(t, "normal", r3.Norm(r3.Sub(c.Normal, tt.n)), 0, 1e-6)
			near.Value(t, "way to the point", r3.Norm(r3.Sub(r3.Sub(c.Point, tt.p), r3.Scale(c.Depth, c.Normal))), 0, 1e-12)
			if c.Surface != road.Asphalt().Surface {
				t.Error("another surface")
			}
		})
	}
}
