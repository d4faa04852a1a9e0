package road

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/valid"
)

// Point is a position on a line along a road.
type Point struct {
	Pos       r3.Vec  // [m, world]
	Heading   float64 // [rad], 0 along x, not wrapped
	Curvature float64 // seen from above [1/m], positive to the left
	Slope     float64 // height over horizontal length, positive uphill
	Bank      float64 // [rad], positive where the left side is higher
	Twist     float64 // derivative of the bank along the line [rad/m]

	Left, Right         float64 // distances from the line to the road's edges [m]
	KerbLeft, KerbRight float64 // widths of the kerbs beyond the edges [m], 0 without a kerb
}

// Line is a smooth line along a road: a center line, or the path of a car. Lengths and stations are
// horizontal, as seen from above.
type Line struct {
	length  float64
	step    float64 // between points, along the line [m]
	points  []Point // the first is at station 0; a closed line repeats it at the end
	closed  bool
	nearest nearestGrid
}

const (
	minLineStep   = 0.01    // minimum distance between a line's points [m]
	maxLineStep   = 5.0     // maximum distance between a line's points [m]
	maxLinePoints = 1 << 22 // maximum number of points of a line
)

// NewLine returns the line through points that are step apart, measured along the line [m]. The last point
// of a closed line must be its first one again, except for whole turns of the heading. The slice must not
// change afterwards.
func NewLine(points []Point, step float64, closed bool) (*Line, error) {
	if len(points) < 2 || len(points) > maxLinePoints {
		return nil, fmt.Errorf("road: line of %d points: must be 2 to %d", len(points), maxLinePoints)
	}
	if !(step >= minLineStep && step <= maxLineStep) {
		return nil, fmt.Errorf("road: line with points every %g m: must be %g to %g m", step, minLineStep, maxLineStep)
	}
	for i := range points {
		if err := points[i].check(); err != nil {
			return nil, fmt.Errorf("road: line: point %d: %w", i, err)
		}
		if i > 0 {
			const slack = 1.01 // tolerance for rounding: a chord is no longer than its arc
			if p, q := points[i-1].Pos, points[i].Pos; math.Hypot(q.X-p.X, q.Y-p.Y) > slack*step {
				return nil, fmt.Errorf("road: line: points %d and %d are %.3g m apart: must be at most %g m",
					i-1, i, math.Hypot(q.X-p.X, q.Y-p.Y), step)
			}
		}
	}
	if first, last := points[0].Pos, points[len(points)-1].Pos; closed && r3.Norm(r3.Sub(first, last)) > 1e-3 {
		return nil, fmt.Errorf("road: line: the end is %.3g m from the start, so it is not closed; "+
			"repeat the first point at the end", r3.Norm(r3.Sub(first, last)))
	}
	l := &Line{length: step * float64(len(points)-1), step: step, points: points, closed: closed}
	l.nearest = newNearestGrid(points)
	return l, nil
}

// check reports a value that is NaN, Inf or out of range.
func (p *Point) check() error {
	const limit = 1e6 // [m]
	for _, v := range [...]float64{
		p.Pos.X, p.Pos.Y, p.Pos.Z, p.Heading, p.Curvature, p.Slope, p.Bank, p.Twist,
		p.Left, p.Right, p.KerbLeft, p.KerbRight,
	} {
		if !(math.Abs(v) <= limit) {
			return fmt.Errorf("%g: must be a number from -%g to %g", v, limit, limit)
		}
	}
	if math.Abs(p.Bank) > 1.2 || math.Abs(p.Slope) > 2 {
		return errors.New("bank must be -1.2 to 1.2 rad, slope -2 to 2")
	}
	return nil
}

// Length returns the horizontal length of the line [m].
func (l *Line) Length() float64 { return l.length }

// Step returns the distance between the line's points, measured along it [m].
func (l *Line) Step() float64 { return l.step }

// Points returns the points of the line; they must not be changed. A closed line repeats its first point
// at the end.
func (l *Line) Points() []Point { return l.points }

// Closed reports whether the line ends where it begins.
func (l *Line) Closed() bool { return l.closed }

// HasKerb reports whether there is a kerb anywhere along the line.
func (l *Line) HasKerb() bool {
	return slices.ContainsFunc(l.points, func(p Point) bool { return p.KerbLeft != 0 || p.KerbRight != 0 })
}

// At returns the position at a station [m]. A closed line repeats in both directions; an open one
// continues straight beyond its ends.
func (l *Line) At(s float64) Point {
	s = l.Wrap(s)
	index := min(max(s/l.step, 0), float64(len(l.points)-1))
	i := min(int(index), len(l.points)-2)
	p := l.points[i].interpolate(&l.points[i+1], index-float64(i), l.step)
	if beyondEnd := s - index*l.step; !l.closed && beyondEnd != 0 {
		sin, cos := math.Sincos(p.Heading)
		p.Pos = r3.Add(p.Pos, r3.Vec{X: beyondEnd * cos, Y: beyondEnd * sin, Z: beyondEnd * p.Slope})
		p.Curvature = 0
	}
	return p
}

