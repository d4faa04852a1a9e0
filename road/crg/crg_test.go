package crg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// arc is a road of 3 m that turns by the same angle [rad] at each of n steps
// [m], with constant banking and slope.
func arc(format string, turn float64, n int, step, bank, slope float64) fileText {
	c := fileText{
		road: fmt.Sprintf("REFERENCE_LINE_INCREMENT = %g", step), format: format,
		channels: []string{"reference line phi,rad", "reference line banking,m/m", "reference line slope,m/m"},
	}
	for j := range 3 {
		c.channels = append(c.channels, fmt.Sprintf("long section at v = %g,m", 1.5*float64(j-1)))
	}
	for i := range n + 1 {
		c.rows = append(c.rows, []float64{math.Remainder(turn*float64(i), 2*math.Pi), bank, slope, 0, 0, 0})
	}
	return c
}

// example is the reference line of the standard's example handmade_curved_banked_sloped.crg,
// whose direction, banking and slope rise to 0.11 and fall again.
func example(channels ...string) fileText {
	c := fileText{road: "REFERENCE_LINE_INCREMENT = 1.0\nREFERENCE_LINE_END_U = 22\nREFERENCE_LINE_START_U = 0", format: "LRFI"}
	for _, name := range channels {
		c.channels = append(c.channels, "reference line "+name)
	}
	for _, v := range [...]float64{-1.5, -1.25, -1, 0, 1, 1.25, 1.5} {
		c.channels = append(c.channels, fmt.Sprintf("long section at v = %6.3f,m", v))
	}
	for i := range 23 {
		row := make([]float64, len(c.channels))
		for k := range channels {
			row[k] = 0.011 * max(float64(min(i-1, 22-i)), 0)
		}
		c.rows = append(c.rows, row)
	}
	return c
}

// The standard's own tool (ASAM OpenCRG C-API 1.2, modifiers off) gives these
// places for its example files, where their grid has height 0.
func TestKnownPoints(t *testing.T) {
	all := example("phi,rad", "banking,m/m", "slope,m/m")
	circle := arc("LRFI", 0.25, 24, 10, 0, 0)
	for i := 1; i < len(circle.rows); i++ { // handmade_circle.crg
		circle.rows[i][0] = math.Remainder(0.25*float64(i), 2*math.Pi)
		if i > 12 {
			circle.rows[i][0] = -3 + 0.25*float64(i-13)
		}
	}
	tests := []struct {
		name string
		file fileText
		u, v float64
		want r3.Vec
	}{
		{"curved", example("phi,rad"), 10.5, 0.5, r3.Vec{X: 10.4262225, Y: 1.0465691}},
		{"curved, right", example("phi,rad"), 12, -1.5, r3.Vec{X: 12.1271463, Y: -0.7777323}},
		{"curved, before", example("phi,rad"), -1, 0.3, r3.Vec{X: -1, Y: 0.3}},
		{"curved, behind", example("phi,rad"), 23, 0.3, r3.Vec{X: 22.9534459, Y: 1.5086585}},
		{"curved, beside", example("phi,rad"), 5, 3, r3.Vec{X: 4.8497436, Y: 3.1063485}},
		{"banked", example("banking,m/m"), 21.25, -1.2, r3.Vec{X: 21.25, Y: -1.2, Z: -0.0099}},
		{"banked, at the border", example("banking,m/m"), 12, -1.5, r3.Vec{X: 12, Y: -1.5, Z: -0.165}},
		{"sloped", example("slope,m/m"), 12, -1.5, r3.Vec{X: 12, Y: -1.5, Z: 0.715}},
		{"sloped, behind", example("slope,m/m"), 23, 0.3, r3.Vec{X: 23, Y: 0.3, Z: 1.21}},
		{"all", all, 21.25, -1.2, r3.Vec{X: 21.2083959, Y: 0.0086585, Z: 1.2001}},
		{"all, at the border", all, 12, -1.5, r3.Vec{X: 12.1271463, Y: -0.7777323, Z: 0.55}},
		{"all, at the end", all, 22, 1.4, r3.Vec{X: 21.9534459, Y: 2.6086585, Z: 1.21}},
		{"circle, half round", circle, 120, 0, r3.Vec{X: -4.3345928, Y: 79.8902856}},
		{"circle, right", circle, 60, -1, r3.Vec{X: 36.0518407, Y: 42.0187917}},
		{"circle, at the end", circle, 240, 1, r3.Vec{X: -8.4217817, Y: 0.9689124}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := tt.file.parse(t)
			got, ok := g.At(tt.u, tt.v)
			if !(r3.Norm(r3.Sub(got, tt.want)) < 1e-6) || !ok {
				t.Errorf("place %v, want %v", got, tt.want)
			}
			u, v := g.Locate(tt.want.X, tt.want.Y)
			near.Value(t, "u", u, tt.u, 1e-6)
			near.Value(t, "v", v, tt.v, 1e-6)
			near.Value(t, "height", g.Touch(tt.want).Point.Z, tt.want.Z, 1e-6)
		})
	}
	u, v := example("phi,rad").parse(t).Locate(15, 2)
	near.Value(t, "u from x and y", u, 15.1127137, 1e-6)
	near.Value(t, "v from x and y", v, 1.0173107, 1e-6)
}

