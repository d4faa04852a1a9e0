package chassis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/level"
	"rig.example/rig/test/solid"
)

// around returns n directions at random.
func around(n int) (list []r3.Vec) {
	dice := rand.New(rand.NewPCG(1, 2))
	for range n {
		list = append(list, r3.Unit(r3.Vec{X: dice.NormFloat64(), Y: dice.NormFloat64(), Z: dice.NormFloat64()}))
	}
	return list
}

// The margin is 40 mm; 64 vertices leave out up to 60 mm of a long ellipsoid.
func TestAFineMeshBecomesAFewVerticesAMarginInside(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, tt := range []struct {
		name   string
		points [][]float64
		most   int
		lack   float64 // [m]
	}{
		{"10 000 points", solid.Ellipsoid(10_000, false), 64, 0.10},
		{"10 000 points, the left like the right", solid.Ellipsoid(5_000, true), 64, 0.10},
		{"16 vertices", solid.Ellipsoid(5_000, true), 16, 0.30},
		{"few points", solid.Ellipsoid(40, false), 64, 0.12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := DefaultHull()
			h.Points, h.MaxVertices = tt.points, tt.most
			body, err := h.polytope()
			if err != nil {
				t.Fatal(err)
			}
			if n := len(body.vertices); n > tt.most {
				t.Errorf("%d vertices, want at most %d", n, tt.most)
			}
			mesh := sortedPoints(tt.points, 1)
			for _, n := range around(300) {
				_, outside := extent(mesh, n)
				_, got := extent(body.vertices, n)
				if lack := outside - got; lack < 0.04-1e-4 || lack > tt.lack {
					t.Errorf("towards %v it is %.4f m inside of the mesh", n, lack)
				}
			}
		})
	}
}

func TestABoxShrinksByTheMargin(t *testing.T) {
	h := DefaultHull()
	h.Points = append(solid.Box(r3.Vec{X: -3, Y: -0.8, Z: 0.2}, r3.Vec{X: 1, Y: 0.8, Z: 1.2}),
		[]float64{0, 0, 0.5}, []float64{1, 0, 0.5}, []float64{1, 0.8, 1.2}) // inside, on a face, twice
	body, err := h.polytope()
	if err != nil || len(body.vertices) != 8 || body.mirrorPairs != 8 {
		t.Fatalf("%v, %v", body, err)
	}
	for _, v := range body.vertices {
		x, y, z := math.Abs(v.X+1), math.Abs(v.Y), math.Abs(v.Z-0.7)
		if math.Abs(x-1.96) > 1e-8 || math.Abs(y-0.76) > 1e-8 || math.Abs(z-0.46) > 1e-8 {
			t.Errorf("corner at %v", v)
		}
	}
}

// Every shape that its mesh may have, also one of few digits with many points on
// each face.
func TestAnySolidFitsIntoItsMesh(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	solids, rounds := 0, level.Pick(50, 500, 500)
	for round := range rounds {
		grid := float64(int(1) << dice.IntN(10))
		coordinate := func(size float64) float64 { return size * math.Round(dice.Float64()*grid) / grid }
		h := DefaultHull()
		h.MaxVertices = 8 + dice.IntN(57)
		for range 4 + dice.IntN(60) {
			p := []float64{coordinate(4) - 3, coordinate(2) - 1, coordinate(1.3)}
			h.Points = append(h.Points, p)
			if round%2 == 0 {
				h.Points = append(h.Points, []float64{p[0], -p[1], p[2]})
			}
		}
		body, err := h.polytope()
		if err != nil {
			continue // flat, or thinner than twice the margin
		}
		solids++
		mesh := sortedPoints(h.Points, 1)
		for _, n := range around(10) {
			_, outside := extent(mesh, n)
			if _, got := extent(body.vertices, n); got > outside-h.Margin+1e-4 || len(body.vertices) > h.MaxVertices {
				t.Fatalf("round %d: %d vertices, %.4f m inside", round, len(body.vertices), outside-got)
			}
		}
	}
	if solids < rounds*3/5 {
		t.Errorf("only %d solids", solids)
	}
}

func TestAMeshAndItsMirrorImageLeaveMirrorImages(t *testing.T) {
	for _, tt := range []struct {
		name     string
		mirrored bool
	}{{"lopsided", false}, {"the left like the right", true}} {
		t.Run(tt.name, func(t *testing.T) {
			h := DefaultHull()
			h.Points = solid.Ellipsoid(300, tt.mirrored)
			left, err := h.polytope()
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range h.Points {
				at[1] = -at[1]
			}
			rand.New(rand.NewPCG(1, 1)).Shuffle(len(h.Points), func(i, j int) { h.Points[i], h.Points[j] = h.Points[j], h.Points[i] })
			right, err := h.polytope()
			if err != nil {
				t.Fatal(err)
			}
			if tt.mirrored != slices.Equal(left.vertices, right.vertices) {
				t.Errorf("is the same as its mirror image: %t", !tt.mirrored)
			}
			for i, v := range right.vertices {
				if i < right.mirrorPairs {
					i ^= 1
				}
				if left.vertices[i] != mirror(v) {
					t.Fatalf("vertex %d at %v, mirrored at %v", i, left.vertices[i], v)
				}
			}
		})
	}
}
