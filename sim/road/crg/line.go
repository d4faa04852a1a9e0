package crg

import "math"

// refLine is the reference line: points at equal steps of u with straight pieces
// between them. A cut across it at a point halves the angle between the pieces
// there, so that u and v have no gaps or overlaps near the line.
type refLine struct {
	begin, step float64 // u of the first point, and between points [m]
	points      []point // nil if it is straight
	tree        tree
	head, tail  lineEnd // where it begins and ends
	from, loop  float64 // where u begins and how long it is on a closed track [m]; a loop of 0 is open
}

type point struct{ x, y float64 }

func (a point) minus(b point) point       { return point{a.x - b.x, a.y - b.y} }
func (a point) dot(b point) float64       { return a.x*b.x + a.y*b.y }
func (a point) cross(b point) float64     { return a.x*b.y - a.y*b.x }
func (a point) times(k float64) point     { return point{k * a.x, k * a.y} }
func (a point) plus(b point) point        { return point{a.x + b.x, a.y + b.y} }
func (a point) left() point               { return point{-a.y, a.x} }
func (a point) unit() point               { return a.times(1 / math.Sqrt(a.dot(a))) }
func between(a, b point, p float64) point { return point{mix(a.x, b.x, p), mix(a.y, b.y, p)} }

// lineEnd is an end of the line, from where it goes on straight.
type lineEnd struct {
	at  point
	dir point   // unit, along growing u
	u   float64 // [m]
}

// locate returns the place of a point on the straight line through the end.
func (e *lineEnd) locate(p point) spot {
	d := p.minus(e.at)
	return spot{u: e.u + e.dir.dot(d), v: e.dir.cross(d), x: e.dir.x, y: e.dir.y, stretch: 1}
}

// place is the way back.
func (e *lineEnd) place(u, v float64) point {
	return e.at.plus(e.dir.times(u - e.u)).plus(e.dir.left().times(v))
}

// spot is a place in the line's coordinates [m].
type spot struct {
	u, v    float64
	x, y    float64 // the line's direction there, unit
	stretch float64 // way in the world over way in u
}

// leastStretch bounds how much u is squeezed: at the centre of a bend it would be
// without bound, and no road is there.
const leastStretch = 0.05

// locate returns the place of a point seen from above.
func (l *refLine) locate(x, y float64) spot {
	p := point{x, y}
	if l.points == nil {
		return l.head.locate(p)
	}
	i, side := l.piece(p)
	switch {
	case side < 0:
		return l.ahead(p)
	case side > 0:
		return l.behind(p)
	}
	a, b, before, after := l.about(i)
	d := b.minus(a)
	s := before.dot(p.minus(a)) / before.dot(d)
	t := after.dot(b.minus(p)) / after.dot(d)
	share := 0.5
	if s+t > leastStretch {
		share = min(max(s/(s+t), 0), 1)
	}
	long := math.Sqrt(d.dot(d))
	dir := between(before.unit(), after.unit(), share).unit()
	return spot{
		u: l.begin + (float64(i)+share)*l.step, v: d.cross(p.minus(a)) / long,
		x: dir.x, y: dir.y, stretch: max(s+t, leastStretch) * long / l.step,
	}
}

// about returns the ends of a piece and the directions in which the line passes them.
func (l *refLine) about(i int) (a, b, before, after point) {
	a, b = l.points[i], l.points[i+1]
	return a, b, b.minus(l.points[max(i-1, 0)]), l.points[min(i+2, len(l.points)-1)].minus(a)
}

// piece returns the piece of the line beside p; side is negative ahead of the
// line's begin and positive behind its end.
func (l *refLine) piece(p point) (i, side int) {
	const most = 8 // pieces from the nearest one, which is hardly ever another
	last := len(l.points) - 2
	i = l.tree.nearest(l.points, p)
	for range most {
		a, b, before, after := l.about(i)
		switch {
		case before.dot(p.minus(a)) < 0:
			if i == 0 {
				return i, -1
			}
			i--
		case after.dot(p.minus(b)) > 0:
			if i == last {
				return i, 1
			}
			i++
		default:
			return i, 0
		}
	}
	return i, 0
}

// ahead returns a place ahead of the line's begin, on a closed track from the
// end if that is nearer.
func (l *refLine) ahead(p point) spot {
	if at := l.head.locate(p); l.loop == 0 || at.u >= l.from {
		return at
	}
	return l.tail.locate(p)
}

func (l *refLine) behind(p point) spot {
	if at := l.tail.locate(p); l.loop == 0 || at.u <= l.from+l.loop {
		return at
	}
	return l.head.locate(p)
}

// wrap returns u within a closed track.
func (l *refLine) wrap(u float64) float64 {
	if l.loop == 0 || u >= l.from && u <= l.from+l.loop {
		return u
	}
	return l.from + modulo(u-l.from, l.loop)
}

// place returns the point at u and v.
func (l *refLine) place(u, v float64) (x, y float64) {
	var p point
	switch {
	case l.points == nil || u < l.head.u:
		p = l.head.place(u, v)
	case u > l.tail.u:
		p = l.tail.place(u, v)
	default:
		at := (u - l.begin) / l.step
		i := min(int(at), len(l.points)-2)
		a, b, before, after := l.about(i)
		d := b.minus(a)
		p = between(cut(a, before, d, v), cut(b, after, d, v), at-float64(i))
	}
	return p.x, p.y
}

// cut returns the point of the cut at a, which the line passes in direction along,
// that is v beside a piece of direction d.
func cut(a, along, d point, v float64) point {
	return a.plus(along.left().times(v * math.Sqrt(d.dot(d)) / along.dot(d)))
}

// heading returns the direction, unit, in which the line reaches the point at or
// before u: what the standard's own tools take for that at u.
func (l *refLine) heading(u float64) point {
	if l.points == nil {
		return l.head.dir
	}
	i := int(min(max((u-l.begin)/l.step, 1), float64(len(l.points)-1)))
	return l.points[i].minus(l.points[i-1]).unit()
}

// close makes a closed track of the line, and tells whether it could: its ends
// must look at each other at less than 60°.
func (l *refLine) close() bool {
	if l.points == nil {
		return false
	}
	a, b := &l.head, &l.tail
	gap := a.at.minus(b.at)
	cos := a.dir.dot(b.dir)
	end, begin := a.dir.dot(gap)/cos, -b.dir.dot(gap)/cos
	if cos < 0.5 || end < -slack || begin > slack {
		return false
	}
	from, to := a.u+begin*cos/2, b.u+end*cos/2
	// Where the ends' straight lines meet ahead of both, the track changes over there.
	if sin := a.dir.cross(b.dir); math.Abs(sin) > 1e-9 {
		end, begin := a.dir.cross(gap)/sin, b.dir.cross(gap)/sin
		if end >= 0 && begin <= 0 {
			from, to = a.u+begin, b.u+end
		}
	}
	l.from, l.loop = from, to-from
	return true
}
