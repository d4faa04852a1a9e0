package suspension

import (
	"math"
)

// profile is the known part of the ground below a wheel: facets from rear to front. Each facet ends where it
// meets the next one.
type profile struct {
	facets   [maxRays + maxProbes]facet
	supports [maxRays + maxProbes]support // the support of each facet
	n        int
	// until an edge between two probes is found, it is assumed to be as near to the hub as it can be
	assumeNearEdges bool
}

// insert inserts a facet at an index and updates the supports of its neighbors.
func (p *profile) insert(at int, f facet) {
	copy(p.facets[at+1:p.n+1], p.facets[at:p.n])
	copy(p.supports[at+1:p.n+1], p.supports[at:p.n])
	p.facets[at] = f
	p.n++
	p.updateSupports(at-1, at+2)
}

// updateSupports computes the supports of the facets with indices first to end-1.
func (p *profile) updateSupports(first, end int) {
	for i := max(first, 0); i < min(end, p.n); i++ {
		p.supports[i] = p.support(i)
	}
}

// gap describes the transition between two neighboring facets.
type gap struct {
	end, start float64 // end of the first and start of the second, along their lines [m]
	x, y       float64 // point where they cross
	cross      float64 // sine of the angle between them; 0 if they do not meet
	step       float64 // length of the range in which the edge of a step must be [m]; 0 if there is no step
}

// gap returns the transition between facets i and i+1.
//
// If they meet between the points where they were probed, the transition is their crossing. Otherwise there is
// a step, whose edge is the end of the higher facet. It is at the higher facet's probed point or, with
// assumeNearEdges, above the lower facet's probed point.
func (p *profile) gap(i int) gap {
	f, g := &p.facets[i], &p.facets[i+1]
	if k := crease(f, g); k.cross != 0 {
		return k
	}
	mx, my := (f.x+g.x)/2, (f.y+g.y)/2
	k := gap{end: f.alongLine(mx, my), start: g.alongLine(mx, my)}
	const tolerance = -1e-9 // [m]
	if g.heightOver(f.x, f.y) < tolerance {
		k.step = g.alongLine(g.x-f.x, g.y-f.y)
		k.start = g.alongLine(g.x, g.y)
		if p.assumeNearEdges {
			k.start -= k.step
		}
	}
	if f.heightOver(g.x, g.y) < tolerance {
		step := f.alongLine(g.x-f.x, g.y-f.y)
		k.step = max(k.step, step)
		k.end = f.alongLine(f.x, f.y)
		if p.assumeNearEdges {
			k.end += step
		}
	}
	return k
}

// crease returns the transition of two facets that meet between their probed points. If they do not meet there,
// cross is 0.
func crease(f, g *facet) gap {
	cross := f.a*g.b - g.a*f.b
	if math.Abs(cross) < 1e-9 {
		return gap{}
	}
	k := gap{x: (f.c*g.b - g.c*f.b) / cross, y: (f.a*g.c - g.a*f.c) / cross, cross: cross}
	k.end, k.start = f.alongLine(k.x, k.y), g.alongLine(k.x, k.y)
	if k.end < f.alongLine(f.x, f.y) || k.start > g.alongLine(g.x, g.y) {
		return gap{}
	}
	return k
}

// support is a point of the ground that may carry the wheel.
type support struct {
	x, y               float64 // unit vector from the point to the hub, or the facet's normal
	distance           float64 // distance from the hub [m]
	tilt               float64 // tilt of the plane to the left, as in facet
	px, py             float64 // coordinates of the point [m]
	edge               bool    // the point is on an edge, so that (x, y) depends on the hub's position
	tiltPerX, tiltPerY float64 // of an edge, whose tilt is tiltPerX·x + tiltPerY·y
	rear               bool    // the point is at the facet's rear end
	Ground
}

// support returns the point of facet i, between its ends, that is nearest to the hub.
func (p *profile) support(i int) support {
	if i > 0 {
		if k := p.gap(i - 1); k.start > 0 {
			return p.endSupport(i, i-1, k, k.start)
		}
	}
	if i+1 < p.n {
		if k := p.gap(i); k.end < 0 {
			return p.endSupport(i, i, k, k.end)
		}
	}
	return p.facets[i].support()
}

// support returns the point of a facet that is nearest to the hub, as if the facet had no ends.
func (f *facet) support() support {
	return support{x: f.a, y: f.b, distance: -f.c, tilt: f.tilt, px: f.c * f.a, py: f.c * f.b, Ground: f.Ground}
}

// endSupport returns the support at the end of facet i at gap j. along is the end's coordinate along the
// facet's line [m].
//
// The support is an edge: the line in which the two facets meet. The edge of a step is assumed to be
// perpendicular to the wheel's heading on the higher facet. The plane of the support contains the edge.
func (p *profile) endSupport(i, j int, k gap, along float64) support {
	f := &p.facets[i]
	x, y := f.c*f.a+along*f.b, f.c*f.b-along*f.a
	d := math.Sqrt(x*x + y*y)
	if !(d > 0) {
		return f.support()
	}
	s := support{x: -x / d, y: -y / d, distance: d, px: x, py: y, edge: true, rear: j < i, Ground: f.Ground}
	s.tiltPerX, s.tiltPerY = f.tilt*f.a, f.tilt*f.b
	if k.cross != 0 {
		l, r := &p.facets[j], &p.facets[j+1]
		s.tiltPerX, s.tiltPerY = (l.tilt*r.b-r.tilt*l.b)/k.cross, (l.a*r.tilt-r.a*l.tilt)/k.cross
	}
	s.tilt = s.tiltPerX*s.x + s.tiltPerY*s.y
	return s
}