// Chords of equal length and turn lie on a circle: their ends, and what is beside
// them, at radii that the half angle gives.
func TestOnACircle(t *testing.T) {
	const turn, step = 0.02, 0.5
	g := arc("LDFI", turn, 200, step, 0, 0).parse(t)
	sin, cos := math.Sincos(turn / 2)
	round := step / (2 * sin)
	ahead, left := along(turn), along(turn+math.Pi/2) // of the first chord
	middle := r3.Add(r3.Scale(step/2, ahead), r3.Scale(round*cos, left))
	for _, v := range [...]float64{-1.5, 0, 0.7, 5} {
		for _, k := range [...]float64{2, 77, 199} {
			p, _ := g.At(k*step, v)
			near.Value(t, "radius at a cut", math.Hypot(p.X-middle.X, p.Y-middle.Y), round-v/cos, 1e-9)
			p, _ = g.At((k-0.5)*step, v)
			near.Value(t, "radius between cuts", math.Hypot(p.X-middle.X, p.Y-middle.Y), round*cos-v, 1e-9)
		}
	}
}

// Place and Locate undo each other all over a winding road and beyond its ends.
func TestLocateUndoesPlace(t *testing.T) {
	g := winding(3000).parse(t)
	r := rand.New(rand.NewPCG(1, 2))
	_, end, _, _ := g.Extent()
	for range 5000 {
		u, v := -5+(end+10)*r.Float64(), -4+8*r.Float64()
		p, _ := g.At(u, v)
		gotU, gotV := g.Locate(p.X, p.Y)
		if !(math.Abs(gotU-u) < 1e-8 && math.Abs(gotV-v) < 1e-8) {
			t.Fatalf("u %.9g, v %.9g, want %.9g, %.9g", gotU, gotV, u, v)
		}
	}
}

// winding is a road of n steps of 0.25 m that never comes near itself, with bumps
// of some millimetres.
func winding(n int) fileText {
	c := fileText{road: "REFERENCE_LINE_INCREMENT = 0.25\nLONG_SECTION_V_INCREMENT = 0.5", format: "KDBI"}
	c.channels = []string{"reference line phi,rad", "reference line banking,m/m", "reference line slope,m/m"}
	for j := range 9 {
		c.channels = append(c.channels, fmt.Sprintf("long section %d,m", j+1))
	}
	for i := range n + 1 {
		s := 0.25 * float64(i)
		row := []float64{1.2 * math.Sin(s/40), 0.05 * math.Sin(s/30), 0.06 * math.Cos(s/50)}
		for j := range 9 {
			row = append(row, 0.004*math.Sin(s/2+0.3*float64(j)))
		}
		c.rows = append(c.rows, row)
	}
	return c
}

// The nearest piece is what trying all of them finds.
func TestTreeFindsTheNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range [...]int{2, 3, 9, 10, 17, 2000} {
		points := make([]point, n)
		for i := range points {
			points[i] = point{100 * r.Float64(), 100 * r.Float64()}
		}
		tree := newTree(points)
		for range 500 {
			p := point{-50 + 200*r.Float64(), -50 + 200*r.Float64()}
			_, want := leafNearestOfAll(points, p)
			i := tree.nearest(points, p)
			if got := away(points, i, p); got != want {
				t.Fatalf("%d points: piece %d is %g m² away, the nearest %g", n, i, got, want)
			}
		}
	}
}

func leafNearestOfAll(points []point, p point) (best int, minimum float64) {
	minimum = math.Inf(1)
	for i := range len(points) - 1 {
		if d := away(points, i, p); d < minimum {
			best, minimum = i, d
		}
	}
	return best, minimum
}

