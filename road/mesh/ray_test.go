package mesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/level"
)

func (m *Mesh) bruteRay(from, dir r3.Vec, limit float64) (Hit, bool) {
	r, ok := m.newRay(r3.Sub(from, m.origin), dir, limit, [3]float64{})
	first := -1
	for i := range m.corners {
		c := m.corners[i]
		t, met := r.triangle(&m.vertices[c[0]].pos, &m.vertices[c[1]].pos, &m.vertices[c[2]].pos)
		if ok && met && (t < r.limit || first < 0) {
			r.limit, first = t, i
		}
	}
	if first < 0 {
		return Hit{}, false
	}
	return m.rayHit(first, r.limit, from, dir), true
}

func TestRaysMeetTheFirstOfAllTriangles(t *testing.T) {
	for name, tr := range meshes() {
		m := build(t, tr, DefaultOptions())
		r := rand.New(rand.NewPCG(9, 9))
		hits := 0
		for i := range level.Pick(1500, 10_000, 10_000) {
			from := r3.Add(m.somewhere(r), m.origin)
			dir := random(r, 1)
			switch i % 5 {
			case 0:
				dir = r3.Vec{Z: -1}
			case 1:
				dir.X, dir.Y = 0, 0
			case 2:
				dir.Z = 0
			case 3:
				dir = r3.Sub(r3.Add(m.within(r), m.origin), from)
			}
			limit := 30 * r.Float64()
			got, ok := m.Ray(from, dir, limit)
			want, met := m.bruteRay(from, dir, limit)
			if got != want || ok != met {
				t.Fatalf("%s: from %v along %v: %+v, want %+v", name, from, dir, got, want)
			}
			if ok {
				hits++
			}
		}
		if hits < level.Pick(75, 500, 500) {
			t.Errorf("%s: only %d hits", name, hits)
		}
	}
}

// Rays at once meet what they meet one by one, some near each other, some not.
func TestRaysAtOnceAreRays(t *testing.T) {
	for name, tr := range meshes() {
		m := build(t, tr, DefaultOptions())
		r := rand.New(rand.NewPCG(13, 9))
		for range 1000 {
			n := r.IntN(20)
			from, dir, hits := make([]r3.Vec, n), make([]r3.Vec, n), make([]Hit, n)
			start, way := r3.Add(m.somewhere(r), m.origin), random(r, 1)
			for i := range from {
				from[i], dir[i] = r3.Add(start, random(r, 0.1)), r3.Add(way, random(r, 0.1))
				if i%9 == 8 {
					dir[i] = random(r, 1)
				}
				if i%10 == 9 {
					dir[i].X = math.NaN()
				}
			}
			m.Rays(from, dir, 20, hits)
			for i := range from {
				want, ok := m.Ray(from[i], dir[i], 20)
				if !ok {
					want = Hit{Triangle: -1}
				}
				if hits[i] != want {
					t.Fatalf("%s: ray %d: %+v, want %+v", name, i, hits[i], want)
				}
			}
		}
	}
}

// Rays from inside a closed mesh that aim at its corners and edges, exactly and
// by a few bits beside them, never come out.
func TestNoRayLeaks(t *testing.T) {
	rays := level.Pick(100_000, 1_000_000, 10_000_000)
	for name, tr := range map[string]Triangles{"ball": ball(7, 12), "block": blocks(1)} {
		m := build(t, tr, DefaultOptions())
		middle := r3.Scale(0.5, r3.Add(m.box.low.vec(), m.box.high.vec()))
		part := rays / 40
		leaks := make([]int, 20)
		together(20, func(p int) {
			r := rand.New(rand.NewPCG(11, uint64(p)))
			for range part {
				from := r3.Add(middle, r3.Vec{X: 0.09 * r.Float64(), Y: 0.09 * r.Float64(), Z: -0.09 * r.Float64()})
				if !m.stops(r, from) {
					leaks[p]++
				}
			}
		})
		for _, n := range leaks {
			if n > 0 {
				t.Errorf("%s: %d of %d rays leak", name, n, part)
			}
		}
	}
}

// stops sends a ray from inside to an edge or a corner.
func (m *Mesh) stops(r *rand.Rand, from r3.Vec) bool {
	i, k := r.IntN(len(m.corners)), r.IntN(3)
	aim := m.corner(i, k)
	kind := r.IntN(4)
	if kind >= 2 {
		aim = r3.Add(aim, r3.Scale(r.Float64(), r3.Sub(m.corner(i, (k+1)%3), aim)))
	}
	dir := r3.Sub(aim, from)
	if kind%2 == 1 {
		dir = r3.Add(dir, r3.Scale(math.Ldexp(1, -20-r.IntN(33)), random(r, 1)))
	}
	q := ray{}
	q, _ = m.newRay(from, dir, 100, [3]float64{})
	met := false
	m.traverse(&q, func(i int) {
		c := &m.corners[i]
		if t, ok := q.triangle(&m.vertices[c[0]].pos, &m.vertices[c[1]].pos, &m.vertices[c[2]].pos); ok {
			q.limit, met = t, true
		}
	})
	return met
}

func TestQueriesAllocateNothing(t *testing.T) {
	m := build(t, terrain(50, 50, 1, hills), DefaultOptions())
	p := r3.Vec{X: 1.2, Y: 3.4, Z: 10}
	from, dir, hits := []r3.Vec{p, {Z: 9}}, []r3.Vec{{Z: -1}, {X: 1}}, make([]Hit, 2)
	n := testing.AllocsPerRun(100, func() {
		m.Touch(p)
		m.Ray(p, r3.Vec{X: 0.1, Z: -1}, 100)
		m.Rays(from, dir, 100, hits)
		m.SweepSphere(p, 0.3, r3.Vec{Z: -20})
		m.SweepCylinder(p, r3.Vec{Y: 1}, 0.3, 0.1, r3.Vec{Z: -20})
	})
	if n != 0 {
		t.Errorf("%g allocations", n)
	}
}
