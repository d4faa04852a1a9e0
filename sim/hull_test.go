package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// ellipsoid returns points spread over an ellipsoid as large as a car by the
// golden angle: n of them, or 2·n that mirror each other.
func ellipsoid(n int, mirrored bool) (points [][]float64) {
	for i := range n {
		z := 1 - 2*(float64(i)+0.5)/float64(n)
		sin, cos := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		r := math.Sqrt(1 - z*z)
		at := []float64{-1.3 + 2.2*r*cos, 0.9 * r * sin, 0.75 + 0.5*z}
		points = append(points, at)
		if mirrored {
			points = append(points, []float64{at[0], -at[1], at[2]})
		}
	}
	return points
}

// block returns the corners of a box from low to high.
func block(low, high r3.Vec) (points [][]float64) {
	for _, x := range []float64{low.X, high.X} {
		for _, y := range []float64{low.Y, high.Y} {
			for _, z := range []float64{low.Z, high.Z} {
				points = append(points, []float64{x, y, z})
			}
		}
	}
	return points
}

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
	level.NotQuick(t)
	t.Parallel()
	for _, tt := range []struct {
		name   string
		points [][]float64
		most   int
		lack   float64 // [m]
	}{
		{"10 000 points", ellipsoid(10_000, false), 64, 0.10},
		{"10 000 points, the left like the right", ellipsoid(5_000, true), 64, 0.10},
		{"16 vertices", ellipsoid(5_000, true), 16, 0.30},
		{"few points", ellipsoid(40, false), 64, 0.12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := DefaultHull()
			h.Points, h.MaxVertices = tt.points, tt.most
			body, err := h.solid()
			if err != nil {
				t.Fatal(err)
			}
			if n := len(body.vertices); n > tt.most {
				t.Errorf("%d vertices, want at most %d", n, tt.most)
			}
			mesh := sorted(tt.points, 1)
			for _, n := range around(300) {
				_, outside := span(mesh, n)
				_, got := span(body.vertices, n)
				if lack := outside - got; lack < 0.04-1e-4 || lack > tt.lack {
					t.Errorf("towards %v it is %.4f m inside of the mesh", n, lack)
				}
			}
		})
	}
}

func TestABoxShrinksByTheMargin(t *testing.T) {
	h := DefaultHull()
	h.Points = append(block(r3.Vec{X: -3, Y: -0.8, Z: 0.2}, r3.Vec{X: 1, Y: 0.8, Z: 1.2}),
		[]float64{0, 0, 0.5}, []float64{1, 0, 0.5}, []float64{1, 0.8, 1.2}) // inside, on a face, twice
	body, err := h.solid()
	if err != nil || len(body.vertices) != 8 || body.pairs != 8 {
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
		body, err := h.solid()
		if err != nil {
			continue // flat, or thinner than twice the margin
		}
		solids++
		mesh := sorted(h.Points, 1)
		for _, n := range around(10) {
			_, outside := span(mesh, n)
			if _, got := span(body.vertices, n); got > outside-h.Margin+1e-4 || len(body.vertices) > h.MaxVertices {
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
			h.Points = ellipsoid(300, tt.mirrored)
			left, err := h.solid()
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range h.Points {
				at[1] = -at[1]
			}
			rand.New(rand.NewPCG(1, 1)).Shuffle(len(h.Points), func(i, j int) { h.Points[i], h.Points[j] = h.Points[j], h.Points[i] })
			right, err := h.solid()
			if err != nil {
				t.Fatal(err)
			}
			if tt.mirrored != slices.Equal(left.vertices, right.vertices) {
				t.Errorf("is the same as its mirror image: %t", !tt.mirrored)
			}
			for i, v := range right.vertices {
				if i < right.pairs {
					i ^= 1
				}
				if left.vertices[i] != mirror(v) {
					t.Fatalf("vertex %d at %v, mirrored at %v", i, left.vertices[i], v)
				}
			}
		})
	}
}

func TestTheBoxIsThatOfTheBodysSize(t *testing.T) {
	c := coupe(t)
	i := 0
	for _, z := range []float64{0.81, -0.21} { // 1.33 m and the hubs' 0.31 m above the ground
		for _, x := range []float64{2.17, -2.23} {
			for _, y := range []float64{0.895, -0.895} {
				got := c.body.vertices[i]
				near.Value(t, "corner", r3.Norm(r3.Sub(got, r3.Vec{X: x, Y: y, Z: z})), 0, 1e-12)
				i++
			}
		}
	}
	near.Value(t, "rate of a corner", c.body.rate, 500*1500, 0)
}

func TestBadHullsSayWhy(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Hull)
		want   string
	}{
		{"three points", func(h *Hull) { h.Points = h.Points[:3] }, "hull.number of points_m = 3: allowed is 4 to 100000"},
		{"two coordinates", func(h *Hull) { h.Points[2] = []float64{1, 2} }, "hull.points_m[2] has 2 values: give three, [x, y, z]"},
		{"millimetres", func(h *Hull) { h.Points[1] = []float64{0, 900, 0} }, "hull.points_m[1][1] = 900: allowed is -3 to 3"},
		{"not a number", func(h *Hull) { h.Points[0][2] = math.NaN() }, "hull.points_m[0][2] = NaN"},
		{"flat", func(h *Hull) {
			for _, at := range h.Points {
				at[2] = 0.3*at[0] + 1
			}
		}, "hull.points_m lie in one plane"},
		{"in a line", func(h *Hull) { h.Points = [][]float64{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}} }, "hull.points_m lie in one plane"},
		{"one place", func(h *Hull) { h.Points = [][]float64{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}} }, "hull.points_m lie in one plane"},
		{"all margin", func(h *Hull) { h.Margin = 0.5 }, "hull.margin_m = 0.5 leaves nothing of the body"},
		{"too many vertices", func(h *Hull) { h.MaxVertices = 65 }, "hull.max_vertices = 65: allowed is 8 to 64"},
		{"rubber", func(h *Hull) { h.Restitution = 1.1 }, "hull.restitution = 1.1"},
		{"glue", func(h *Hull) { h.Friction = -1 }, "hull.friction = -1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := DefaultCar()
			p.Hull.Points = block(r3.Vec{X: -3, Y: -0.8, Z: 0.3}, r3.Vec{X: 1, Y: 0.8, Z: 1.2})
			tt.change(&p.Hull)
			if _, err := New(p, road.Asphalt(), Dt); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
