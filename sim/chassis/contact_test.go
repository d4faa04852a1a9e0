package chassis

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
	"rig.example/rig/test/near"
	"rig.example/rig/test/solid"
)

func TestAnEdgeIsAsDeepAsTheNearestFace(t *testing.T) {
	k := polytope{vertices: sorted(solid.Box(r3.Vec{X: -2, Y: -1, Z: -0.5}, r3.Vec{X: 2, Y: 1, Z: 0.5}), 1)}
	k.faces = k.planes()
	sh := shell{polytope: k}
	for _, tt := range []struct {
		name       string
		q, up      r3.Vec
		top        float64
		at, normal r3.Vec
		depth      float64
	}{
		{"in the left side", r3.Vec{X: 0.5, Y: 0.9, Z: 3}, r3.Vec{Z: 1}, 9, r3.Vec{X: 0.5, Y: 0.9}, r3.Vec{Y: 1}, 0.1},
		{"in the nose", r3.Vec{X: 1.7, Z: 3}, r3.Vec{Z: 1}, 9, r3.Vec{X: 1.7}, r3.Vec{X: 1}, 0.3},
		{"its top in the floor", r3.Vec{}, r3.Vec{Z: 1}, -0.4, r3.Vec{Z: -0.45}, r3.Vec{Z: -1}, 0.05},
		{"below the floor", r3.Vec{}, r3.Vec{Z: 1}, -0.6, r3.Vec{}, r3.Vec{}, 0},
		{"beside it", r3.Vec{Y: 1.1}, r3.Vec{Z: 1}, 9, r3.Vec{}, r3.Vec{}, 0},
		{"of a car on its side", r3.Vec{X: 1.9, Y: 7}, r3.Vec{Y: -1}, 20, r3.Vec{X: 1.9}, r3.Vec{X: 1}, 0.1},
	} {
		at, normal, depth := sh.pierced(tt.q, tt.up, tt.top)
		near.Value(t, tt.name, depth, tt.depth, 1e-12)
		if depth > 0 && (r3.Norm(r3.Sub(at, tt.at)) > 1e-12 || r3.Norm(r3.Sub(normal, tt.normal)) > 1e-12) {
			t.Errorf("%s: at %v, face %v", tt.name, at, normal)
		}
	}
}

func TestNoCornerOfALopsidedBodyIsMissed(t *testing.T) {
	k := coupe()
	k.CGLeft = 0.3
	c := built(t, k, road.Asphalt())
	for roll := -3.1; roll < 3.1; roll += 0.1 {
		s := State{Att: rolled(roll)}
		b, low := AxesOf(s.Att), math.Inf(1)
		for _, at := range c.Corners() {
			low = min(low, b.Out(at).Z)
		}
		s.Pos.Z = -low - 0.001
		if c.clear(&s, b) {
			t.Errorf("rolled by %.1f rad: a corner in the ground is not seen", roll)
		}
	}
}

func TestNoCornerInARampOrBehindACrestIsMissed(t *testing.T) {
	for _, rise := range []float64{0.5, 0.2, -0.5} {
		ground := solid.Wedge(rise)
		c := built(t, coupe(), ground)
		hits, spared := 0, 0
		for x := -6.0; x < 6; x += 0.05 {
			for roll := -3.1; roll < 3.1; roll += 0.31 {
				s := State{Pos: r3.Vec{X: x, Z: 0.7}, Att: rolled(roll)}
				b, in := AxesOf(s.Att), false
				for _, at := range c.Corners() {
					in = in || ground.Touch(r3.Add(s.Pos, b.Out(at))).Depth > 0
				}
				clear := c.clear(&s, b)
				if in && clear {
					t.Fatalf("rise %g: at %.2f m, rolled by %.1f rad a corner in the ground is not seen", rise, x, roll)
				}
				if in {
					hits++
				}
				if clear {
					spared++
				}
			}
		}
		if hits == 0 || spared == 0 {
			t.Errorf("rise %g: %d in the ground, %d clear", rise, hits, spared)
		}
	}
}
