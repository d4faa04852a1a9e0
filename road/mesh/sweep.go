package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// firstContact is the earliest contact of a moving body found so far. Positions are relative to the body's
// center at the start of its motion.
type firstContact struct {
	fraction  float64 // fraction of the motion until the contact, 0..1
	point     r3.Vec  // contact point [m]
	normal    r3.Vec  // unit normal, towards the body
	triangle  int     // -1 for none
	feature   feature
	offCenter float64 // distance of the point from the middle of the line or disc that touches [m]
}

// feature is the part of a triangle that is met: 0 its face, 1 to 3 the edge from corner 0 to 2, 4 to 6 a
// corner.
type feature uint8

// offer is offerContact for a contact in a point, whose offCenter is 0.
func (b *firstContact) offer(at float64, point, normal r3.Vec, triangle int, f feature) {
	b.offerContact(firstContact{at, point, normal, triangle, f, 0})
}

// offerContact replaces b by o if o is earlier. Of simultaneous contacts it prefers a face to edges and edges
// to corners, so that the normal is that of the face. Of several faces or edges it prefers the one whose
// contact point is nearest to the body's middle.
func (b *firstContact) offerContact(o firstContact) {
	const tolerance = 1e-12 // contacts are simultaneous within this fraction of the motion
	if !(o.fraction >= 0 && o.fraction <= 1) || o.fraction > b.fraction+tolerance {
		return
	}
	if b.triangle >= 0 && o.fraction > b.fraction-tolerance && (o.feature > b.feature || o.feature == b.feature && o.offCenter >= b.offCenter) {
		return
	}
	*b = o
}

// contactFinder returns the first contact of a body with a triangle, or best if that is earlier.
type contactFinder func(f face, triangle int, best firstContact) firstContact

// sweep returns the first hit of a body that moves from a position [m] by motion [m]. meet finds the contact
// with one triangle. size is half the body's size along each axis [m]; reach returns the distance of its
// foremost point from its center along a normal [m].
func (m *Mesh) sweep(from, motion r3.Vec, size [3]float64, meet contactFinder, reach func(n r3.Vec) float64) (Hit, bool) {
	start := r3.Sub(from, m.origin)
	r, ok := m.newRay(start, motion, 1, size)
	if !ok {
		return Hit{}, false
	}
	best := firstContact{fraction: 1, triangle: -1}
	m.traverse(&r, func(i int) {
		f := m.face(i)
		for k := range f {
			f[k] = r3.Sub(f[k], start)
		}
		best = meet(f, i, best)
		r.limit = min(1, best.fraction+1e-9)
	})
	if best.triangle < 0 {
		return Hit{}, false
	}
	if best.fraction > 0 {
		m.toSmoothSurface(&best, start, motion, reach)
	}
	return m.hit(best.triangle, best.fraction, r3.Add(from, best.point), best.normal), true
}

// toSmoothSurface moves a contact from the flat triangle to the smooth surface: the body then touches the
// tangent plane of that surface or, where it has a kink, the edge raised to it.
func (m *Mesh) toSmoothSurface(b *firstContact, start, motion r3.Vec, reach func(n r3.Vec) float64) {
	if !m.smooth || m.flags[b.triangle]&carries == 0 {
		return
	}
	p := m.smoothTriangle(b.triangle)
	position := r3.Add(start, b.point)
	w := nearestWeights(&p, position)
	height, s := p.heightAt(w)
	flat := w[0]*p.corners[0].Z + w[1]*p.corners[1].Z + w[2]*p.corners[2].Z
	if height == flat && s == p.plane() {
		return
	}
	lift := r3.Vec{Z: height - flat}
	n := b.normal
	toCenter := r3.Sub(r3.Scale(b.fraction, motion), b.point) // from the contact point to the center
	distance := r3.Dot(toCenter, n)
	if m.isSmoothAt(b.triangle, b.feature) {
		n = r3.Scale(math.Copysign(1/math.Sqrt(1+s.x*s.x+s.y*s.y), n.Z), r3.Vec{X: -s.x, Y: -s.y, Z: 1})
		distance = reach(n)
	}
	closing := -r3.Dot(motion, n)
	base := r3.Add(b.point, lift)
	if fraction := -(r3.Dot(base, n) + distance) / closing; closing > 0 && fraction >= 0 {
		b.fraction = min(fraction, 1)
	}
	b.point, b.normal = base, n
}

