package road

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Point is a place on a line along a road.
type Point struct {
	Pos       r3.Vec  // [m, world]
	Heading   float64 // [rad], 0 along x, not wrapped
	Curvature float64 // seen from above [1/m], positive to the left
	Slope     float64 // height over length as seen from above, positive up
	Bank      float64 // [rad], positive where the left side is higher
	Twist     float64 // of the bank along the line [rad/m]

	Left, Right         float64 // from the line to the road's edges [m]
	KerbLeft, KerbRight float64 // widths of the kerbs beyond them [m], 0 where there is none
}

// Line is a smooth line along a road, seen from above, with the height of the road on
// it: a centre line, or the line that a car drives. Lengths are those seen from above.
type Line struct {
	length float64
	step   float64 // between points [m]
	points []Point // from station 0; a closed line has its first at the end again
	closed bool
	near   hints
}

const (
	leastStep = 0.01 // of a line's points [m]
	mostStep  = 5.0
	mostLine  = 1 << 22 // points
)

// NewLine returns the line through points that are so far apart, measured along it [m].
// A closed line ends where it begins, with the same point but for whole turns.
func NewLine(points []Point, step float64, closed bool) (*Line, error) {
	if len(points) < 2 || len(points) > mostLine {
		return nil, fmt.Errorf("road: line of %d points: give 2 to %d", len(points), mostLine)
	}
	if !(step >= leastStep && step <= mostStep) {
		return nil, fmt.Errorf("road: line with points every %g m: allowed is %g to %g m", step, leastStep, mostStep)
	}
	for i := range points {
		if err := points[i].check(); err != nil {
			return nil, fmt.Errorf("road: line: point %d: %w", i, err)
		}
		if i > 0 {
			const slack = 1.01 // a chord is no longer than its arc
			if p, q := points[i-1].Pos, points[i].Pos; math.Hypot(q.X-p.X, q.Y-p.Y) > slack*step {
				return nil, fmt.Errorf("road: line: points %d and %d are %.3g m apart, which is more than %g m",
					i-1, i, math.Hypot(q.X-p.X, q.Y-p.Y), step)
			}
		}
	}
	if first, last := points[0].Pos, points[len(points)-1].Pos; closed && r3.Norm(r3.Sub(first, last)) > 1e-3 {
		return nil, fmt.Errorf("road: line: it ends %.3g m from where it begins: it is not closed", r3.Norm(r3.Sub(first, last)))
	}
	l := &Line{length: step * float64(len(points)-1), step: step, points: points, closed: closed}
	l.near = newHints(points)
	return l, nil
}

func (p *Point) check() error {
	const far = 1e6 // [m]
	for _, v := range [...]float64{p.Pos.X, p.Pos.Y, p.Pos.Z, p.Heading, p.Curvature, p.Slope, p.Bank, p.Twist, p.Left, p.Right, p.KerbLeft, p.KerbRight} {
		if !(math.Abs(v) <= far) {
			return fmt.Errorf("%g is no number below %g", v, far)
		}
	}
	if math.Abs(p.Bank) > 1.2 || math.Abs(p.Slope) > 2 {
		return errors.New("banked by more than 1.2 rad, or steeper than 2")
	}
	return nil
}

// Length returns the length of the line [m].
func (l *Line) Length() float64 { return l.length }

// Step returns how far the line's points are apart, measured along it [m].
func (l *Line) Step() float64 { return l.step }

// Points returns the points of which the line is made; they must not change. A closed line has
// its first at the end again.
func (l *Line) Points() []Point { return l.points }

// Closed tells whether the line ends where it begins.
func (l *Line) Closed() bool { return l.closed }

// Kerbed tells whether there is a kerb anywhere along the line.
func (l *Line) Kerbed() bool {
	return slices.ContainsFunc(l.points, func(p Point) bool { return p.KerbLeft != 0 || p.KerbRight != 0 })
}

// At returns the place at a station [m] from the start. It runs on round a closed line
// in either direction, and straight on at the ends of an open one.
func (l *Line) At(s float64) Point {
	s = l.Wrap(s)
	at := min(max(s/l.step, 0), float64(len(l.points)-1))
	i := min(int(at), len(l.points)-2)
	p := l.points[i].toward(&l.points[i+1], at-float64(i), l.step)
	if beyond := s - at*l.step; !l.closed && beyond != 0 {
		sin, cos := math.Sincos(p.Heading)
		p.Pos = r3.Add(p.Pos, r3.Vec{X: beyond * cos, Y: beyond * sin, Z: beyond * p.Slope})
		p.Curvature = 0
	}
	return p
}

