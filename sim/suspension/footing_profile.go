package suspension

import (
	"math"
)

// profile is the ground below a wheel as seen so far: facets from the rear to
// the front, each reaching to where it meets the next.
type profile struct {
	facets     [mostRays + mostFinds]facet
	supports   [mostRays + mostFinds]support // one of each facet
	n          int
	optimistic bool // an edge counts as near as it can be until it is found
}

// insert puts a facet before the one that was at its place.
func (p *profile) insert(at int, f facet) {
	copy(p.facets[at+1:p.n+1], p.facets[at:p.n])
	copy(p.supports[at+1:p.n+1], p.supports[at:p.n])
	p.facets[at] = f
	p.n++
	p.measure(at-1, at+2)
}

// measure finds the supports of facets.
func (p *profile) measure(from, to int) {
	for i := max(from, 0); i < min(to, p.n); i++ {
		p.supports[i] = p.support(i)
	}
}

// gap is how a facet goes over into the next one.
type gap struct {
	end, start float64 // of the two, along their lines
	x, y       float64 // where they cross
	cross      float64 // sine of the angle between them, 0 if they do not meet
	step       float64 // length over which an edge may be anywhere [m]
}

// gap looks between facets i and i+1.
//
// Where they do not meet between the places they were seen there is a step. The
// higher one then reaches no further than it was seen, or all the way to where
// the lower was.
func (p *profile) gap(i int) gap {
	f, g := &p.facets[i], &p.facets[i+1]
	if k := meet(f, g); k.cross != 0 {
		return k
	}
	mx, my := (f.x+g.x)/2, (f.y+g.y)/2
	k := gap{end: f.along(mx, my), start: g.along(mx, my)}
	const sunk = -1e-9 // [m]
	if g.over(f.x, f.y) < sunk {
		k.step = g.along(g.x-f.x, g.y-f.y)
		k.start = g.along(g.x, g.y)
		if p.optimistic {
			k.start -= k.step
		}
	}
	if f.over(g.x, g.y) < sunk {
		step := f.along(g.x-f.x, g.y-f.y)
		k.step = max(k.step, step)
		k.end = f.along(f.x, f.y)
		if p.optimistic {
			k.end += step
		}
	}
	return k
}

// meet returns the crease of two facets between the places they were seen.
func meet(f, g *facet) gap {
	cross := f.a*g.b - g.a*f.b
	if math.Abs(cross) < 1e-9 {
		return gap{}
	}
	k := gap{x: (f.c*g.b - g.c*f.b) / cross, y: (f.a*g.c - g.a*f.c) / cross, cross: cross}
	k.end, k.start = f.along(k.x, k.y), g.along(k.x, k.y)
	if k.end < f.along(f.x, f.y) || k.start > g.along(g.x, g.y) {
		return gap{}
	}
	return k
}

// support is a place of the ground that may carry the wheel.
type support struct {
	x, y   float64 // unit vector from it to the hub, or out of the ground
	d      float64 // distance of the hub [m]
	tilt   float64 // of the plane to the left, for x and y of one
	px, py float64 // the place
	edge   bool    // one whose direction turns with the hub
	ka, kb float64 // of an edge: its tilt is ka·x + kb·y
	rear   bool    // an edge at the facet's rear end
	Ground
}

// support returns the place of a facet nearest to the hub.
func (p *profile) support(i int) support {
	if i > 0 {
		if k := p.gap(i - 1); k.start > 0 {
			return p.corner(i, i-1, k, k.start)
		}
	}
	if i+1 < p.n {
		if k := p.gap(i); k.end < 0 {
			return p.corner(i, i, k, k.end)
		}
	}
	return p.facets[i].support()
}

// support returns the facet as if it had no end.
func (f *facet) support() support {
	return support{x: f.a, y: f.b, d: -f.c, tilt: f.tilt, px: f.c * f.a, py: f.c * f.b, Ground: f.Ground}
}

// corner is the end of facet i at gap j, at a place along its line [m].
//
// The edge is the line in which two facets meet; that of a step is taken to be
// square to the wheel's way on the higher one. The plane on it holds the edge.
func (p *profile) corner(i, j int, k gap, along float64) support {
	f := &p.facets[i]
	x, y := f.c*f.a+along*f.b, f.c*f.b-along*f.a
	d := math.Sqrt(x*x + y*y)
	if !(d > 0) {
		return f.support()
	}
	s := support{x: -x / d, y: -y / d, d: d, px: x, py: y, edge: true, rear: j < i, Ground: f.Ground}
	s.ka, s.kb = f.tilt*f.a, f.tilt*f.b
	if k.cross != 0 {
		l, r := &p.facets[j], &p.facets[j+1]
		s.ka, s.kb = (l.tilt*r.b-r.tilt*l.b)/k.cross, (l.a*r.tilt-r.a*l.tilt)/k.cross
	}
	s.tilt = s.ka*s.x + s.kb*s.y
	return s
}