// nearest returns the index of the facet whose support is nearest to the hub. It carries the wheel.
func (p *profile) nearest() int {
	best := 0
	for i := 1; i < p.n; i++ {
		if p.supports[i].distance < p.supports[best].distance {
			best = i
		}
	}
	return best
}

// secondSupport returns the index of a second facet that carries the wheel because the ground between it and
// the best support is hollow; -1 if there is none.
func (p *profile) secondSupport(best *support, radius float64) int {
	second := -1
	if !(best.distance < radius) {
		return second
	}
	for i := range p.n {
		s := &p.supports[i]
		if (second < 0 || s.distance < p.supports[second].distance) && best.hollowTo(s) {
			second = i
		}
	}
	return second
}

// nextProbe returns the point to probe next to make the support of facet i more certain, and the index at
// which the facet found there must be inserted. ok is false if no probe is needed.
func (p *profile) nextProbe(i int) (x, y float64, index int, ok bool) {
	const close = 1e-5 // [m]
	s, f := &p.supports[i], &p.facets[i]
	ahead := f.alongLine(s.px-f.x, s.py-f.y)
	j := i // index of the gap that is nearer to the support: i in front of the facet, i-1 behind it
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
	return k.x, k.y, j + 1, p.mayBeCurved(j, k, close)
}

// mayBeCurved reports whether the ground may be curved at gap j: the facets meet at an obtuse angle, and far
// from the points at which they were probed.
func (p *profile) mayBeCurved(j int, k gap, close float64) bool {
	const sharp = 0.7 // sine of an angle that is an edge
	l, r := &p.facets[j], &p.facets[j+1]
	return k.cross != 0 && math.Abs(k.cross) < sharp &&
		min(k.end-l.alongLine(l.x, l.y), r.alongLine(r.x, r.y)-k.start) > close
}

// standingSupport returns the support of the wheel, given the nearest one.
//
// If the wheel stands on two supports, for example on ground and kerb, the force on the tire points to the
// position in which the hub of a rigid wheel would rest on both.
func (p *profile) standingSupport(best *support, radius float64) support {
	if i := p.secondSupport(best, radius); i >= 0 {
		return best.betweenTwo(&p.supports[i], radius)
	}
	return *best
}

// hollowTo reports whether the ground between two supports is hollow.
func (s *support) hollowTo(o *support) bool {
	const hollow = 1e-9 // [m]
	x, y := o.px-s.px, o.py-s.py
	return s.x*x+s.y*y > hollow && -(o.x*x+o.y*y) > hollow
}

// overlapAt returns, for a hub at (x, y) [m], the unit vector (ox, oy) from the support to the hub, the depth
// by which a rigid wheel of this radius would overlap the support [m], and the support's tilt.
func (s *support) overlapAt(x, y, radius float64) (ox, oy, overlap, tilt float64) {
	if !s.edge {
		return s.x, s.y, radius - s.distance - s.x*x - s.y*y, s.tilt
	}
	ox, oy = x-s.px, y-s.py
	d := math.Sqrt(ox*ox + oy*oy)
	ox, oy = ox/d, oy/d
	return ox, oy, radius - d, s.tiltPerX*ox + s.tiltPerY*oy
}

// betweenTwo returns the support of a wheel that stands on both s and o, or s if the hub is not below the
// position in which a rigid wheel rests on both. It finds that position by Newton's method.
func (s *support) betweenTwo(o *support, radius float64) support {
	var x, y float64 // resting position
	for range 6 {
		sx, sy, sOverlap, sTilt := s.overlapAt(x, y, radius)
		ox, oy, oOverlap, oTilt := o.overlapAt(x, y, radius)
		sin, dot := sx*oy-sy*ox, sx*ox+sy*oy
		if sin*sin < 1e-9 {
			return *s
		}
		if math.Abs(sOverlap)+math.Abs(oOverlap) < 1e-12 {
			u, v := (x*oy-y*ox)/sin, (sx*y-sy*x)/sin
			return s.towardsRest(x, y, u*sTilt+v*oTilt, u > 0 && v > 0, radius)
		}
		u, v := (sOverlap-dot*oOverlap)/(sin*sin), (oOverlap-dot*sOverlap)/(sin*sin)
		x += u*sx + v*ox
		y += u*sy + v*oy
	}
	return *s
}

// towardsRest returns the support whose force points to the resting position (x, y), or s if the hub is not
// below that position. tilt is the support's tilt times the distance to that position.
func (s *support) towardsRest(x, y, tilt float64, below bool, radius float64) support {
	distance := math.Sqrt(x*x + y*y)
	if !below || !(distance < radius) {
		return *s
	}
	return support{x: x / distance, y: y / distance, distance: radius - distance, tilt: tilt / distance,
		edge: true, Ground: s.Ground}
}
