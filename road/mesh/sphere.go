package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// sphere is a moving sphere. At the start of its motion its center is the origin of all positions.
type sphere struct {
	motion r3.Vec  // [m]
	radius float64 // [m]
}

// SweepSphere returns what a sphere of a radius [m] meets first on its motion [m]. The flat triangles
// decide what that is; the contact is then moved to the smooth surface that Touch returns.
func (m *Mesh) SweepSphere(from r3.Vec, radius float64, motion r3.Vec) (Hit, bool) {
	if !(radius > 0) {
		return Hit{}, false
	}
	s := sphere{motion, radius}
	size := [3]float64{radius, radius, radius}
	meet := func(f face, triangle int, best firstContact) firstContact {
		s.contact(&f, triangle, &best)
		return best
	}
	return m.sweep(from, motion, size, meet, func(r3.Vec) float64 { return radius })
}

// contact updates best with the first contact of the sphere with a triangle: its face, edges and corners.
func (s *sphere) contact(f *face, triangle int, best *firstContact) {
	if p, kind := f.nearestToOrigin(); r3.Dot(p, p) < s.radius*s.radius {
		n := f.normalToOrigin()
		if d := math.Sqrt(r3.Dot(p, p)); d > 0 {
			n = r3.Scale(-1/d, p)
		}
		best.offer(0, p, n, triangle, kind)
		return
	}
	n := f.normalToOrigin()
	if closing := -r3.Dot(s.motion, n); closing > 0 {
		t := max((-r3.Dot(f[0], n)-s.radius)/closing, 0)
		if p := r3.Sub(r3.Scale(t, s.motion), r3.Scale(s.radius, n)); f.contains(p, f.normal()) {
			best.offer(t, p, n, triangle, 0)
			return
		}
	}
	for k := range 3 {
		s.edge(f, k, triangle, best)
		s.corner(f[k], triangle, feature(4+k), best)
	}
}

// edge offers the contact with the edge from corner k: that of a ray with a cylinder around the edge.
func (s *sphere) edge(f *face, k, triangle int, best *firstContact) {
	from := f[k]
	e := r3.Sub(f[(k+1)%3], from)
	per := 1 / r3.Dot(e, e)
	across := r3.Sub(s.motion, r3.Scale(r3.Dot(s.motion, e)*per, e))
	gap := r3.Sub(from, r3.Scale(r3.Dot(from, e)*per, e))
	t, ok := firstRoot(r3.Dot(across, across), -r3.Dot(across, gap), r3.Dot(gap, gap)-s.radius*s.radius)
	center := r3.Scale(t, s.motion)
	if along := r3.Dot(r3.Sub(center, from), e) * per; ok && along >= 0 && along <= 1 {
		p := r3.Add(from, r3.Scale(along, e))
		best.offer(t, p, r3.Scale(1/s.radius, r3.Sub(center, p)), triangle, feature(1+k))
	}
}

// corner offers the contact with a corner: that of a ray with a sphere around it.
func (s *sphere) corner(p r3.Vec, triangle int, kind feature, best *firstContact) {
	t, ok := firstRoot(r3.Dot(s.motion, s.motion), -r3.Dot(s.motion, p), r3.Dot(p, p)-s.radius*s.radius)
	if ok {
		best.offer(t, p, r3.Scale(1/s.radius, r3.Sub(r3.Scale(t, s.motion), p)), triangle, kind)
	}
}
