package mesh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// heightAt is the surface below a place high above it.
func heightAt(t testing.TB, m *Mesh, x, y float64) (z float64, n r3.Vec) {
	t.Helper()
	const sky = 500
	c := m.Touch(r3.Vec{X: x, Y: y, Z: sky})
	if c.Depth == -road.NoGroundDepth {
		t.Fatalf("no ground at %g, %g", x, y)
	}
	return sky + c.Depth/c.Normal.Z, c.Normal
}

func TestALevelMeshIsExactlyLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, slope := range []float64{0, 0.25} {
		m := build(t, terrain(20, 30, 1.7, func(x, y float64) float64 { return 0 }), DefaultOptions())
		if slope != 0 {
			m = build(t, terrain(20, 30, 2, func(x, y float64) float64 { return 0.25 * x }), DefaultOptions())
		}
		for range 10_000 {
			x, y := 30*(r.Float64()-0.5), 40*(r.Float64()-0.5)
			p := r3.Vec{X: x, Y: y, Z: slope*x + 0.3*r.NormFloat64()}
			c := m.Touch(p)
			length := math.Sqrt(1 + slope*slope)
			near.Value(t, "depth", c.Depth, (slope*x-p.Z)/length, 4e-15)
			if c.Normal != (r3.Vec{X: -slope / length, Z: 1 / length}) {
				t.Fatalf("at %v the normal is %v", p, c.Normal)
			}
		}
	}
}

// A quadratic height is exact where the slopes at the corners are.
func TestAPatchIsExactForQuadratics(t *testing.T) {
	f := func(x, y float64) (float64, slope) {
		return 0.3*x*x - 0.2*x*y + 0.1*y*y + x - 2*y + 3, slope{0.6*x - 0.2*y + 1, -0.2*x + 0.2*y - 2}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		var p smoothTriangle
		for k := range 3 {
			x, y := r.NormFloat64(), r.NormFloat64()
			z, s := f(x, y)
			p.corners[k], p.slopes[k] = r3.Vec{X: x, Y: y, Z: z}, s
		}
		w := [3]float64{r.Float64(), r.Float64(), 0}
		if w[0]+w[1] > 1 {
			w[0], w[1] = 1-w[0], 1-w[1]
		}
		w[2] = 1 - w[0] - w[1]
		x := w[0]*p.corners[0].X + w[1]*p.corners[1].X + w[2]*p.corners[2].X
		y := w[0]*p.corners[0].Y + w[1]*p.corners[1].Y + w[2]*p.corners[2].Y
		z, s := p.heightAt(w)
		want, slope := f(x, y)
		near.Value(t, "height", z, want, 1e-9)
		near.Value(t, "slope along x", s.x, slope.x, 1e-7)
		near.Value(t, "slope along y", s.y, slope.y, 1e-7)
	}
}

// The slopes of a cubic surface are those of its heights.
func TestSlopesAreThoseOfTheHeights(t *testing.T) {
	m := build(t, terrain(40, 40, 1, hills), DefaultOptions())
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		x, y := 38*(r.Float64()-0.5), 38*(r.Float64()-0.5)
		_, n := heightAt(t, m, x, y)
		const d = 1e-5
		a, _ := heightAt(t, m, x-d, y)
		b, _ := heightAt(t, m, x+d, y)
		near.Value(t, fmt.Sprintf("slope at %g, %g", x, y), -n.X/n.Z, (b-a)/(2*d), 3e-6)
	}
}

func circle(radius float64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return math.Sqrt(radius*radius-x*x) - radius }
}

// crooked moves the inner vertices of a terrain of nx·ny squares about, on it.
func crooked(t Triangles, nx, ny int, distance float64, height func(x, y float64) float64) Triangles {
	r := rand.New(rand.NewPCG(7, 7))
	for i := range len(t.Positions) / 3 {
		p := t.Positions[3*i:]
		if ix, iy := i%(nx+1), i/(nx+1); ix > 0 && iy > 0 && ix < nx && iy < ny {
			p[0] += distance * (r.Float64() - 0.5)
			p[1] += distance * (r.Float64() - 0.5)
			p[2] = height(p[0], p[1])
		}
	}
	return t
}

