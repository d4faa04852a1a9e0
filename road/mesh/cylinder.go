package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
)

// cylinder is a moving cylinder. At the start of its motion its center is the origin of all positions.
type cylinder struct {
	motion            r3.Vec  // [m]
	axle              r3.Vec  // unit vector
	radius, halfWidth float64 // [m]
}

// SweepCylinder returns what a cylinder with a radius and half its width [m] around axle meets first on its
// motion [m]. It meets the flat triangles, as SweepSphere does. If the cylinder meets a face or an edge
// along a line or a disc, the hit point is the one nearest to the middle of the line or disc.
func (m *Mesh) SweepCylinder(from, axle r3.Vec, radius, half float64, motion r3.Vec) (Hit, bool) {
	length := math.Sqrt(r3.Dot(axle, axle))
	if !(radius > 0 && half > 0 && length > 0) || !valid.Finite(length) {
		return Hit{}, false
	}
	c := cylinder{motion, r3.Scale(1/length, axle), radius, half}
	size := [3]float64{c.support(r3.Vec{X: 1}), c.support(r3.Vec{Y: 1}), c.support(r3.Vec{Z: 1})}
	meet := func(f face, triangle int, best firstContact) firstContact {
		c.contact(&f, triangle, &best)
		return best
	}
	return m.sweep(from, motion, size, meet, c.support)
}

// support returns how far the cylinder extends from its center in the direction of the unit vector n [m].
func (c *cylinder) support(n r3.Vec) float64 {
	along := r3.Dot(n, c.axle)
	return c.radius*math.Sqrt(max(0, 1-along*along)) + c.halfWidth*math.Abs(along)
}

// contact updates best with the first contact of the cylinder with a triangle. It tries all pairs of features
// with which two convex bodies can meet: the face with the cylinder's foremost point, each corner with its
// lateral surface and its ends, each edge with its lateral surface and the circles at its ends.
func (c *cylinder) contact(f *face, triangle int, best *firstContact) {
	if c.overlaps(f, triangle, best) {
		return
	}
	c.face(f, triangle, best)
	for k := range 3 {
		c.corner(f[k], triangle, feature(4+k), best)
		e := r3.Sub(f[(k+1)%3], f[k])
		c.side(f[k], e, triangle, feature(1+k), best)
		c.rim(f[k], e, c.halfWidth, triangle, feature(1+k), best)
		c.rim(f[k], e, -c.halfWidth, triangle, feature(1+k), best)
	}
}

// perpendicular returns the component of a vector perpendicular to the axle.
func (c *cylinder) perpendicular(v r3.Vec) r3.Vec {
	return r3.Sub(v, r3.Scale(r3.Dot(v, c.axle), c.axle))
}

// overlaps reports whether the cylinder overlaps the triangle at the start of the motion, and then offers that
// contact to best. It clips the triangle by the planes of the cylinder's ends and compares the distance of the
// rest from the axle with the radius.
func (c *cylinder) overlaps(f *face, triangle int, best *firstContact) bool {
	var s clippedTriangle
	s.n = copy(s.p[:], f[:])
	s.clip(c.axle, c.halfWidth)
	s.clip(r3.Scale(-1, c.axle), c.halfWidth)
	near, at := math.Inf(1), r3.Vec{}
	for i := range s.n {
		g := face{s.p[0], s.p[i], s.p[(i+1)%s.n]}
		if p := c.nearAxle(&g); r3.Dot(c.perpendicular(p), c.perpendicular(p)) < near {
			near, at = r3.Dot(c.perpendicular(p), c.perpendicular(p)), p
		}
	}
	const touching = 1 - 1e-12
	if !(near < c.radius*c.radius*touching) {
		return false
	}
	n := f.normalToOrigin()
	if near > 0 {
		n = r3.Scale(-1/math.Sqrt(near), c.perpendicular(at))
	}
	best.offer(0, at, n, triangle, 0)
	return true
}

// nearAxle returns the point of a triangle that is nearest to the axle's line.
func (c *cylinder) nearAxle(f *face) r3.Vec {
	n := f.normal()
	if cos := r3.Dot(n, c.axle); cos != 0 {
		p := r3.Scale(r3.Dot(f[0], n)/cos, c.axle)
		if valid.Finite(r3.Dot(p, p)) && f.contains(p, n) {
			return p
		}
	}
	near, best := math.Inf(1), f[0]
	for k := range 3 {
		a, b := c.perpendicular(f[k]), c.perpendicular(f[(k+1)%3])
		e := r3.Sub(b, a)
		s := 0.0
		if l := r3.Dot(e, e); l > 0 {
			s = min(max(-r3.Dot(a, e)/l, 0), 1)
		}
		if d := r3.Add(a, r3.Scale(s, e)); r3.Dot(d, d) < near {
			near, best = r3.Dot(d, d), r3.Add(f[k], r3.Scale(s, r3.Sub(f[(k+1)%3], f[k])))
		}
	}
	return best
}

