package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// cylinder is a body.
type cylinder struct {
	way, axle    r3.Vec
	radius, half float64
}

// SweepCylinder returns what a cylinder of a radius and half a width [m] about
// axle meets first on its way [m]: flat triangles decide, as for a sphere. Where
// it lies on a face or an edge with a line or a disc, the point is the nearest to the
// middle of that.
func (m *Mesh) SweepCylinder(from, axle r3.Vec, radius, half float64, way r3.Vec) (Hit, bool) {
	long := math.Sqrt(r3.Dot(axle, axle))
	if !(radius > 0 && half > 0 && long > 0) || !finite(long) {
		return Hit{}, false
	}
	c := cylinder{way, r3.Scale(1/long, axle), radius, half}
	size := [3]float64{c.reach(r3.Vec{X: 1}), c.reach(r3.Vec{Y: 1}), c.reach(r3.Vec{Z: 1})}
	meet := func(f face, triangle int, best touched) touched {
		c.meet(&f, triangle, &best)
		return best
	}
	return m.sweep(from, way, size, meet, c.reach)
}

// reach returns how far the cylinder extends from its centre along or against n.
func (c *cylinder) reach(n r3.Vec) float64 {
	along := r3.Dot(n, c.axle)
	return c.radius*math.Sqrt(max(0, 1-along*along)) + c.half*math.Abs(along)
}

// meet tries all pairs of features that two convex bodies can meet with: the
// face with the cylinder's foremost place, each corner with its side and ends,
// each edge with its side and rims.
func (c *cylinder) meet(f *face, triangle int, best *touched) {
	if c.cuts(f, triangle, best) {
		return
	}
	c.face(f, triangle, best)
	for k := range 3 {
		c.corner(f[k], triangle, feature(4+k), best)
		e := r3.Sub(f[(k+1)%3], f[k])
		c.side(f[k], e, triangle, feature(1+k), best)
		c.rim(f[k], e, c.half, triangle, feature(1+k), best)
		c.rim(f[k], e, -c.half, triangle, feature(1+k), best)
	}
}

// across returns the part of a vector square to the axle.
func (c *cylinder) across(v r3.Vec) r3.Vec { return r3.Sub(v, r3.Scale(r3.Dot(v, c.axle), c.axle)) }

// cuts tells whether the cylinder is in the triangle from the start: whether what
// of that is between its ends comes nearer to the axle than the radius.
func (c *cylinder) cuts(f *face, triangle int, best *touched) bool {
	var s strip
	s.set(f[:])
	s.cut(c.axle, c.half)
	s.cut(r3.Scale(-1, c.axle), c.half)
	near, at := math.Inf(1), r3.Vec{}
	for i := range s.n {
		g := face{s.p[0], s.p[i], s.p[(i+1)%s.n]}
		if p := c.nearAxle(&g); r3.Dot(c.across(p), c.across(p)) < near {
			near, at = r3.Dot(c.across(p), c.across(p)), p
		}
	}
	const touching = 1 - 1e-12
	if !(near < c.radius*c.radius*touching) {
		return false
	}
	n := f.facing()
	if near > 0 {
		n = r3.Scale(-1/math.Sqrt(near), c.across(at))
	}
	best.take(0, at, n, triangle, 0)
	return true
}