// A point drives over a crest of 500 m radius at 50 m/s, a tick of 1 ms at a time:
// it falls with v²/R = 5 m/s², and never by much more. A flat mesh would give
// spikes of 200 m/s².
func TestACrestDoesNotRattle(t *testing.T) {
	const radius, v, dt = 500, 50, 1e-3
	tests := []struct {
		name                string
		distance            float64
		worst, spread, high float64 // most of |a|, rms of a+5 [m/s²], error of height [m]
	}{
		{"regular", 0, 6, 0.3, 2e-5},
		{"crooked", 0.8, 12, 1.6, 4e-4},
	}
	for _, tt := range tests {
		nx, ny := 100, 8
		m := build(t, crooked(terrain(nx, ny, 2, circle(radius)), nx, ny, tt.distance, circle(radius)), DefaultOptions())
		var worst, sum, high, n float64
		var last, before float64
		for i := range 3200 {
			x := -80 + v*dt*float64(i)
			y := 0.37 + 0.02*x
			z, _ := heightAt(t, m, x, y)
			high = max(high, math.Abs(z-circle(radius)(x, y)))
			if i > 1 {
				a := (z - 2*last + before) / (dt * dt)
				worst = max(worst, math.Abs(a))
				sum += (a + v*v/radius) * (a + v*v/radius)
				n++
			}
			before, last = last, z
		}
		spread := math.Sqrt(sum / n)
		t.Logf("%s: worst %.3f m/s², spread %.3f m/s², height within %.2g m", tt.name, worst, spread, high)
		if worst > tt.worst || spread > tt.spread || high > tt.high {
			t.Errorf("%s: too much", tt.name)
		}
	}
}

func TestNormalsDoNotJumpAcrossSmoothEdges(t *testing.T) {
	nx, ny := 60, 60
	m := build(t, crooked(terrain(nx, ny, 1, hills), nx, ny, 0.6, hills), DefaultOptions())
	worstN, worstZ, edges := 0.0, 0.0, 0
	for i := range m.corners {
		for k := range 3 {
			if m.flags[i].edge(k) != edgeSmooth {
				continue
			}
			edges++
			p, q, o := m.corner(i, k), m.corner(i, (k+1)%3), m.corner(i, (k+2)%3)
			at := r3.Add(m.origin, r3.Add(r3.Scale(0.3, p), r3.Scale(0.7, q)))
			in := r3.Scale(1e-9, r3.Sub(o, p))
			z, n := heightAt(t, m, at.X+in.X, at.Y+in.Y)
			y, l := heightAt(t, m, at.X-in.X, at.Y-in.Y)
			worstN, worstZ = max(worstN, r3.Norm(r3.Sub(n, l))), max(worstZ, math.Abs(z-y))
		}
	}
	t.Logf("%d edges: normals jump by %.2g, heights by %.2g m", edges, worstN, worstZ)
	if edges < 20_000 || worstN > 1e-6 || worstZ > 1e-8 {
		t.Errorf("%d edges, want 20000; jumps %g and %g m", edges, worstN, worstZ)
	}
}

// The error falls with the third power of the size of triangles or better.
func TestHeightsConverge(t *testing.T) {
	last := math.Inf(1)
	for _, size := range []float64{4, 2, 1} {
		n := int(80 / size)
		m := build(t, crooked(terrain(n, n, size, hills), n, n, size/3, hills), DefaultOptions())
		r := rand.New(rand.NewPCG(3, 3))
		sum := 0.0
		for range 5000 {
			x, y := 60*(r.Float64()-0.5), 60*(r.Float64()-0.5)
			z, _ := heightAt(t, m, x, y)
			sum += (z - hills(x, y)) * (z - hills(x, y))
		}
		e := math.Sqrt(sum / 5000)
		t.Logf("%g m: %.3g m", size, e)
		if e > last/3.5 {
			t.Errorf("triangles of %g m: error %g m, was %g m", size, e, last)
		}
		last = e
	}
}