// face offers the contact of the face with the cylinder's foremost point, line or disc.
func (c *cylinder) face(f *face, triangle int, best *firstContact) {
	n := f.normalToOrigin()
	closing := -r3.Dot(c.motion, n)
	gap := -r3.Dot(f[0], n) - c.support(n)
	if !(closing > 0) || gap < -1e-9*c.radius {
		return
	}
	t := max(gap/closing, 0)
	center := r3.Scale(t, c.motion)
	if p, off, ok := c.faceContact(f, center, n); ok {
		best.offerContact(firstContact{t, p, n, triangle, 0, off})
	}
}

// faceContact reports whether the cylinder at a center touches a face with the normal n. It returns the contact
// point: of a line or disc of contact the point nearest to its middle, with its distance from the middle.
func (c *cylinder) faceContact(f *face, center, n r3.Vec) (at r3.Vec, offCenter float64, ok bool) {
	const level = 1e-9
	along := r3.Dot(n, c.axle)
	out := c.perpendicular(n)
	length := math.Sqrt(r3.Dot(out, out))
	if length < level { // an end of the cylinder, a disc, is parallel to the face
		p := r3.Sub(center, r3.Scale(math.Copysign(c.halfWidth, along), c.axle))
		return c.discContact(f, p)
	}
	p := r3.Sub(center, r3.Scale(c.radius/length, out))
	if math.Abs(along) > level { // a point of the circle at an end is foremost
		p = r3.Sub(p, r3.Scale(math.Copysign(c.halfWidth, along), c.axle))
		return p, 0, f.contains(p, f.normal())
	}
	low, high := f.clipLine(p, c.axle, c.halfWidth)
	offCenter = min(max(0, low), high)
	return r3.Add(p, r3.Scale(offCenter, c.axle)), math.Abs(offCenter), low <= high
}

// discContact returns the point of a face nearest to the middle p of an end disc, its distance from the middle,
// and whether it is on the disc.
func (c *cylinder) discContact(f *face, p r3.Vec) (at r3.Vec, off float64, ok bool) {
	g := face{r3.Sub(f[0], p), r3.Sub(f[1], p), r3.Sub(f[2], p)}
	q, _ := g.nearestToOrigin()
	d := c.perpendicular(q)
	off = math.Sqrt(r3.Dot(d, d))
	return r3.Add(p, q), off, off <= c.radius
}

// clipLine returns the range of x, within -half to half, for which the point p + x·along is in the face. The
// line must be in the face's plane. low is above high if there is no such point.
func (f *face) clipLine(p, along r3.Vec, half float64) (low, high float64) {
	low, high = -half, half
	n := f.normal()
	for k := range 3 {
		in := r3.Cross(n, r3.Sub(f[(k+1)%3], f[k])) // into the face
		at, rise := r3.Dot(r3.Sub(p, f[k]), in), r3.Dot(along, in)
		switch cut := -at / rise; {
		case rise > 0:
			low = max(low, cut)
		case rise < 0:
			high = min(high, cut)
		case at < 0:
			return 1, 0
		}
	}
	return low, high
}

// corner offers the contacts of a corner p with the lateral surface and with an end.
func (c *cylinder) corner(p r3.Vec, triangle int, kind feature, best *firstContact) {
	across, gap := c.perpendicular(c.motion), c.perpendicular(p)
	t, ok := firstRoot(r3.Dot(across, across), -r3.Dot(across, gap), r3.Dot(gap, gap)-c.radius*c.radius)
	from := r3.Sub(p, r3.Scale(t, c.motion))
	if ok && math.Abs(r3.Dot(from, c.axle)) <= c.halfWidth {
		best.offer(t, p, r3.Scale(-1/c.radius, c.perpendicular(from)), triangle, kind)
	}
	speed, ahead := r3.Dot(c.motion, c.axle), r3.Dot(p, c.axle)
	end := math.Copysign(c.halfWidth, speed)
	if t := (ahead - end) / speed; speed != 0 && t >= 0 {
		from := c.perpendicular(r3.Sub(p, r3.Scale(t, c.motion)))
		if r3.Dot(from, from) <= c.radius*c.radius {
			best.offer(t, p, r3.Scale(-math.Copysign(1, speed), c.axle), triangle, kind)
		}
	}
}

