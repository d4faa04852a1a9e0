package mesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// flat are options under which sweeps meet the triangles themselves.
func flat() Options {
	o := DefaultOptions()
	o.Smooth = false
	return o
}

func sheet(corners ...float64) Triangles {
	t := Triangles{Positions: corners}
	for i := range uint32(len(corners)/3 - 2) {
		t.Indices = append(t.Indices, 0, i+1, i+2)
	}
	return t
}

var down = r3.Vec{Z: -4}

// A ball and a wheel of 0.3 m and 0.2 m width fall by 4 m from 3 m above 0, and
// stop at a height that geometry gives.
func TestSweepsStopWhereGeometrySays(t *testing.T) {
	const r, half = 0.3, 0.1
	plane := sheet(-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0)
	slope := sheet(-4, -4, -4, 4, -4, 4, 4, 4, 4, -4, 4, -4) // z = x
	step := joined(sheet(-5, -5, 0, 0, -5, 0, 0, 5, 0, -5, 5, 0), sheet(0, -5, 0.125, 5, -5, 0.125, 5, 5, 0.125, 0, 5, 0.125),
		sheet(0, -5, 0, 0, -5, 0.125, 0, 5, 0.125, 0, 5, 0))
	ridge := sheet(0, -5, 0, 0, 5, 0, 0, 0, -5) // an upright sheet with its edge along y
	tip := sheet(0, 0, 0, 1, 0, -4, 0, 1, -4)
	s2 := math.Sqrt(2)
	along, cross, lean := r3.Vec{Y: 1}, r3.Vec{X: 1}, r3.Vec{Y: 0.8, Z: 0.6}
	sq := func(x float64) float64 { return math.Sqrt(r*r - x*x) }
	tests := []struct {
		name   string
		ground Triangles
		axle   r3.Vec // none for the ball
		x, y   float64
		z      float64 // of the center at rest; NaN if nothing is met
		point  r3.Vec
		normal r3.Vec
	}{
		{"ball on a plane", plane, r3.Vec{}, 1, 2, 0.3, r3.Vec{X: 1, Y: 2}, r3.Vec{Z: 1}},
		{"ball on a slope", slope, r3.Vec{}, 0.5, 1, 0.5 + r*s2, r3.Vec{X: 0.5 + r/s2, Y: 1, Z: 0.5 + r/s2}, r3.Vec{X: -1 / s2, Z: 1 / s2}},
		{"ball before a step", step, r3.Vec{}, -0.125, 1, 0.125 + sq(0.125), r3.Vec{Y: 1, Z: 0.125}, r3.Vec{X: -0.125 / r, Z: sq(0.125) / r}},
		{"ball below a step", step, r3.Vec{}, -0.3125, 1, 0.3, r3.Vec{X: -0.3125, Y: 1}, r3.Vec{Z: 1}},
		{"ball on a ridge", ridge, r3.Vec{}, 0.2, 1, sq(0.2), r3.Vec{Y: 1}, r3.Vec{X: 0.2 / r, Z: sq(0.2) / r}},
		{"ball beside a ridge", ridge, r3.Vec{}, 0.31, 1, math.NaN(), r3.Vec{}, r3.Vec{}},
		{"ball on a tip", tip, r3.Vec{}, -0.1, -0.1, math.Sqrt(0.07), r3.Vec{}, r3.Vec{X: -0.1 / r, Y: -0.1 / r, Z: math.Sqrt(0.07) / r}},
		{"wheel on a plane", plane, along, 1, 2, 0.3, r3.Vec{X: 1, Y: 2}, r3.Vec{Z: 1}},
		{"leaning wheel on a plane", plane, lean, 1, 2, 0.8*r + 0.6*half, r3.Vec{X: 1, Y: 2 + r*0.6 - half*0.8}, r3.Vec{Z: 1}},
		{"wheel lying on a plane", plane, r3.Vec{Z: 1}, 1, 2, half, r3.Vec{X: 1, Y: 2}, r3.Vec{Z: 1}},
		{"wheel up a slope", slope, along, 0.5, 1, 0.5 + r*s2, r3.Vec{X: 0.5 + r/s2, Y: 1, Z: 0.5 + r/s2}, r3.Vec{X: -1 / s2, Z: 1 / s2}},
		{"wheel along a slope", slope, cross, 0.5, 1, 0.5 + r + half, r3.Vec{X: 0.5 + half, Y: 1, Z: 0.5 + half}, r3.Vec{X: -1 / s2, Z: 1 / s2}},
		{"wheel before a step", step, along, -0.125, 1, 0.125 + sq(0.125), r3.Vec{Y: 1, Z: 0.125}, r3.Vec{X: -0.125 / r, Z: sq(0.125) / r}},
		{"wheel beside a step", step, cross, -0.0625, 1, 0.125 + r, r3.Vec{Y: 1, Z: 0.125}, r3.Vec{Z: 1}},
		{"wheel far beside a step", step, cross, -0.125, 1, r, r3.Vec{X: -0.125, Y: 1}, r3.Vec{Z: 1}},
		{"wheel along a ridge", ridge, along, 0.2, 1, sq(0.2), r3.Vec{Y: 1}, r3.Vec{X: 0.2 / r, Z: sq(0.2) / r}},
		{"wheel across a ridge", ridge, cross, 0.09, 1, r, r3.Vec{Y: 1}, r3.Vec{Z: 1}},
		{"wheel across beside a ridge", ridge, cross, 0.11, 1, math.NaN(), r3.Vec{}, r3.Vec{}},
		{"wheel on a tip", tip, along, -0.1, -0.05, sq(0.1), r3.Vec{}, r3.Vec{X: -0.1 / r, Z: sq(0.1) / r}},
		{"wheel beside a tip", tip, along, -0.1, -0.11, math.NaN(), r3.Vec{}, r3.Vec{}},
		{"wheel lying on a tip", tip, r3.Vec{Z: 1}, -0.1, -0.05, half, r3.Vec{}, r3.Vec{Z: 1}},
	}
	for _, tt := range tests {
		m := build(t, tt.ground, flat())
		from := r3.Vec{X: tt.x, Y: tt.y, Z: 3}
		h, ok := m.SweepSphere(from, r, down)
		if tt.axle != (r3.Vec{}) {
			h, ok = m.SweepCylinder(from, tt.axle, r, half, down)
		}
		if !ok || math.IsNaN(tt.z) {
			if ok != !math.IsNaN(tt.z) {
				t.Errorf("%s: met %v, %+v", tt.name, ok, h)
			}
			continue
		}
		near.Value(t, tt.name, 3-4*h.Fraction, tt.z, 1e-12)
		near.Value(t, tt.name+": point is off by", r3.Norm(r3.Sub(h.Point, tt.point)), 0, 1e-7)
		near.Value(t, tt.name+": normal is off by", r3.Norm(r3.Sub(h.Normal, tt.normal)), 0, 1e-7)
	}
}