func TestTouchPrefersWhatIsBelow(t *testing.T) {
	deck := func(z float64) Triangles { return terrain(4, 4, 5, func(x, y float64) float64 { return z }) }
	two := joined(deck(0), deck(5), deck(-0.25))
	m := build(t, two, DefaultOptions())
	tests := []struct {
		name     string
		z, depth float64
	}{
		{"a hub on the lower road", 0.3, -0.3},
		{"a roof under the bridge", 4, -4},
		{"a corner in the bridge", 4.8, 0.2},
		{"a hub on the bridge", 5.3, -0.3},
		{"below all", -3, 2.75},
		{"a corner in the road over terrain", -0.125, 0.125},
		{"a corner in the terrain", -0.3, 0.3},
	}
	for _, tt := range tests {
		near.Value(t, tt.name, m.Touch(r3.Vec{X: 1, Y: 2, Z: tt.z}).Depth, tt.depth, 1e-6)
	}
	for _, p := range []r3.Vec{{X: 11}, {X: math.NaN()}, {Z: math.Inf(1)}, {Y: math.Inf(-1)}, {X: 1e300}} {
		c := m.Touch(p)
		if c.Depth != -road.NoGroundDepth || c.Normal != (r3.Vec{Z: 1}) || !valid.Finite(r3.Norm(c.Point)) {
			t.Errorf("%v: %+v", p, c)
		}
	}
}

// joined is several meshes as one.
func joined(list ...Triangles) Triangles {
	var all Triangles
	for _, t := range list {
		first := uint32(len(all.Positions) / 3)
		all.Positions = append(all.Positions, t.Positions...)
		for _, i := range t.Indices {
			all.Indices = append(all.Indices, first+i)
		}
	}
	return all
}

// bruteTouch tries all triangles.
func (m *Mesh) bruteTouch(q r3.Vec) groundHit {
	best := groundHit{cost: math.Inf(1)}
	for i := range m.corners {
		if m.flags[i]&carries != 0 {
			if w, ok := m.weights(i, q.X, q.Y); ok {
				height, slope := m.surfaceHeight(i, w)
				if cost := groundCost(q.Z - height); cost < best.cost {
					best = groundHit{height, slope, cost, i}
				}
			}
		}
	}
	return best
}

func TestTouchIsThatOfAllTriangles(t *testing.T) {
	for name, tr := range meshes() {
		for _, two := range []bool{false, true} {
			o := DefaultOptions()
			o.TwoSided = two
			m := build(t, tr, o)
			r := rand.New(rand.NewPCG(5, 5))
			found := 0
			places := level.Pick(2_000, 10_000, 10_000)
			for range places {
				q := m.somewhere(r)
				got, want := groundHit{cost: math.Inf(1)}, m.bruteTouch(q)
				m.search(q, &got)
				if got.cost != want.cost || got.z != want.z && got.cost != math.Inf(1) {
					t.Fatalf("%s at %v: %+v, want %+v", name, q, got, want)
				}
				if want.cost != math.Inf(1) {
					found++
				}
			}
			if found < places*3/100 {
				t.Errorf("%s: only %d places have ground", name, found)
			}
		}
	}
}

// somewhere returns a place in the mesh or near it, counted from its origin.
func (m *Mesh) somewhere(r *rand.Rand) r3.Vec {
	var p [3]float64
	for k := range 3 {
		low, high := float64(m.box.low[k]), float64(m.box.high[k])
		p[k] = low - 0.1 + (high-low+0.2)*r.Float64()
		if r.IntN(20) == 0 { // on the level of a vertex
			p[k] = float64(m.vertices[r.IntN(len(m.vertices))].pos[k])
		}
	}
	if r.IntN(2) == 0 { // over a triangle
		at := m.within(r)
		p[0], p[1] = at.X, at.Y
	}
	return r3.Vec{X: p[0], Y: p[1], Z: p[2]}
}

// within returns a place on some triangle, counted from the origin.
func (m *Mesh) within(r *rand.Rand) r3.Vec {
	f := m.face(r.IntN(len(m.corners)))
	u, v := r.Float64(), r.Float64()
	return r3.Add(f[0], r3.Scale(u, r3.Add(r3.Sub(f[1], f[0]), r3.Scale(v, r3.Sub(f[2], f[1])))))
}

func meshes() map[string]Triangles {
	return map[string]Triangles{
		"soup":    soup(2000, 0.8, 3),
		"terrain": terrain(30, 35, 1.3, hills),
		"ball":    ball(7, 12),
		"blocks":  blocks(50),
		"slivers": slivers(1000, 4),
	}
}
