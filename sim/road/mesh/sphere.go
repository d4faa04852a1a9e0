package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// sphere is a body.
type sphere struct {
	way    r3.Vec
	radius float64
}

// SweepSphere returns what a sphere of a radius [m] meets first on its way [m].
// Its flat triangles decide what that is; the contact is then that with the
// smooth surface there, as Touch has it.
func (m *Mesh) SweepSphere(from r3.Vec, radius float64, way r3.Vec) (Hit, bool) {
	if !(radius > 0) {
		return Hit{}, false
	}
	s := sphere{way, radius}
	size := [3]float64{radius, radius, radius}
	meet := func(f face, triangle int, best touched) touched {
		s.meet(&f, triangle, &best)
		return best
	}
	return m.sweep(from, way, size, meet, func(r3.Vec) float64 { return radius })
}

func (s *sphere) meet(f *face, triangle int, best *touched) {
	if p, kind := f.nearest(); r3.Dot(p, p) < s.radius*s.radius {
		n := f.facing()
		if d := math.Sqrt(r3.Dot(p, p)); d > 0 {
			n = r3.Scale(-1/d, p)
		}
		best.take(0, p, n, triangle, kind)
		return
	}
	n := f.facing()
	if closing := -r3.Dot(s.way, n); closing > 0 {
		t := max((-r3.Dot(f[0], n)-s.radius)/closing, 0)
		if p := r3.Sub(r3.Scale(t, s.way), r3.Scale(s.radius, n)); f.holds(p, f.normal()) {
			best.take(t, p, n, triangle, 0)
			return
		}
	}
	for k := range 3 {
		s.edge(f, k, triangle, best)
		s.corner(f[k], triangle, feature(4+k), best)
	}
}

// edge meets the edge from corner k: a ray against a cylinder about it.
func (s *sphere) edge(f *face, k, triangle int, best *touched) {
	from := f[k]
	e := r3.Sub(f[(k+1)%3], from)
	per := 1 / r3.Dot(e, e)
	way := r3.Sub(s.way, r3.Scale(r3.Dot(s.way, e)*per, e))
	gap := r3.Sub(from, r3.Scale(r3.Dot(from, e)*per, e))
	t, ok := root(r3.Dot(way, way), -r3.Dot(way, gap), r3.Dot(gap, gap)-s.radius*s.radius)
	centre := r3.Scale(t, s.way)
	if along := r3.Dot(r3.Sub(centre, from), e) * per; ok && along >= 0 && along <= 1 {
		p := r3.Add(from, r3.Scale(along, e))
		best.take(t, p, r3.Scale(1/s.radius, r3.Sub(centre, p)), triangle, feature(1+k))
	}
}

func (s *sphere) corner(p r3.Vec, triangle int, kind feature, best *touched) {
	t, ok := root(r3.Dot(s.way, s.way), -r3.Dot(s.way, p), r3.Dot(p, p)-s.radius*s.radius)
	if ok {
		best.take(t, p, r3.Scale(1/s.radius, r3.Sub(r3.Scale(t, s.way), p)), triangle, kind)
	}
}