// nearest returns the facet that carries the wheel.
func (p *profile) nearest() int {
	best := 0
	for i := 1; i < p.n; i++ {
		if p.supports[i].d < p.supports[best].d {
			best = i
		}
	}
	return best
}

// rival returns the nearest of the facets that carry the wheel too, as the
// ground between them and the best is hollow, or -1.
func (p *profile) rival(best *support, radius float64) int {
	rival := -1
	if !(best.d < radius) {
		return rival
	}
	for i := range p.n {
		s := &p.supports[i]
		if (rival < 0 || s.d < p.supports[rival].d) && best.faces(s) {
			rival = i
		}
	}
	return rival
}

// doubt returns the place to look at for more certainty about a facet's support,
// and which facet is to follow what is found there.
func (p *profile) doubt(i int) (x, y float64, at int, ok bool) {
	const close = 1e-5 // [m]
	s, f := &p.supports[i], &p.facets[i]
	ahead := f.along(s.px-f.x, s.py-f.y)
	j := i // the gap on the support's side
	if s.rear || !s.edge && ahead < 0 {
		j--
	}
	var k gap
	if j >= 0 && j+1 < p.n {
		k = p.gap(j)
	}
	if k.step > close {
		l, r := &p.facets[j], &p.facets[j+1]
		return (l.x + r.x) / 2, (l.y + r.y) / 2, j + 1, true
	}
	if !s.edge {
		return s.px, s.py, j + 1, math.Abs(ahead) > close
	}
	return k.x, k.y, j + 1, p.rounded(j, k, close)
}

// rounded tells whether there may be a curve where two facets meet, neither of
// which was seen there.
func (p *profile) rounded(j int, k gap, close float64) bool {
	const sharp = 0.7 // sine of an angle that is an edge
	l, r := &p.facets[j], &p.facets[j+1]
	return k.cross != 0 && math.Abs(k.cross) < sharp &&
		min(k.end-l.along(l.x, l.y), r.along(r.x, r.y)-k.start) > close
}

// stand returns what the wheel stands on, given the nearest support.
//
// Between two supports, as between ground and kerb, the tire is pushed away from
// the place where the hub of a rigid wheel would rest on both.
func (p *profile) stand(best *support, radius float64) support {
	if i := p.rival(best, radius); i >= 0 {
		return best.wedge(&p.supports[i], radius)
	}
	return *best
}

// faces tells whether the ground between two supports is hollow.
func (s *support) faces(o *support) bool {
	const hollow = 1e-9 // [m]
	x, y := o.px-s.px, o.py-s.py
	return s.x*x+s.y*y > hollow && -(o.x*x+o.y*y) > hollow
}

// seen returns the support's direction as seen from a place of the hub, how far
// it pushes a rigid wheel there [m], and its tilt.
func (s *support) seen(x, y, radius float64) (ox, oy, push, tilt float64) {
	if !s.edge {
		return s.x, s.y, radius - s.d - s.x*x - s.y*y, s.tilt
	}
	ox, oy = x-s.px, y-s.py
	d := math.Sqrt(ox*ox + oy*oy)
	ox, oy = ox/d, oy/d
	return ox, oy, radius - d, s.ka*ox + s.kb*oy
}

// wedge returns the support of a hub that is below the resting place of a rigid
// wheel on both, or s if it is not. The place is found by Newton's method.
func (s *support) wedge(o *support, radius float64) support {
	var x, y float64 // of the place
	for range 6 {
		sx, sy, sq, st := s.seen(x, y, radius)
		ox, oy, oq, ot := o.seen(x, y, radius)
		sin, dot := sx*oy-sy*ox, sx*ox+sy*oy
		if sin*sin < 1e-9 {
			return *s
		}
		if math.Abs(sq)+math.Abs(oq) < 1e-12 {
			u, v := (x*oy-y*ox)/sin, (sx*y-sy*x)/sin
			return s.between(x, y, u*st+v*ot, u > 0 && v > 0, radius)
		}
		u, v := (sq-dot*oq)/(sin*sin), (oq-dot*sq)/(sin*sin)
		x += u*sx + v*ox
		y += u*sy + v*oy
	}
	return *s
}

// between returns the support that pushes towards a resting place, if the hub is
// below it; tilt is that of the push times its length.
func (s *support) between(x, y, tilt float64, below bool, radius float64) support {
	deep := math.Sqrt(x*x + y*y)
	if !below || !(deep < radius) {
		return *s
	}
	return support{x: x / deep, y: y / deep, d: radius - deep, tilt: tilt / deep, edge: true, Ground: s.Ground}
}
