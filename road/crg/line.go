package crg

import "math"

// refLine is the reference line: points at equal steps of u with straight pieces between them. The cross
// section at a point halves the angle between its pieces, so that u and v have no gaps or overlaps near
// the line.
type refLine struct {
	begin, step         float64 // u of the first point, and the step of u between points [m]
	points              []point // nil if the line is straight
	tree                tree
	start, end          lineEnd // the first and the last point, beyond which the line continues straight
	lapBegin, lapLength float64 // first u and length of a closed track [m]; an open line has the length 0
}

// point is a position or a vector in plan view [m].
type point struct{ x, y float64 }

func (a point) minus(b point) point   { return point{a.x - b.x, a.y - b.y} }
func (a point) dot(b point) float64   { return a.x*b.x + a.y*b.y }
func (a point) times(k float64) point { return point{k * a.x, k * a.y} }
func (a point) plus(b point) point    { return point{a.x + b.x, a.y + b.y} }

// cross returns the cross product of two vectors, positive if b points to the left of a.
func (a point) cross(b point) float64 { return a.x*b.y - a.y*b.x }

// left returns a vector turned to the left by 90°.
func (a point) left() point { return point{-a.y, a.x} }

// unit returns the unit vector in the direction of a.
func (a point) unit() point { return a.times(1 / math.Sqrt(a.dot(a))) }

// lerpPoint returns the point at the fraction p, 0..1, of the straight line from a to b.
func lerpPoint(a, b point, p float64) point { return point{lerp(a.x, b.x, p), lerp(a.y, b.y, p)} }

// lineEnd is an end of the line. Beyond it the line continues straight.
type lineEnd struct {
	at  point
	dir point   // unit vector along the line, towards larger u
	u   float64 // u of the end [m]
}

// locate returns the coordinates of a point relative to the straight line through the end.
func (e *lineEnd) locate(p point) lineCoords {
	d := p.minus(e.at)
	return lineCoords{u: e.u + e.dir.dot(d), v: e.dir.cross(d), dirX: e.dir.x, dirY: e.dir.y, stretch: 1}
}

// place returns the point at u and v [m]. It is the inverse of locate.
func (e *lineEnd) place(u, v float64) point {
	return e.at.plus(e.dir.times(u - e.u)).plus(e.dir.left().times(v))
}

// lineCoords is a position in coordinates of the line.
type lineCoords struct {
	u, v       float64 // along the line, and to its left [m]
	dirX, dirY float64 // unit vector along the line at u
	stretch    float64 // distance in the world per distance in u, at v
}

// minStretch is the lower limit of lineCoords.stretch, which would be 0 at the center of a bend. No road is
// there.
const minStretch = 0.05

// locate returns the coordinates of a point seen from above.
func (l *refLine) locate(x, y float64) lineCoords {
	p := point{x, y}
	if l.points == nil {
		return l.start.locate(p)
	}
	i, side := l.findPiece(p)
	switch {
	case side < 0:
		return l.beforeBegin(p)
	case side > 0:
		return l.afterEnd(p)
	}
	a, b, alongA, alongB := l.pieceAt(i)
	d := b.minus(a)
	s := alongA.dot(p.minus(a)) / alongA.dot(d)
	t := alongB.dot(b.minus(p)) / alongB.dot(d)
	fraction := 0.5
	if s+t > minStretch {
		fraction = min(max(s/(s+t), 0), 1)
	}
	length := math.Sqrt(d.dot(d))
	dir := lerpPoint(alongA.unit(), alongB.unit(), fraction).unit()
	return lineCoords{
		u: l.begin + (float64(i)+fraction)*l.step, v: d.cross(p.minus(a)) / length,
		dirX: dir.x, dirY: dir.y, stretch: max(s+t, minStretch) * length / l.step,
	}
}

// pieceAt returns the ends a and b of piece i, and vectors along the line at both.
func (l *refLine) pieceAt(i int) (a, b, alongA, alongB point) {
	a, b = l.points[i], l.points[i+1]
	return a, b, b.minus(l.points[max(i-1, 0)]), l.points[min(i+2, len(l.points)-1)].minus(a)
}