// isSmoothAt reports whether the surface has no kink at a feature of a triangle.
func (m *Mesh) isSmoothAt(triangle int, f feature) bool {
	kind := m.flags[triangle]
	switch {
	case f == 0:
		return true
	case f <= 3:
		return kind.edge(int(f-1)) == edgeSmooth
	}
	k := int(f - 4)
	return kind.edge(k) == edgeSmooth && kind.edge((k+2)%3) == edgeSmooth
}

// nearestWeights returns the barycentric weights, seen from above, of at or, if at is outside the triangle, of a
// point on its border near at.
func nearestWeights(p *smoothTriangle, at r3.Vec) [3]float64 {
	var w [3]float64
	sum := 0.0
	for k := range 3 {
		a, b := r3.Sub(p.corners[(k+1)%3], at), r3.Sub(p.corners[(k+2)%3], at)
		w[k] = a.X*b.Y - a.Y*b.X
		sum += w[k]
	}
	rest := 0.0
	for k := range 3 {
		w[k] = min(max(w[k]/sum, 0), 1)
		rest += w[k]
	}
	for k := range 3 {
		w[k] /= rest
	}
	return w
}

// nearestToOrigin returns the point of a triangle nearest to the origin, and its feature (Ericson, Real-Time
// Collision Detection, 5.1.5).
func (f *face) nearestToOrigin() (r3.Vec, feature) {
	if n := f.normal(); f.contains(r3.Scale(r3.Dot(f[0], n)/r3.Dot(n, n), n), n) {
		return r3.Scale(r3.Dot(f[0], n)/r3.Dot(n, n), n), 0
	}
	best, at, kind := math.Inf(1), f[0], feature(4)
	for k := range 3 {
		e := r3.Sub(f[(k+1)%3], f[k])
		s := -r3.Dot(f[k], e) / r3.Dot(e, e)
		p, what := r3.Add(f[k], r3.Scale(s, e)), feature(1+k)
		if s <= 0 {
			p, what = f[k], feature(4+k)
		} else if s >= 1 {
			p, what = f[(k+1)%3], feature(4+(k+1)%3)
		}
		if d := r3.Dot(p, p); d < best {
			best, at, kind = d, p, what
		}
	}
	return at, kind
}

// contains reports whether p is in the face. p must be in the plane of the face; n is the face's normal.
func (f *face) contains(p, n r3.Vec) bool {
	for k := range 3 {
		side := r3.Cross(r3.Sub(f[(k+1)%3], f[k]), r3.Sub(p, f[k]))
		if r3.Dot(side, n) < 0 {
			return false
		}
	}
	return true
}

// normalToOrigin returns the face's unit normal on the side of the origin.
func (f *face) normalToOrigin() r3.Vec {
	n := f.normal()
	n = r3.Scale(1/math.Sqrt(r3.Dot(n, n)), n)
	if r3.Dot(f[0], n) > 0 {
		return r3.Scale(-1, n)
	}
	return n
}

// firstRoot returns the smaller root of a·t² + 2·b·t + c for c >= 0, and false if there is no positive root.
func firstRoot(a, b, c float64) (float64, bool) {
	if b >= 0 || c < 0 || a <= 0 {
		return 0, false // the body moves away, or it overlaps already
	}
	d := b*b - a*c
	if d < 0 {
		return 0, false
	}
	return c / (math.Sqrt(d) - b), true
}
