package mesh

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

func TestBuildSaysWhatIsWrong(t *testing.T) {
	good := func() Triangles { return sheet(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0) }
	tests := []struct {
		name    string
		invalid func(t *Triangles, o *Options)
		want    string
	}{
		{"nothing", func(t *Triangles, _ *Options) { *t = Triangles{} }, "mesh: no triangles"},
		{"part of a triangle", func(t *Triangles, _ *Options) { t.Indices = t.Indices[:5] }, "mesh: 5 indices: must be three per triangle"},
		{"part of a vertex", func(t *Triangles, _ *Options) { t.Positions = t.Positions[:11] }, "mesh: 11 coordinates: must be three per vertex"},
		{"index", func(t *Triangles, _ *Options) { t.Indices[4] = 9 }, "mesh: triangle 1: vertex 9 of 4"},
		{"NaN", func(t *Triangles, _ *Options) { t.Positions[7] = math.NaN() }, "mesh: vertex 2: y is NaN m"},
		{"infinite", func(t *Triangles, _ *Options) { t.Positions[9] = math.Inf(-1) }, "mesh: vertex 3: x is -Inf m"},
		{"far away", func(t *Triangles, _ *Options) { t.Positions[2] = 1e9 }, "mesh: vertex 0: z is 1e+09 m: must be within ±1e+08 m"},
		{"large", func(t *Triangles, _ *Options) { t.Positions[3] = 2e6 }, "mesh: vertex 1 is 2e+06 m along x from the lowest"},
		{"materials", func(t *Triangles, _ *Options) { t.Materials = make([]uint8, 3) }, "mesh: 3 materials for 2 triangles"},
		{"no area", func(t *Triangles, _ *Options) { t.Positions = make([]float64, 12) }, "mesh: none of 2 triangles has an area"},
		{"crease", func(_ *Triangles, o *Options) { o.Crease = 2 }, "mesh: crease angle of 2 rad: must be 0 to π/2"},
		{"bulge", func(_ *Triangles, o *Options) { o.Bulge = math.NaN() }, "bulge of NaN m: must be 0.0001 to 10"},
	}
	for _, tt := range tests {
		tr, o := good(), DefaultOptions()
		tt.invalid(&tr, &o)
		if _, err := Build(tr, o, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestTrianglesWithoutAreaAreDropped(t *testing.T) {
	tr := sheet(0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 4, 0)
	tr.Positions = append(tr.Positions, 0, 0, 0, 2, 0, 0)
	tr.Indices = append(tr.Indices, 0, 0, 1, 0, 1, 5, 0, 4, 2)
	m := build(t, tr, DefaultOptions())
	if m.TriangleCount() != 2 || m.Dropped() != 3 || len(m.vertices) != 4 {
		t.Errorf("%d triangles on %d vertices, %d dropped, want 2, 4 and 3", m.TriangleCount(), len(m.vertices), m.Dropped())
	}
	low, high := m.Bounds()
	if low != (r3.Vec{}) || high != (r3.Vec{X: 4, Y: 4}) {
		t.Errorf("bounds %v and %v", low, high)
	}
}

func TestMaterialsCountInThePavement(t *testing.T) {
	tr := joined(sheet(0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 4, 0), sheet(4, 0, 0, 8, 0, 0, 8, 4, 0, 4, 4, 0))
	tr.Materials = []uint8{0, 0, 1, 7}
	m := build(t, tr, DefaultOptions())
	ice, _ := tire.SurfaceNamed("ice")
	m.SetSurfaces([]road.Surface{{Tire: tire.Dry()}, {Tire: ice}})
	for _, tt := range []struct {
		x, y     float64
		material uint8
		surface  tire.Surface
	}{{1, 1, 0, tire.Dry()}, {7, 1, 1, ice}, {5, 3, 7, tire.Dry()}} {
		c := m.Touch(r3.Vec{X: tt.x, Y: tt.y, Z: 1})
		h, _ := m.Ray(r3.Vec{X: tt.x, Y: tt.y, Z: 1}, r3.Vec{Z: -1}, 2)
		if c.Material != tt.material || c.Surface != tt.surface || h.Material != tt.material || h.Surface != tt.surface {
			t.Errorf("at %g, %g: %+v, %+v", tt.x, tt.y, c, h)
		}
	}
	if len(road.SurfacesOf(m)) != 2 {
		t.Error("the mesh does not tell its surfaces")
	}
}

// bend is a road that bends about the origin and goes up and down, with a kerb
// inside, whose face rises at 45°.
func bend(n int) Triangles {
	var t Triangles
	rows := []struct{ r, z float64 }{{20, 0.1}, {20.5, 0.1}, {20.6, 0}, {22, 0}, {24, 0.05}}
	for i := range n + 1 {
		a := float64(i) * 2 / float64(n)
		sin, cos := math.Sincos(a)
		for _, r := range rows {
			t.Positions = append(t.Positions, r.r*cos, r.r*sin, r.z+math.Sin(3*a))
		}
	}
	w := uint32(len(rows))
	for i := range uint32(n) {
		for k := range w - 1 {
			a := i*w + k
			t.Indices = append(t.Indices, a, a+1, a+w, a+1, a+w+1, a+w)
		}
	}
	return t
}

// Along the edges of a kerb in a bend the ground has a kink of 45°, and no step.
func TestCreasesKeepTheirKinkWithoutAStep(t *testing.T) {
	m := build(t, bend(80), DefaultOptions())
	creases, step := 0, 0.0
	for i := range m.corners {
		for k := range 3 {
			if m.flags[i].edge(k) != edgeCrease {
				continue
			}
			creases++
			p, q, o := m.corner(i, k), m.corner(i, (k+1)%3), m.corner(i, (k+2)%3)
			for _, s := range []float64{0.1, 0.35, 0.8} {
				at := r3.Add(m.origin, r3.Add(r3.Scale(1-s, p), r3.Scale(s, q)))
				in := r3.Scale(1e-8, r3.Sub(o, p))
				z, n := heightAt(t, m, at.X+in.X, at.Y+in.Y)
				y, l := heightAt(t, m, at.X-in.X, at.Y-in.Y)
				step = max(step, math.Abs(z-y))
				near.Value(t, "kink", math.Acos(r3.Dot(n, l)), math.Pi/4, 0.1)
			}
		}
	}
	t.Logf("%d creases, heights differ by %.2g m", creases, step)
	if creases != 4*80 || step > 1e-7 {
		t.Errorf("%d creases, want 320; a step of %g m", creases, step)
	}
}

// A flat road before a ramp stays flat where its triangles are long: to round the
// edge would dig a hole of 0.3 m.
func TestLongTrianglesKeepARampsEdge(t *testing.T) {
	m := build(t, sheet2(-20, 0, 20, 4), DefaultOptions())
	for x := -19.0; x < 20; x++ {
		z, _ := heightAt(t, m, x, 0.5)
		near.Value(t, "height", z, max(0, 0.2*x), 1e-6)
	}
}

// sheet2 is a road from low to mid, level, and on to high, up by rise.
func sheet2(low, mid, high, rise float64) Triangles {
	return joined(sheet(low, -3, 0, mid, -3, 0, mid, 3, 0, low, 3, 0), sheet(mid, -3, 0, high, -3, rise, high, 3, rise, mid, 3, 0))
}

// Edges around a tip stay straight where they are many.
func TestFansOfManyTriangles(t *testing.T) {
	for _, n := range []int{30, 64, 65, 500} {
		tr := Triangles{Positions: []float64{0, 0, 0.1}}
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			tr.Positions = append(tr.Positions, 5*cos, 5*sin, 0)
			tr.Indices = append(tr.Indices, 0, uint32(1+i), uint32(1+(i+1)%n))
		}
		m := build(t, tr, DefaultOptions())
		r := rand.New(rand.NewPCG(1, uint64(n)))
		for range 1000 {
			x, y := 3*(r.Float64()-0.5), 3*(r.Float64()-0.5)
			z, _ := heightAt(t, m, x, y)
			near.Value(t, "height", z, 0.1-0.02*math.Hypot(x, y), 0.03)
		}
	}
}

// FuzzBuild makes triangles of anything.
func FuzzBuild(f *testing.F) {
	f.Add([]byte{0, 0, 0, 9, 0, 0, 0, 9, 0, 9, 9, 0}, uint8(0))
	f.Add([]byte{0, 0, 0, 9, 0, 0, 18, 0, 1, 200, 200, 200, 4, 4, 4}, uint8(1))
	f.Add(binary.LittleEndian.AppendUint64(nil, math.Float64bits(1e300)), uint8(7))
	f.Fuzz(func(t *testing.T, data []byte, kind uint8) {
		tr, o := fuzzed(data, kind)
		m, err := Build(tr, o, nil)
		if err != nil {
			return
		}
		for _, p := range []r3.Vec{{}, {X: 0.01, Z: 0.3}, {Y: -2, Z: -1}} {
			finiteQueries(t, m, p, r3.Vec{X: 0.1, Y: -0.2, Z: -1})
			finiteQueries(t, m, p, r3.Vec{X: -1})
		}
		data = saved(t, m)
		if _, err := Load(data, nil); err != nil {
			t.Fatalf("what was saved does not load: %v", err)
		}
	})
}

// fuzzed takes a coordinate of every byte, or of every four or eight.
func fuzzed(data []byte, kind uint8) (tr Triangles, o Options) {
	o = DefaultOptions()
	o.TwoSided = kind&1 != 0
	o.Smooth = kind&8 == 0
	size := []int{1, 1, 4, 8}[kind>>1&3]
	for ; len(data) >= size && len(tr.Positions) < 600; data = data[size:] {
		x := float64(data[0]) / 16
		switch size {
		case 4:
			x = float64(math.Float32frombits(byteOrder.Uint32(data)))
		case 8:
			x = math.Float64frombits(byteOrder.Uint64(data))
		}
		tr.Positions = append(tr.Positions, x)
	}
	tr.Positions = tr.Positions[:len(tr.Positions)/3*3]
	n := uint32(len(tr.Positions) / 3)
	for i := range n { // a strip, and triangles with corners far apart
		tr.Indices = append(tr.Indices, i, (i+1)%n, (i+2)%n, i, (i*7+3)%n, (i*5+1)%n)
	}
	return tr, o
}
