package layout

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// segment is a part of the line with linearly changing curvature (a clothoid).
type segment struct {
	length float64 // [m]
	from   float64 // curvature at its start [1/m], positive to the left
	to     float64 // curvature at its end [1/m]
}

// at returns the change of heading since the segment's start [rad] and the curvature [1/m], at the distance d
// from its start [m].
func (seg segment) at(d float64) (turned, curvature float64) {
	growth := 0.0
	if seg.length > 0 {
		growth = (seg.to - seg.from) / seg.length
	}
	return d * (seg.from + growth*d/2), seg.from + growth*d
}

// segments returns the segments of a piece.
func (p Piece) segments() []segment {
	if p.Turn == 0 {
		return []segment{{length: p.Length}}
	}
	k := math.Copysign(1/p.Radius, p.Turn)
	// Each transition turns half as far as an arc of its length.
	return []segment{{p.Ramp, 0, k}, {p.angle()*p.Radius - p.Ramp, k, k}, {p.Ramp, k, 0}}
}

// length returns the length of a piece [m].
func (p Piece) length() float64 {
	if p.Turn == 0 {
		return p.Length
	}
	return p.angle()*p.Radius + p.Ramp
}

// allSegments returns the segments of all pieces that have a length.
func allSegments(pieces []Piece) []segment {
	var all []segment
	for _, p := range pieces {
		for _, r := range p.segments() {
			if r.length > 0 {
				all = append(all, r)
			}
		}
	}
	return all
}

// closeLoop returns the pieces with new lengths of the two free straights, so that the line ends where it
// began. The end point is a linear function of both lengths. Pieces without free straights must close as they
// are.
func closeLoop(pieces []Piece) ([]Piece, error) {
	closed := append([]Piece(nil), pieces...)
	var free []int
	var headings []float64
	heading := 0.0
	for i, p := range closed {
		if p.Free && p.Turn != 0 {
			return nil, fmt.Errorf("piece[%d].free: must not be set for a bend, only for a straight", i)
		}
		if p.Free {
			free, headings = append(free, i), append(headings, heading)
		}
		heading += math.Copysign(p.angle(), p.Turn)
	}
	if math.Abs(math.Abs(heading)-2*math.Pi) > 1e-9 {
		return nil, fmt.Errorf("the bends turn by %.3f° in total: must be 360° or -360°, so that the road closes", heading*180/math.Pi)
	}
	if n := len(free); n == 1 || n > 2 {
		return nil, fmt.Errorf("piece[%d].free: %d straights are free: must be two, or none", free[n-1], n)
	}
	end := endPoint(allSegments(closed))
	if len(free) == 0 {
		if distance := r3.Norm(end); distance > 1e-3 {
			return nil, fmt.Errorf("the end is %.3g m from the start: make two straights free, whose lengths then close the road",
				distance)
		}
		return closed, nil
	}
	s0, c0 := math.Sincos(headings[0])
	s1, c1 := math.Sincos(headings[1])
	det := c0*s1 - c1*s0
	if math.Abs(det) < 0.1 {
		return nil, errors.New("the free straights are nearly parallel: make others free")
	}
	closed[free[0]].Length -= (end.X*s1 - end.Y*c1) / det
	closed[free[1]].Length -= (c0*end.Y - s0*end.X) / det
	if closed[free[0]].Length <= 0 || closed[free[1]].Length <= 0 {
		return nil, fmt.Errorf("the free straights would be %.1f m and %.1f m long: must be above 0; "+
			"change a bend or another straight", closed[free[0]].Length, closed[free[1]].Length)
	}
	return closed, nil
}

// endPoint returns the end of the line that starts at the origin along x and consists of these segments.
func endPoint(segments []segment) r3.Vec {
	const steps = 1 << 16
	var length float64
	for _, r := range segments {
		length += r.length
	}
	points := trace(segments, length/steps, steps)
	return points[steps].Pos
}

// trace returns steps+1 points of the line that consists of these segments, step metres apart. It integrates
// between two points by Gauss-Legendre quadrature with three points.
func trace(segments []segment, step float64, steps int) []road.Point {
	points := make([]road.Point, 1, steps+1)
	point := road.Point{Curvature: segments[0].from}
	points[0] = point
	segmentIndex, travelled := 0, 0.0 // index of the current segment, and the distance from its start [m]
	for range steps {
		for remaining := step; remaining > 0; { // [m]
			if ahead := segments[segmentIndex].length - travelled; ahead <= 0 && segmentIndex+1 < len(segments) {
				segmentIndex, travelled = segmentIndex+1, 0
				continue
			} else if length := remaining; ahead > 0 {
				length = min(remaining, ahead)
				point = advance(point, segments[segmentIndex], travelled, length)
				travelled += length
				remaining -= length
			} else {
				break // the last segment has ended, except for rounding
			}
		}
		points = append(points, point)
	}
	return points
}

// advance returns the point at which p arrives after a length [m] along a segment. p is at the distance from
// from the segment's start [m].
func advance(p road.Point, seg segment, from, length float64) road.Point {
	start, _ := seg.at(from)
	nodes := [3]float64{0.5 - math.Sqrt(0.15), 0.5, 0.5 + math.Sqrt(0.15)}
	weights := [3]float64{5.0 / 18, 8.0 / 18, 5.0 / 18}
	for i, node := range nodes {
		turned, _ := seg.at(from + node*length)
		sin, cos := math.Sincos(p.Heading + turned - start)
		p.Pos.X += length * weights[i] * cos
		p.Pos.Y += length * weights[i] * sin
	}
	turned, curvature := seg.at(from + length)
	p.Heading += turned - start
	p.Curvature = curvature
	return p
}