// side offers the contact of an edge from p to p+e with the lateral surface, both between their ends.
func (c *cylinder) side(p, e r3.Vec, triangle int, kind feature, best *firstContact) {
	m := r3.Cross(e, c.axle)
	length := math.Sqrt(r3.Dot(m, m))
	per := 1 / r3.Dot(e, e)
	if length*length*per < 1e-18 {
		c.parallel(p, e, triangle, kind, best)
		return
	}
	m = r3.Scale(1/length, m)
	gap, speed := -r3.Dot(p, m), r3.Dot(c.motion, m)
	if gap < 0 {
		gap, speed, m = -gap, -speed, r3.Scale(-1, m)
	}
	if !(speed < 0) || gap < c.radius {
		return
	}
	t := (c.radius - gap) / speed
	// The contact point on the edge, from the point of the cylinder nearest to the edge's line.
	foot := r3.Sub(r3.Sub(r3.Scale(t, c.motion), r3.Scale(c.radius, m)), p)
	square := r3.Cross(c.axle, m)
	s := r3.Dot(foot, square) / r3.Dot(e, square)
	at := r3.Add(p, r3.Scale(s, e))
	along := r3.Dot(r3.Sub(at, r3.Scale(t, c.motion)), c.axle)
	if s >= 0 && s <= 1 && math.Abs(along) <= c.halfWidth {
		best.offer(t, at, m, triangle, kind)
	}
}

// parallel offers the contact of an edge parallel to the axle with the lateral surface.
func (c *cylinder) parallel(p, e r3.Vec, triangle int, kind feature, best *firstContact) {
	across, gap := c.perpendicular(c.motion), c.perpendicular(p)
	t, ok := firstRoot(r3.Dot(across, across), -r3.Dot(across, gap), r3.Dot(gap, gap)-c.radius*c.radius)
	if !ok {
		return
	}
	from := r3.Sub(p, r3.Scale(t, c.motion))
	a := r3.Dot(from, c.axle)
	b := a + r3.Dot(e, c.axle)
	low, high := max(min(a, b), -c.halfWidth), min(max(a, b), c.halfWidth)
	if low <= high {
		off := min(max(0, low), high)
		at := r3.Add(r3.Scale(t, c.motion), r3.Add(c.perpendicular(from), r3.Scale(off, c.axle)))
		best.offerContact(firstContact{t, at, r3.Scale(-1/c.radius, c.perpendicular(from)), triangle, kind, math.Abs(off)})
	}
}

// rim offers the contacts of an edge with the circle at one end of the cylinder. They are where the circle
// crosses the plane in which the edge moves relative to the cylinder.
func (c *cylinder) rim(p, e r3.Vec, end float64, triangle int, kind feature, best *firstContact) {
	n := r3.Cross(e, c.motion)
	flat := c.perpendicular(n)
	size := math.Sqrt(r3.Dot(flat, flat))
	middle := r3.Scale(end, c.axle)
	if size*size <= 1e-24*r3.Dot(n, n) {
		return // the whole circle is in the plane, or no point of it
	}
	u := r3.Scale(1/size, flat)
	v := r3.Cross(c.axle, u)
	x := r3.Dot(r3.Sub(p, middle), n) / size
	y := c.radius*c.radius - x*x
	if y < 0 {
		return
	}
	for _, y := range [2]float64{math.Sqrt(y), -math.Sqrt(y)} {
		q := r3.Add(middle, r3.Add(r3.Scale(x, u), r3.Scale(y, v)))
		// q + t·motion = p + s·e, normal to the edge and to the motion.
		d := r3.Sub(p, q)
		nn := r3.Dot(n, n)
		t := r3.Dot(r3.Cross(e, d), n) / nn
		s := r3.Dot(r3.Cross(c.motion, d), n) / nn
		if s >= 0 && s <= 1 {
			best.offer(t, r3.Add(q, r3.Scale(t, c.motion)), c.rimNormal(q, middle, e), triangle, kind)
		}
	}
}

// rimNormal returns the unit vector perpendicular to the edge and to the circle at q, towards the cylinder's
// center.
func (c *cylinder) rimNormal(q, middle, e r3.Vec) r3.Vec {
	out := r3.Sub(q, middle)
	n := r3.Cross(e, r3.Cross(c.axle, out))
	length := math.Sqrt(r3.Dot(n, n))
	if !(length > 1e-12*math.Sqrt(r3.Dot(e, e))*c.radius) {
		return r3.Scale(-1/c.radius, out)
	}
	return r3.Scale(math.Copysign(1/length, -r3.Dot(n, q)), n)
}

// clippedTriangle is the polygon that remains of a triangle after it was clipped by up to two planes.
type clippedTriangle struct {
	p [5]r3.Vec // corners
	n int       // number of corners
}

// clip removes the part of the polygon whose coordinate along n is above limit.
func (s *clippedTriangle) clip(n r3.Vec, limit float64) {
	old := *s
	s.n = 0
	for i := range old.n {
		a, b := old.p[i], old.p[(i+1)%old.n]
		x, y := r3.Dot(a, n)-limit, r3.Dot(b, n)-limit
		if x <= 0 {
			s.add(a)
		}
		if x < 0 && y > 0 || x > 0 && y < 0 {
			s.add(r3.Add(a, r3.Scale(x/(x-y), r3.Sub(b, a))))
		}
	}
}

// add appends a corner.
func (s *clippedTriangle) add(p r3.Vec) {
	if s.n < len(s.p) {
		s.p[s.n] = p
		s.n++
	}
}