// findPiece returns the index of the piece of the line beside p. side is -1 if p is before the line's begin, 1
// if it is after its end, else 0.
func (l *refLine) findPiece(p point) (i, side int) {
	const limit = 8 // maximum number of steps from the nearest piece, which is almost always the right one
	last := len(l.points) - 2
	i = l.tree.nearest(l.points, p)
	for range limit {
		a, b, alongA, alongB := l.pieceAt(i)
		switch {
		case alongA.dot(p.minus(a)) < 0:
			if i == 0 {
				return i, -1
			}
			i--
		case alongB.dot(p.minus(b)) > 0:
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

// beforeBegin returns the coordinates of a point before the line's begin: relative to its begin or, on a
// closed track, to its end if that is nearer.
func (l *refLine) beforeBegin(p point) lineCoords {
	if at := l.start.locate(p); l.lapLength == 0 || at.u >= l.lapBegin {
		return at
	}
	return l.end.locate(p)
}

// afterEnd returns the coordinates of a point after the line's end: relative to its end or, on a closed track,
// to its begin if that is nearer.
func (l *refLine) afterEnd(p point) lineCoords {
	if at := l.end.locate(p); l.lapLength == 0 || at.u <= l.lapBegin+l.lapLength {
		return at
	}
	return l.start.locate(p)
}

// wrap returns u [m], on a closed track within one lap.
func (l *refLine) wrap(u float64) float64 {
	if l.lapLength == 0 || u >= l.lapBegin && u <= l.lapBegin+l.lapLength {
		return u
	}
	return l.lapBegin + positiveMod(u-l.lapBegin, l.lapLength)
}

// place returns the position at u and v, seen from above [m].
func (l *refLine) place(u, v float64) (x, y float64) {
	var p point
	switch {
	case l.points == nil || u < l.start.u:
		p = l.start.place(u, v)
	case u > l.end.u:
		p = l.end.place(u, v)
	default:
		at := (u - l.begin) / l.step
		i := min(int(at), len(l.points)-2)
		a, b, alongA, alongB := l.pieceAt(i)
		d := b.minus(a)
		p = lerpPoint(mitrePoint(a, alongA, d, v), mitrePoint(b, alongB, d, v), at-float64(i))
	}
	return p.x, p.y
}

// mitrePoint returns the point at the distance v to the left of a piece with the direction d [m]. The point is
// on the cross section at the piece's end a, where the direction of the line is along.
func mitrePoint(a, along, d point, v float64) point {
	return a.plus(along.left().times(v * math.Sqrt(d.dot(d)) / along.dot(d)))
}

// heading returns the unit vector of the piece that ends at the point at or before u, as the standard's own
// tools define the heading.
func (l *refLine) heading(u float64) point {
	if l.points == nil {
		return l.start.dir
	}
	i := int(min(max((u-l.begin)/l.step, 1), float64(len(l.points)-1)))
	return l.points[i].minus(l.points[i-1]).unit()
}

// makeClosed makes the line a closed track. It reports whether this was possible: the directions at the ends
// must differ by less than 60°, and the begin must be ahead of the end.
func (l *refLine) makeClosed() bool {
	if l.points == nil {
		return false
	}
	a, b := &l.start, &l.end
	gap := a.at.minus(b.at)
	cos := a.dir.dot(b.dir)
	end, begin := a.dir.dot(gap)/cos, -b.dir.dot(gap)/cos
	if cos < 0.5 || end < -borderTolerance || begin > borderTolerance {
		return false
	}
	from, to := a.u+begin*cos/2, b.u+end*cos/2
	// If the straight lines through the ends intersect between the end and the begin, the track closes there.
	if sin := a.dir.cross(b.dir); math.Abs(sin) > 1e-9 {
		end, begin := a.dir.cross(gap)/sin, b.dir.cross(gap)/sin
		if end >= 0 && begin <= 0 {
			from, to = a.u+begin, b.u+end
		}
	}
	l.lapBegin, l.lapLength = from, to-from
	return true
}