// Segment returns the points before and after a station [m].
func (l *Line) Segment(station float64) (from, to *Point) {
	i := min(max(int(station/l.step), 0), len(l.points)-2)
	return &l.points[i], &l.points[i+1]
}

// interpolate returns the position at a fraction of the way from p to the next point q; step is the
// distance between them [m].
func (p *Point) interpolate(q *Point, fraction, step float64) Point {
	ds := fraction * step
	mix := func(a, b float64) float64 { return a + fraction*(b-a) }
	k := mix(p.Curvature, q.Curvature)
	mid := p.Heading + ds*(3*p.Curvature+k)/8 // heading at half the distance ds
	sin, cos := math.Sincos(mid)
	h, slope := hermite(p.Pos.Z, q.Pos.Z, p.Slope*step, q.Slope*step, fraction)
	bank, twist := hermite(p.Bank, q.Bank, p.Twist*step, q.Twist*step, fraction)
	return Point{
		Pos:     r3.Vec{X: p.Pos.X + ds*cos, Y: p.Pos.Y + ds*sin, Z: h},
		Heading: p.Heading + ds*(p.Curvature+k)/2, Curvature: k, Slope: slope / step,
		Bank: bank, Twist: twist / step,
		Left: mix(p.Left, q.Left), Right: mix(p.Right, q.Right),
		KerbLeft: mix(p.KerbLeft, q.KerbLeft), KerbRight: mix(p.KerbRight, q.KerbRight),
	}
}

// hermite returns the value y and the slope dy of a cubic at x in 0..1. The cubic has the values a and b
// and the slopes da and db at 0 and 1.
func hermite(a, b, da, db, x float64) (y, dy float64) {
	c, d := 3*(b-a)-2*da-db, 2*(a-b)+da+db
	return a + x*(da+x*(c+x*d)), da + x*(2*c+x*3*d)
}

// Nearest returns the station nearest to a position, and how far the position is to the left of the line
// [m]. The search starts at the station hint, usually the last result; NaN searches the whole line.
func (l *Line) Nearest(pos r3.Vec, hint float64) (s, lateral float64) {
	s, _, lateral = l.Project(pos, hint)
	return l.Wrap(s), lateral
}

// Project returns the same station and lateral distance as Nearest, and the point of the line at that
// station. The station is not wrapped: on a closed line it may be negative or more than one lap.
func (l *Line) Project(pos r3.Vec, hint float64) (s float64, p Point, lateral float64) {
	s = hint
	if !(math.Abs(hint) < math.Inf(1)) {
		s = l.nearest.nearest(pos.X, pos.Y) * l.step
	}
	const (
		maxIterations = 7
		maxStep       = 20.0  // maximum change of the station in one iteration [m]
		tolerance     = 1e-11 // the search ends when the station changes by less [m]
	)
	for range maxIterations {
		p = l.At(s)
		ahead, left := p.Local(pos)
		lateral = left
		step := min(max(ahead/max(1-p.Curvature*left, 0.2), -maxStep), maxStep)
		if math.Abs(step) < tolerance {
			break
		}
		s += step
		if !l.closed {
			s = min(max(s, 0), l.length)
		}
	}
	return s, p, lateral
}

// Local returns how far a position is ahead of p and to the left of it, seen from above [m].
func (p *Point) Local(pos r3.Vec) (ahead, left float64) {
	sin, cos := math.Sincos(p.Heading)
	dx, dy := pos.X-p.Pos.X, pos.Y-p.Pos.Y
	return dx*cos + dy*sin, dy*cos - dx*sin
}

// Offset returns the position on the road's cross slope at a horizontal distance left of p [m].
func (p *Point) Offset(left float64) r3.Vec {
	sin, cos := math.Sincos(p.Heading)
	return r3.Vec{X: p.Pos.X - left*sin, Y: p.Pos.Y + left*cos, Z: p.Pos.Z + left*math.Tan(p.Bank)}
}

// Wrap returns a station of a closed line within one lap [m]. It returns that of an open line unchanged,
// and 0 for NaN or Inf.
func (l *Line) Wrap(s float64) float64 {
	if !l.closed {
		if valid.Finite(s) {
			return s
		}
		return 0
	}
	s -= math.Floor(s/l.length) * l.length
	if s >= 0 && s < l.length {
		return s
	}
	return 0 // rounding at the start, or NaN or Inf
}