// A swept body touches what it meets, and cut nothing before.
func TestSweepsMeetTheFirstOfAllTriangles(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for name, tr := range meshes() {
		m := build(t, tr, flat())
		r := rand.New(rand.NewPCG(21, 21))
		met, free := 0, 0
		for range 150 {
			from := r3.Add(m.somewhere(r), m.origin)
			way := random(r, 2)
			axle := r3.Unit(random(r, 1))
			radius, half := 0.05+0.4*r.Float64(), 0.05+0.2*r.Float64()
			bodies := [2]any{&sphere{way, radius}, &cylinder{way, axle, radius, half}}
			for i, b := range bodies {
				h, ok := m.SweepSphere(from, radius, way)
				if i == 1 {
					h, ok = m.SweepCylinder(from, axle, radius, half, way)
				}
				end := 1.0
				if ok {
					met++
					end = h.Fraction
				}
				m.checkSweep(t, name, b, from, way, end, ok)
				if ok && end > 0 {
					free++
					if off := r3.Dot(h.Normal, way); off > 1e-9 {
						t.Fatalf("%s: %T moves away from what it meets: %+v", name, b, h)
					}
				}
			}
		}
		if met < 40 || free < 20 {
			t.Errorf("%s: only %d met, %d on the way", name, met, free)
		}
	}
}