// away is the squared distance of p from piece i, by the piece's own axes.
func away(points []point, i int, p point) float64 {
	d := points[i+1].minus(points[i])
	fraction := min(max(d.dot(p.minus(points[i]))/d.dot(d), 0), 1)
	off := p.minus(points[i].plus(d.times(fraction)))
	return off.dot(off)
}

// A straight road with constant slope and banking is a plane.
func TestPlane(t *testing.T) {
	c := twoCuts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	c.road += "\nREFERENCE_LINE_START_S = 0.3\nREFERENCE_LINE_START_B = -0.2\nREFERENCE_LINE_START_PHI = 0.5\n" +
		"REFERENCE_LINE_START_X = 7\nREFERENCE_LINE_START_Y = -3\nREFERENCE_LINE_START_Z = 2"
	g := c.parse(t)
	ahead, left := r3.Vec{X: math.Cos(0.5), Y: math.Sin(0.5)}, r3.Vec{X: -math.Sin(0.5), Y: math.Cos(0.5)}
	normal := r3.Unit(r3.Add(r3.Vec{Z: 1}, r3.Add(r3.Scale(-0.3, ahead), r3.Scale(0.2, left))))
	p := r3.Add(r3.Vec{X: 7, Y: -3, Z: 2.5}, r3.Add(r3.Scale(2.2, ahead), r3.Scale(0.6, left)))
	got := g.Touch(p)
	nearVec(t, "normal", got.Normal, normal)
	nearVec(t, "point", got.Point, r3.Vec{X: p.X, Y: p.Y, Z: 2 + 0.3*2.2 - 0.2*0.6})
	near.Value(t, "depth", got.Depth, -(0.5-0.3*2.2+0.2*0.6)*normal.Z, 1e-12)
	if got.Surface != tire.Dry() {
		t.Errorf("surface %v", got.Surface)
	}
}

// A twist is what four heights make: z = u·v/10 for u of 0 to 2 and v of -1 to 1.
func TestSurfaceIsBilinear(t *testing.T) {
	g := twoCuts(0, 0, -0.1, 0.1, -0.2, 0.2).parse(t)
	for _, p := range [...]r3.Vec{{X: 0.3, Y: 0.4}, {X: 1.7, Y: -0.9}, {X: 1, Y: 1}, {X: 2, Y: -1}} {
		c := g.Touch(p)
		near.Value(t, "height", c.Point.Z, p.X*p.Y/10, 1e-8) // heights are kept in single precision
		nearVec7(t, "normal", c.Normal, r3.Unit(r3.Vec{X: -p.Y / 10, Y: -p.X / 10, Z: 1}))
	}
}