// Around returns the points before and behind a station of the line.
func (l *Line) Around(station float64) (from, to *Point) {
	i := min(max(int(station/l.step), 0), len(l.points)-2)
	return &l.points[i], &l.points[i+1]
}

// toward returns the place at a share of the way to the next point, which is so far [m].
func (p *Point) toward(q *Point, share, step float64) Point {
	ds := share * step
	mix := func(a, b float64) float64 { return a + share*(b-a) }
	k := mix(p.Curvature, q.Curvature)
	mid := p.Heading + ds*(3*p.Curvature+k)/8 // heading half way
	sin, cos := math.Sincos(mid)
	h, slope := hermite(p.Pos.Z, q.Pos.Z, p.Slope*step, q.Slope*step, share)
	bank, twist := hermite(p.Bank, q.Bank, p.Twist*step, q.Twist*step, share)
	return Point{
		Pos:     r3.Vec{X: p.Pos.X + ds*cos, Y: p.Pos.Y + ds*sin, Z: h},
		Heading: p.Heading + ds*(p.Curvature+k)/2, Curvature: k, Slope: slope / step,
		Bank: bank, Twist: twist / step,
		Left: mix(p.Left, q.Left), Right: mix(p.Right, q.Right),
		KerbLeft: mix(p.KerbLeft, q.KerbLeft), KerbRight: mix(p.KerbRight, q.KerbRight),
	}
}

// hermite returns the cubic with the given ends and slopes there, and its slope.
func hermite(a, b, da, db, x float64) (y, dy float64) {
	c, d := 3*(b-a)-2*da-db, 2*(a-b)+da+db
	return a + x*(da+x*(c+x*d)), da + x*(2*c+x*3*d)
}

// Nearest returns the station nearest to a position, and how far the position
// is to the left of the line [m]. It searches downhill from a hint, the
// last known station; give NaN to search the whole line.
func (l *Line) Nearest(pos r3.Vec, hint float64) (s, lateral float64) {
	s, _, lateral = l.Foot(pos, hint)
	return l.Wrap(s), lateral
}

// Foot is Nearest that returns the place too, and the station as it was found: on a closed
// line it may be beyond a lap.
func (l *Line) Foot(pos r3.Vec, hint float64) (s float64, p Point, lateral float64) {
	s = hint
	if !(math.Abs(hint) < math.Inf(1)) {
		s = l.near.at(pos.X, pos.Y) * l.step
	}
	const rounds, reach, close = 7, 20.0, 1e-11 // [m] at most a round, [m]
	for range rounds {
		p = l.At(s)
		ahead, left := p.Local(pos)
		lateral = left
		by := min(max(ahead/max(1-p.Curvature*left, 0.2), -reach), reach)
		if math.Abs(by) < close {
			break
		}
		s += by
		if !l.closed {
			s = min(max(s, 0), l.length)
		}
	}
	return s, p, lateral
}

// Local returns how far a position is ahead of p and to its left, seen from above [m].
func (p *Point) Local(pos r3.Vec) (ahead, left float64) {
	sin, cos := math.Sincos(p.Heading)
	dx, dy := pos.X-p.Pos.X, pos.Y-p.Pos.Y
	return dx*cos + dy*sin, dy*cos - dx*sin
}

// Beside returns the place on the road's plane so far to the left of p [m].
func (p *Point) Beside(left float64) r3.Vec {
	sin, cos := math.Sincos(p.Heading)
	return r3.Vec{X: p.Pos.X - left*sin, Y: p.Pos.Y + left*cos, Z: p.Pos.Z + left*math.Tan(p.Bank)}
}

// Wrap returns a station within a lap of a closed line [m]; that of an open one as it is, and 0
// for NaN.
func (l *Line) Wrap(s float64) float64 {
	if !l.closed {
		if s-s == 0 {
			return s
		}
		return 0 // not a number
	}
	s -= math.Floor(s/l.length) * l.length
	if s >= 0 && s < l.length {
		return s
	}
	return 0 // rounding at the line, or not a number
}