// checkSweep looks for triangles that a body cuts on its way to end.
func (m *Mesh) checkSweep(t *testing.T, name string, b any, from, way r3.Vec, end float64, met bool) {
	t.Helper()
	for k := range 11 {
		at := end*float64(k)/10 - 1e-7
		if at >= 0 && m.cut(b, r3.Add(from, r3.Scale(at, way))) {
			t.Fatalf("%s: %T from %v along %v: cuts at %g, before %g", name, b, from, way, at, end)
		}
	}
	if met && end < 1-1e-6 && !m.cut(grown(b), r3.Add(from, r3.Scale(end, way))) {
		t.Fatalf("%s: %T from %v along %v: nothing at %g", name, b, from, way, end)
	}
}

// grown returns a body that is larger by a tenth of a micrometre.
func grown(b any) any {
	const more = 1e-7
	if s, ok := b.(*sphere); ok {
		return &sphere{s.motion, s.radius + more}
	}
	c := b.(*cylinder)
	return &cylinder{c.motion, c.axle, c.radius + more, c.halfWidth + more}
}

func (m *Mesh) cut(b any, at r3.Vec) bool {
	for i := range m.corners {
		f := m.face(i)
		for k := range f {
			f[k] = r3.Sub(r3.Add(f[k], m.origin), at)
		}
		best := firstContact{fraction: 1, triangle: -1}
		switch b := b.(type) {
		case *sphere:
			if p, _ := f.nearestToOrigin(); r3.Dot(p, p) < b.radius*b.radius {
				return true
			}
		case *cylinder:
			if b.overlaps(&f, i, &best) {
				return true
			}
		}
	}
	return false
}

// On a smooth crest a body stands as on the circle, not on its chords: a ball's
// center is the radius higher.
func TestSweptBodiesStandOnTheSmoothSurface(t *testing.T) {
	const radius, r = 500, 0.3
	m := build(t, terrain(100, 8, 2, circle(radius)), DefaultOptions())
	for x := -60.0; x < 60; x += 0.37 {
		high := math.Sqrt((radius+r)*(radius+r)-x*x) - radius
		from := r3.Vec{X: x, Y: 0.3, Z: 2}
		h, ok := m.SweepSphere(from, r, r3.Vec{Z: -30})
		c, too := m.SweepCylinder(from, r3.Vec{Y: 1}, r, 0.1, r3.Vec{Z: -30})
		if !ok || !too {
			t.Fatalf("nothing at %g", x)
		}
		near.Value(t, "ball", 2-30*h.Fraction, high, 2e-6)
		near.Value(t, "wheel", 2-30*c.Fraction, high, 2e-6)
		near.Value(t, "normal", h.Normal.X, x/(radius+r), 5e-6)
	}
}

func TestSweepsOfWhatIsNoBody(t *testing.T) {
	m := build(t, terrain(4, 4, 1, hills), DefaultOptions())
	up, p := r3.Vec{Z: 1}, r3.Vec{Z: 3}
	nan, inf := math.NaN(), math.Inf(1)
	for _, v := range []float64{0, -1, nan, inf} {
		for _, got := range []bool{second(m.SweepSphere(p, v, down)), second(m.SweepCylinder(p, up, v, 1, down)),
			second(m.SweepCylinder(p, up, 1, v, down)), second(m.SweepSphere(p, 1, r3.Vec{Z: min(v, 0)})) && v != 0 && v != -1 && v != inf} {
			if got {
				t.Errorf("%g meets something", v)
			}
		}
	}
	for _, invalid := range []r3.Vec{{X: nan}, {Y: inf}, {}} {
		if second(m.SweepCylinder(p, invalid, 1, 1, down)) || second(m.SweepSphere(p, 0.1, invalid)) || second(m.Ray(p, invalid, 10)) {
			t.Errorf("%v meets something", invalid)
		}
	}
}

func second[T any](_ T, ok bool) bool { return ok }
