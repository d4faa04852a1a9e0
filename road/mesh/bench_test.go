package mesh

import (
	"bytes"
	"fmt"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/level"
)

// plain is a terrain with about n triangles, of a size that a road has.
func plain(n int) Triangles {
	side := int(math.Sqrt(float64(n) / 2))
	return terrain(side, side, 0.5, hills)
}

// drive returns the places of 4 wheels with 5 rays each after some ticks of 1 ms
// at 50 m/s on a circle within the mesh.
func drive(tick int, radius float64, p *[20]r3.Vec) {
	a := 0.05 * float64(tick) / radius
	sin, cos := math.Sincos(a)
	for w := range 4 {
		x, y := 1.3-2.6*float64(w/2), 0.8-1.6*float64(w%2)
		for k := range 5 {
			x := x + 0.12*float64(k-2)
			p[5*w+k] = r3.Vec{X: radius*cos - x*sin - y*cos, Y: radius*sin + x*cos - y*sin, Z: 4}
		}
	}
}

// ticking returns the least time of several drives of a second each.
func ticking(m *Mesh, ask func(m *Mesh, p r3.Vec)) time.Duration {
	minimum := time.Hour
	for round := range 7 {
		start := time.Now()
		for tick := range 1000 {
			m.tick(1000*round+tick, ask)
		}
		minimum = min(minimum, time.Since(start))
	}
	return minimum
}

// BenchmarkTick is what four wheels with five rays each cost a tick.
func BenchmarkTick(b *testing.B) {
	for _, n := range []int{1000, 100_000, 10_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 1e6 && testing.Short() {
				b.Skip("takes some seconds to build")
			}
			m := build(b, plain(n), DefaultOptions())
			for name, ask := range queries {
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					tick := 0
					for b.Loop() {
						m.tick(tick, ask)
						tick++
					}
					b.ReportMetric(float64(m.Bytes())/float64(m.TriangleCount()), "B/triangle")
				})
			}
		})
	}
}

// triangles returns how many triangles a question of a tick looks at in the mean: below a
// place, and along a ray.
func (m *Mesh) triangles() (touched, met float64) {
	const ticks = 100
	for n := range ticks {
		m.tick(37*n, func(m *Mesh, p r3.Vec) {
			touched += float64(m.under(0, r3.Sub(p, m.origin)))
			r, _ := m.newRay(r3.Sub(p, m.origin), r3.Vec{X: 0.1, Y: 0.02, Z: -1}, 20, [3]float64{})
			m.traverse(&r, func(i int) {
				met++
				c := &m.corners[i]
				if t, ok := r.triangle(&m.vertices[c[0]].pos, &m.vertices[c[1]].pos, &m.vertices[c[2]].pos); ok {
					r.limit = t
				}
			})
		})
	}
	return touched / (20 * ticks), met / (20 * ticks)
}

// under returns how many triangles a node holds whose boxes are above or below q.
func (m *Mesh) under(at uint32, q r3.Vec) int {
	n := &m.nodes[at]
	switch {
	case !n.covers(q):
		return 0
	case n.count > 0:
		return int(n.count)
	}
	return m.under(n.first, q) + m.under(n.first+1, q)
}

// queries are what a wheel may ask the ground.
var queries = map[string]func(m *Mesh, p r3.Vec){
	"touch": func(m *Mesh, p r3.Vec) { m.Touch(p) },
	"ray":   func(m *Mesh, p r3.Vec) { m.Ray(p, r3.Vec{X: 0.1, Y: 0.02, Z: -1}, 20) },
}

// tick asks for all places of a tick.
func (m *Mesh) tick(n int, ask func(m *Mesh, p r3.Vec)) {
	var p [20]r3.Vec
	low, high := m.Bounds()
	drive(n, (high.X-low.X)/2-3, &p)
	for i := range p {
		ask(m, p[i])
	}
}

// BenchmarkRays casts 20 rays: four wheels' or a fan of one.
func BenchmarkRays(b *testing.B) {
	m := build(b, plain(100_000), DefaultOptions())
	var from, fan, dir [20]r3.Vec
	var hits [20]Hit
	drive(0, 50, &from)
	for i := range dir {
		dir[i] = r3.Vec{Z: -1}
		fan[i] = r3.Add(from[0], r3.Vec{X: 0.01 * float64(i)})
	}
	for name, from := range map[string][]r3.Vec{"wheels": from[:], "fan": fan[:]} {
		b.Run(name+"-at-once", func(b *testing.B) {
			for b.Loop() {
				m.Rays(from, dir[:], 100, hits[:])
			}
		})
		b.Run(name+"-one-by-one", func(b *testing.B) {
			for b.Loop() {
				for i := range from {
					hits[i], _ = m.Ray(from[i], dir[i], 100)
				}
			}
		})
	}
}

func BenchmarkSweep(b *testing.B) {
	m := build(b, plain(100_000), DefaultOptions())
	from, way := r3.Vec{X: 1, Y: 2, Z: 4}, r3.Vec{Z: -2}
	from.Z = m.Touch(from).Point.Z + 0.6
	b.Run("sphere", func(b *testing.B) {
		for b.Loop() {
			m.SweepSphere(from, 0.3, way)
		}
	})
	b.Run("cylinder", func(b *testing.B) {
		for b.Loop() {
			m.SweepCylinder(from, r3.Vec{Y: 1}, 0.3, 0.1, way)
		}
	})
}

func BenchmarkRay(b *testing.B) {
	m := build(b, plain(100_000), DefaultOptions())
	for b.Loop() {
		m.Ray(r3.Vec{X: 1, Y: 2, Z: 5}, r3.Vec{X: 0.2, Y: 0.1, Z: -1}, 100)
	}
}

// TestLargeMeshesCostLittle holds what a large circuit may cost: in all of ten million triangles.
func TestLargeMeshesCostLittle(t *testing.T) {
	n := level.Pick(100_000, 300_000, 10_000_000)
	tr := plain(n)
	start := time.Now()
	m := build(t, tr, DefaultOptions())
	built := time.Since(start)
	per := float64(m.Bytes()) / float64(m.TriangleCount())
	var out bytes.Buffer
	out.Grow(m.Bytes() + 1000)
	start = time.Now()
	if err := m.Save(&out); err != nil {
		t.Fatal(err)
	}
	saved := time.Since(start)
	start = time.Now()
	if _, err := Load(out.Bytes(), together); err != nil {
		t.Fatal(err)
	}
	loaded := time.Since(start)
	t.Logf("%d triangles: built in %v, saved in %v, loaded in %v, %.1f bytes a triangle", m.TriangleCount(), built, saved, loaded, per)
	small := build(t, plain(1000), DefaultOptions())
	for name, ask := range queries {
		t.Logf("20 of %s: %v a tick on 1000 triangles, %v on these", name, ticking(small, ask)/1000, ticking(m, ask)/1000)
	}
	fewTouched, fewMet := small.triangles()
	touched, met := m.triangles()
	t.Logf("looks at %.1f triangles below a place and %.1f along a ray, of 1000 at %.1f and %.1f", touched, met, fewTouched, fewMet)
	if touched > 3*fewTouched || met > 3*fewMet {
		t.Error("looks at more than three times as many triangles as of 1000")
	}
	if per > 100 {
		t.Errorf("%.1f bytes a triangle, want at most 100", per)
	}
	if n := testing.AllocsPerRun(1, func() { Load(out.Bytes(), nil) }); n > 50 { // building takes 80
		t.Errorf("loading takes %g allocations, as if it built the mesh again", n)
	}
}