// nearAxle returns the place of a triangle that is nearest to the axle's line.
func (c *cylinder) nearAxle(f *face) r3.Vec {
	n := f.normal()
	if lean := r3.Dot(n, c.axle); lean != 0 {
		p := r3.Scale(r3.Dot(f[0], n)/lean, c.axle)
		if finite(r3.Dot(p, p)) && f.holds(p, n) {
			return p
		}
	}
	near, best := math.Inf(1), f[0]
	for k := range 3 {
		a, b := c.across(f[k]), c.across(f[(k+1)%3])
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

// face meets the plane with the foremost place, line or disc.
func (c *cylinder) face(f *face, triangle int, best *touched) {
	n := f.facing()
	closing := -r3.Dot(c.way, n)
	gap := -r3.Dot(f[0], n) - c.reach(n)
	if !(closing > 0) || gap < -1e-9*c.radius {
		return
	}
	t := max(gap/closing, 0)
	centre := r3.Scale(t, c.way)
	if p, off, ok := c.lies(f, centre, n); ok {
		best.prefer(touched{t, p, n, triangle, 0, off})
	}
}

// lies returns the place where the cylinder lies on a face, the nearest to the
// middle of what could lie there, how far it is from that, and whether any does.
func (c *cylinder) lies(f *face, centre, n r3.Vec) (at r3.Vec, off float64, ok bool) {
	const level = 1e-9
	along := r3.Dot(n, c.axle)
	out := c.across(n)
	long := math.Sqrt(r3.Dot(out, out))
	if long < level { // a disc
		p := r3.Sub(centre, r3.Scale(math.Copysign(c.half, along), c.axle))
		return c.disc(f, p)
	}
	p := r3.Sub(centre, r3.Scale(c.radius/long, out))
	if math.Abs(along) > level { // a point of a rim
		p = r3.Sub(p, r3.Scale(math.Copysign(c.half, along), c.axle))
		return p, 0, f.holds(p, f.normal())
	}
	low, high := f.crossed(p, c.axle, c.half)
	off = min(max(0, low), high)
	return r3.Add(p, r3.Scale(off, c.axle)), math.Abs(off), low <= high
}

// disc returns the place of a face nearest to the middle of a disc on it, and
// whether it is on the disc.
func (c *cylinder) disc(f *face, p r3.Vec) (at r3.Vec, off float64, ok bool) {
	g := face{r3.Sub(f[0], p), r3.Sub(f[1], p), r3.Sub(f[2], p)}
	q, _ := g.nearest()
	d := c.across(q)
	off = math.Sqrt(r3.Dot(d, d))
	return r3.Add(p, q), off, off <= c.radius
}

// crossed returns which part of a line in the face's plane from p-half to p+half
// is in the face.
func (f *face) crossed(p, along r3.Vec, half float64) (low, high float64) {
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

// corner meets a corner with the side or an end.
func (c *cylinder) corner(p r3.Vec, triangle int, kind feature, best *touched) {
	way, gap := c.across(c.way), c.across(p)
	t, ok := root(r3.Dot(way, way), -r3.Dot(way, gap), r3.Dot(gap, gap)-c.radius*c.radius)
	from := r3.Sub(p, r3.Scale(t, c.way))
	if ok && math.Abs(r3.Dot(from, c.axle)) <= c.half {
		best.take(t, p, r3.Scale(-1/c.radius, c.across(from)), triangle, kind)
	}
	speed, ahead := r3.Dot(c.way, c.axle), r3.Dot(p, c.axle)
	end := math.Copysign(c.half, speed)
	if t := (ahead - end) / speed; speed != 0 && t >= 0 {
		from := c.across(r3.Sub(p, r3.Scale(t, c.way)))
		if r3.Dot(from, from) <= c.radius*c.radius {
			best.take(t, p, r3.Scale(-math.Copysign(1, speed), c.axle), triangle, kind)
		}
	}
}

// side meets an edge with the side, both between their ends.
func (c *cylinder) side(p, e r3.Vec, triangle int, kind feature, best *touched) {
	m := r3.Cross(e, c.axle)
	long := math.Sqrt(r3.Dot(m, m))
	per := 1 / r3.Dot(e, e)
	if long*long*per < 1e-18 {
		c.parallel(p, e, triangle, kind, best)
		return
	}
	m = r3.Scale(1/long, m)
	gap, speed := -r3.Dot(p, m), r3.Dot(c.way, m)
	if gap < 0 {
		gap, speed, m = -gap, -speed, r3.Scale(-1, m)
	}
	if !(speed < 0) || gap < c.radius {
		return
	}
	t := (c.radius - gap) / speed
	// The place on the edge: from the foot of the centre on it, c - r·m.
	foot := r3.Sub(r3.Sub(r3.Scale(t, c.way), r3.Scale(c.radius, m)), p)
	square := r3.Cross(c.axle, m)
	s := r3.Dot(foot, square) / r3.Dot(e, square)
	at := r3.Add(p, r3.Scale(s, e))
	along := r3.Dot(r3.Sub(at, r3.Scale(t, c.way)), c.axle)
	if s >= 0 && s <= 1 && math.Abs(along) <= c.half {
		best.take(t, at, m, triangle, kind)
	}
}

// parallel meets an edge along the axle with the side.
func (c *cylinder) parallel(p, e r3.Vec, triangle int, kind feature, best *touched) {
	way, gap := c.across(c.way), c.across(p)
	t, ok := root(r3.Dot(way, way), -r3.Dot(way, gap), r3.Dot(gap, gap)-c.radius*c.radius)
	if !ok {
		return
	}
	from := r3.Sub(p, r3.Scale(t, c.way))
	a := r3.Dot(from, c.axle)
	b := a + r3.Dot(e, c.axle)
	low, high := max(min(a, b), -c.half), min(max(a, b), c.half)
	if low <= high {
		off := min(max(0, low), high)
		at := r3.Add(r3.Scale(t, c.way), r3.Add(c.across(from), r3.Scale(off, c.axle)))
		best.prefer(touched{t, at, r3.Scale(-1/c.radius, c.across(from)), triangle, kind, math.Abs(off)})
	}
}

// rim meets an edge with the circle at one end: where the circle crosses the
// plane that the edge moves in as seen from the cylinder.
func (c *cylinder) rim(p, e r3.Vec, end float64, triangle int, kind feature, best *touched) {
	n := r3.Cross(e, c.way)
	flat := c.across(n)
	size := math.Sqrt(r3.Dot(flat, flat))
	middle := r3.Scale(end, c.axle)
	if size*size <= 1e-24*r3.Dot(n, n) {
		return // all of the circle is in the plane, or none
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
		// q + t·way = p + s·e, square to the edge and to the way.
		d := r3.Sub(p, q)
		nn := r3.Dot(n, n)
		t := r3.Dot(r3.Cross(e, d), n) / nn
		s := r3.Dot(r3.Cross(c.way, d), n) / nn
		if s >= 0 && s <= 1 {
			best.take(t, r3.Add(q, r3.Scale(t, c.way)), c.rimNormal(q, middle, e), triangle, kind)
		}
	}
}

// rimNormal is square to the edge and to the circle, towards the centre.
func (c *cylinder) rimNormal(q, middle, e r3.Vec) r3.Vec {
	out := r3.Sub(q, middle)
	n := r3.Cross(e, r3.Cross(c.axle, out))
	long := math.Sqrt(r3.Dot(n, n))
	if !(long > 1e-12*math.Sqrt(r3.Dot(e, e))*c.radius) {
		return r3.Scale(-1/c.radius, out)
	}
	return r3.Scale(math.Copysign(1/long, -r3.Dot(n, q)), n)
}

// strip is a triangle cut by planes.
type strip struct {
	p [5]r3.Vec
	n int
}

func (s *strip) set(p []r3.Vec) { s.n = copy(s.p[:], p) }

// cut leaves what is not further along n than most.
func (s *strip) cut(n r3.Vec, most float64) {
	old := *s
	s.n = 0
	for i := range old.n {
		a, b := old.p[i], old.p[(i+1)%old.n]
		x, y := r3.Dot(a, n)-most, r3.Dot(b, n)-most
		if x <= 0 {
			s.add(a)
		}
		if x < 0 && y > 0 || x > 0 && y < 0 {
			s.add(r3.Add(a, r3.Scale(x/(x-y), r3.Sub(b, a))))
		}
	}
}

func (s *strip) add(p r3.Vec) {
	if s.n < len(s.p) {
		s.p[s.n] = p
		s.n++
	}
}