func nearVec7(t *testing.T, what string, got, want r3.Vec) {
	t.Helper()
	if !(r3.Norm(r3.Sub(got, want)) <= 1e-7) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// Normals go over into each other: they do not jump at the grid's lines nor at
// the cuts across a bend.
func TestNormalsAreSmooth(t *testing.T) {
	const step = 1e-4
	g := winding(400).parse(t)
	at := func(u float64) r3.Vec {
		p, _ := g.At(u, 0.6+0.3*math.Sin(u))
		return g.Touch(p).Normal
	}
	last := at(1)
	for i := range 100_000 {
		u := 1 + step*float64(i)
		n := at(u)
		// The bumps alone turn it by 1e-3 rad/m.
		if d := r3.Norm(r3.Sub(n, last)); d > 3e-6 {
			t.Fatalf("at u = %g the normal jumps by %g", u, d)
		}
		last = n
	}
}

// On a gentle road the normal is that of the surface, as far as the steps resolve it.
func TestNormalIsTheSurfaces(t *testing.T) {
	const h = 0.05
	g := winding(2000).parse(t)
	for u := 20.0; u < 480; u += 7.3 {
		p, _ := g.At(u, 0.9*math.Sin(u))
		z := func(dx, dy float64) float64 { return g.Touch(r3.Vec{X: p.X + dx, Y: p.Y + dy}).Point.Z }
		want := r3.Unit(r3.Vec{X: -(z(h, 0) - z(-h, 0)) / (2 * h), Y: -(z(0, h) - z(0, -h)) / (2 * h), Z: 1})
		if d := r3.Norm(r3.Sub(g.Touch(p).Normal, want)); d > 1e-3 {
			t.Errorf("at u = %g the normal is off by %g", u, d)
		}
	}
}

// Over a bend to the left with a constant slope the inner side rises faster.
func TestSlopeOnABend(t *testing.T) {
	const turn, step, slope = 0.02, 0.5, 0.1
	g := arc("LDFI", turn, 200, step, 0, slope).parse(t)
	round := step / (2 * math.Tan(turn/2)) // of the chords' middles
	for _, v := range [...]float64{-1.5, 0, 1.5} {
		p, _ := g.At(20.25, v)
		n := g.Touch(p).Normal
		near.Value(t, "slope", math.Hypot(n.X, n.Y)/n.Z, slope*round/(round-v), 1e-9)
	}
}

func TestTouchesEverywhere(t *testing.T) {
	kept := twoCuts(0, math.NaN(), 0, math.NaN(), 0, 0, 0, 0)
	kept.mods, kept.opts = "-", "BORDER_MODE_U = 0"
	g := kept.parse(t)
	bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e9, 0, 1.5, 2.5}
	for _, x := range bad {
		for _, y := range bad {
			for _, z := range bad {
				soundContact(t, g, r3.Vec{X: x, Y: y, Z: z})
			}
		}
	}
	p := r3.Vec{X: 0.5, Y: 0.5, Z: -20}
	want := road.Contact{Point: r3.Vec{X: 0.5, Y: 0.5, Z: -1020}, Normal: r3.Vec{Z: 1}, Depth: -1000, Surface: tire.Dry()}
	if got := g.Touch(p); got != want {
		t.Errorf("in a hole: %+v, want %+v", got, want)
	}
	near.Value(t, "beside the hole", g.Touch(r3.Vec{X: 2.5, Z: 0.1}).Depth, -0.1, 0)
	near.Value(t, "before the road", g.Touch(r3.Vec{X: -0.1}).Depth, -1000, 0)
	near.Value(t, "on its first line", g.Touch(r3.Vec{X: 3}).Depth, 0, 0)
}

func TestTouchAllocatesNothing(t *testing.T) {
	g := winding(1000).parse(t)
	x := 0.0
	if n := testing.AllocsPerRun(1000, func() {
		x += 0.2
		_ = g.Touch(r3.Vec{X: x, Y: 3})
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkTouch(b *testing.B) {
	for _, n := range [...]int{1000, 100_000} {
		g := winding(n).parse(b)
		_, end, _, _ := g.Extent()
		var at [1024]r3.Vec
		r := rand.New(rand.NewPCG(5, 6))
		for i := range at {
			at[i], _ = g.At(end*r.Float64(), -2+4*r.Float64())
		}
		b.Run(fmt.Sprintf("anywhere on %d points", 9*(n+1)), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				_ = g.Touch(at[i%len(at)])
			}
		})
		for i := range at {
			at[i], _ = g.At(end/2+0.03*float64(i/20), -0.8+1.6*float64(i%4/2)+0.05*float64(i%5))
		}
		b.Run(fmt.Sprintf("four wheels on %d points", 9*(n+1)), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				_ = g.Touch(at[i%len(at)])
			}
		})
	}
}

// A line that is wound up within a millimetre is as near to a place with all of its pieces.
func TestASearchOfAWoundLineEnds(t *testing.T) {
	const n = 200_000
	points := make([]point, n+1)
	for i := range n {
		points[i+1] = points[i].plus(direction(1.4 * float64(i)).times(1e-4))
	}
	tree := newTree(points)
	if _, visits := tree.search(points, point{3, 4}); visits != maxVisits {
		t.Errorf("%d leaves from far away, want %d", visits, maxVisits)
	}
	for i := range points { // a road of the same length is searched in a few
		points[i] = point{100 * math.Cos(float64(i)*1e-5), 100 * math.Sin(float64(i)*1e-5)}
	}
	tree = newTree(points)
	if _, visits := tree.search(points, point{95, 20}); visits > 100 {
		t.Errorf("%d leaves beside a road", visits)
	}
}

// Such a file is refused, for each tick searches its line.
func TestAWoundLineIsRefused(t *testing.T) {
	_, err := Parse(arc("KRBI", 1.4, 100_000, 1e-4, 0, 0).bytes(), "test.crg")
	if err == nil || !strings.Contains(err.Error(), "the reference line is wound up: ") {
		t.Error(err)
	}
	if _, err := Parse(arc("KRBI", 1e-4, 62_800, 0.01, 0, 0).bytes(), "test.crg"); err != nil { // a ring of 100 m
		t.Error(err)
	}
}
