package road

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/valid"
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
	length   float64
	step     float64 // between points, along the line [m]
	points   []Point // the first is at station 0; a closed line repeats it at the end
	closed   bool
	nearest  nearestGrid
	perStep  float64     // 1 over step
	headings []direction // of the points
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
	l.nearest, l.perStep = newNearestGrid(points), 1/step
	l.headings = make([]direction, len(points))
	for i := range points {
		l.headings[i].sin, l.headings[i].cos = math.Sincos(points[i].Heading)
	}
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
func (l *Line) At(s float64) (p Point) {
	var f frame
	l.frame(&f, s)
	l.point(&p, &f)
	return p
}

// Segment returns the points before and after a station [m].
func (l *Line) Segment(station float64) (from, to *Point) {
	i := min(max(int(station/l.step), 0), len(l.points)-2)
	return &l.points[i], &l.points[i+1]
}

// Hermite returns the value y and the slope dy of a cubic at x in 0..1. The cubic has the values a and b
// and the slopes da and db at 0 and 1.
func Hermite(a, b, da, db, x float64) (y, dy float64) {
	c, d := 3*(b-a)-2*da-db, 2*(a-b)+da+db
	return a + x*(da+x*(c+x*d)), da + x*(2*c+x*3*d)
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
	if s >= 0 && s < l.length {
		return s
	}
	s -= math.Floor(s/l.length) * l.length
	if s >= 0 && s < l.length {
		return s
	}
	return 0 // rounding at the start, or NaN or Inf
}
