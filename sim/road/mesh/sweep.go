package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// touched is the first place that a swept body meets; all counts from where its
// centre starts.
type touched struct {
	at       float64 // share of the way
	point    r3.Vec
	normal   r3.Vec // towards the body
	triangle int
	feature  feature
	off      float64 // how far the place is from the middle of what a line or disc could meet [m]
}

// feature is what of a triangle is met: 0 its face, 1 to 3 the edge from corner 0
// to 2, 4 to 6 a corner.
type feature uint8

// take keeps what is met sooner.
func (b *touched) take(at float64, point, normal r3.Vec, triangle int, f feature) {
	b.prefer(touched{at, point, normal, triangle, f, 0})
}

// prefer keeps what is met sooner. Of what is met at once a face counts before
// edges and those before corners, so that the normal is that of the face, and of
// several faces or edges that nearest to the body's middle.
func (b *touched) prefer(o touched) {
	const same = 1e-12 // of the way
	if !(o.at >= 0 && o.at <= 1) || o.at > b.at+same {
		return
	}
	if b.triangle >= 0 && o.at > b.at-same && (o.feature > b.feature || o.feature == b.feature && o.off >= b.off) {
		return
	}
	*b = o
}

// meeter returns what a body meets first, given a triangle and what it meets
// before.
type meeter func(f face, triangle int, best touched) touched

// sweep lets meet try the triangles on a way, as seen from the start, for a body
// of a size along the axes. The body's foremost place against a normal is reach
// from its centre.
func (m *Mesh) sweep(from, way r3.Vec, size [3]float64, meet meeter, reach func(n r3.Vec) float64) (Hit, bool) {
	start := r3.Sub(from, m.origin)
	r, ok := m.newRay(start, way, 1, size)
	if !ok {
		return Hit{}, false
	}
	best := touched{at: 1, triangle: -1}
	m.walk(&r, func(i int) {
		f := m.face(i)
		for k := range f {
			f[k] = r3.Sub(f[k], start)
		}
		best = meet(f, i, best)
		r.most = min(1, best.at+1e-9)
	})
	if best.triangle < 0 {
		return Hit{}, false
	}
	if best.at > 0 {
		m.settle(&best, start, way, reach)
	}
	return m.hit(best.triangle, best.at, r3.Add(from, best.point), best.normal), true
}

// settle moves what was met on the flat triangle onto the smooth surface: the
// body stands on that surface's tangent, or on a raised edge.
func (m *Mesh) settle(b *touched, start, way r3.Vec, reach func(n r3.Vec) float64) {
	if !m.smooth || m.flags[b.triangle]&up == 0 {
		return
	}
	p := m.patch(b.triangle)
	place := r3.Add(start, b.point)
	w := clamped(&p, place)
	height, s := p.height(w)
	flat := w[0]*p.at[0].Z + w[1]*p.at[1].Z + w[2]*p.at[2].Z
	if height == flat && s == p.plane() {
		return
	}
	lift := r3.Vec{Z: height - flat}
	n := b.normal
	old := r3.Sub(r3.Scale(b.at, way), b.point) // from the place to the centre
	distance := r3.Dot(old, n)
	if m.even(b.triangle, b.feature) {
		n = r3.Scale(math.Copysign(1/math.Sqrt(1+s.x*s.x+s.y*s.y), n.Z), r3.Vec{X: -s.x, Y: -s.y, Z: 1})
		distance = reach(n)
	}
	closing := -r3.Dot(way, n)
	base := r3.Add(b.point, lift)
	if at := -(r3.Dot(base, n) + distance) / closing; closing > 0 && at >= 0 {
		b.at = min(at, 1)
	}
	b.point, b.normal = base, n
}

// even tells whether the surface has no kink at a feature.
func (m *Mesh) even(triangle int, f feature) bool {
	kind := m.flags[triangle]
	switch {
	case f == 0:
		return true
	case f <= 3:
		return kind.edge(int(f-1)) == smooth
	}
	k := int(f - 4)
	return kind.edge(k) == smooth && kind.edge((k+2)%3) == smooth
}

// clamped returns the weights of a triangle's corners at the place in it, seen
// from above, that is about nearest to another.
func clamped(p *patch, at r3.Vec) [3]float64 {
	var w [3]float64
	sum := 0.0
	for k := range 3 {
		a, b := r3.Sub(p.at[(k+1)%3], at), r3.Sub(p.at[(k+2)%3], at)
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

// nearest returns the place of a triangle nearest to the centre, and its feature
// (Ericson, Real-Time Collision Detection, 5.1.5).
func (f *face) nearest() (r3.Vec, feature) {
	if n := f.normal(); f.holds(r3.Scale(r3.Dot(f[0], n)/r3.Dot(n, n), n), n) {
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

// holds tells whether a place in the plane of the face with normal n is in it.
func (f *face) holds(p, n r3.Vec) bool {
	for k := range 3 {
		side := r3.Cross(r3.Sub(f[(k+1)%3], f[k]), r3.Sub(p, f[k]))
		if r3.Dot(side, n) < 0 {
			return false
		}
	}
	return true
}

// facing returns the face's unit normal on the side of the centre.
func (f *face) facing() r3.Vec {
	n := f.normal()
	n = r3.Scale(1/math.Sqrt(r3.Dot(n, n)), n)
	if r3.Dot(f[0], n) > 0 {
		return r3.Scale(-1, n)
	}
	return n
}

// root returns the first solution of a·t² + 2·b·t + c = 0 if c > 0.
func root(a, b, c float64) (float64, bool) {
	if b >= 0 || c < 0 || a <= 0 {
		return 0, false // it moves away, or is there
	}
	d := b*b - a*c
	if d < 0 {
		return 0, false
	}
	return c / (math.Sqrt(d) - b), true
}
