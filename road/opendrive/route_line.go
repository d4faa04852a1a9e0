package opendrive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/printable"
)

const (
	maxGapAhead  = 0.5                // maximum gap between two consecutive roads, along them [m]
	maxStep      = 0.3                // maximum difference in height between two consecutive roads [m]
	maxTurnAngle = 30 * math.Pi / 180 // maximum angle between two consecutive roads [rad]
	blendLength  = 20.0               // length over which the line moves to the middle of the next road [m]
	maxRoute     = 200e3              // maximum length of a line [m]
)

// line joins the lines of legs.
func (r *router) line(legs []routeLeg, closed bool, step float64) (Line, error) {
	length := 0.0
	for _, l := range legs {
		if length += l.road.Length; length > maxRoute {
			return Line{}, r.fault(l.road, "", "the line would be longer than %g km: name fewer roads, or shorten them", maxRoute/1e3)
		}
	}
	lines := make([][]Station, len(legs))
	for i, l := range legs {
		lines[i] = l.stations(step)
	}
	out := Line{Closed: closed}
	if len(legs) == 1 && (!closed || legs[0].road.isRing()) {
		out.Points, out.Closed = lines[0], legs[0].road.isRing()
		return out.withDistances(), nil
	}
	for i := range legs {
		if i+1 == len(legs) && !closed {
			break
		}
		next := (i + 1) % len(legs)
		if err := r.join(legs[i], legs[next], lines[i], lines[next]); err != nil {
			return Line{}, err
		}
	}
	for i, points := range lines {
		if i+1 < len(lines) || closed {
			points = points[:len(points)-1] // the next leg starts with the same point
		}
		out.Points = append(out.Points, points...)
	}
	if closed {
		out.Points = append(out.Points, out.Points[0])
	}
	return out.withDistances(), nil
}

// stations samples a leg's line in driving direction.
func (l routeLeg) stations(step float64) []Station {
	points := l.road.Line(step).Points
	out := make([]Station, len(points))
	for i, p := range points {
		if l.reversed {
			i = len(points) - 1 - i
		}
		out[i] = l.asDriven(p)
	}
	return out
}

// withDistances sets the stations' S, and removes points that are too close.
func (l Line) withDistances() Line {
	const minSpacing = 0.25 // [m]
	points := l.Points[:1]
	points[0].S = 0
	for i, p := range l.Points[1:] {
		last := points[len(points)-1]
		distance := r3.Norm(r3.Sub(p.Pos, last.Pos))
		if distance < minSpacing && i+2 < len(l.Points) {
			continue
		}
		if distance < minSpacing && len(points) > 1 { // the end stays
			points = points[:len(points)-1]
			last = points[len(points)-1]
			distance = r3.Norm(r3.Sub(p.Pos, last.Pos))
		}
		p.S = last.S + distance
		points = append(points, p)
	}
	l.Points, l.Length = points, points[len(points)-1].S
	return l
}

// join returns an error unless the leg to begins where the leg from ends. Where they meet, it moves the line of the
// wider road to the middle of the narrower one; a and b are the stations of both legs.
func (r *router) join(from, to routeLeg, a, b []Station) error {
	end, begin := a[len(a)-1], b[0]
	sin, cos := math.Sincos(end.Heading)
	d := r3.Sub(begin.Pos, end.Pos)
	along, sideways := d.X*cos+d.Y*sin, d.Y*cos-d.X*sin
	wideA, wideB := end.Left+end.Right, begin.Left+begin.Right
	shared := min(end.Left, sideways+begin.Left) - max(-end.Right, sideways-begin.Right)
	_, link := from.exitLink()
	if math.Abs(along) > maxGapAhead || math.Abs(d.Z) > maxStep || !(shared >= min(wideA, wideB)/2) {
		return r.fault(from.road, link, "road %s begins %.2f m from its end (%.2f m ahead, %.2f m to the left, %.2f m higher): correct the link or the roads",
			printable.Excerpt(to.road.ID), r3.Norm(d), along, sideways, d.Z)
	}
	if angle := math.Remainder(begin.Heading-end.Heading, 2*math.Pi); math.Abs(angle) > maxTurnAngle {
		return r.fault(from.road, link, "road %s goes on at %.0f° to it, %.2f m from its end: correct the link or the roads", printable.Excerpt(to.road.ID), angle*180/math.Pi, r3.Norm(d))
	}
	if wideA >= wideB {
		shiftSideways(a, sideways, func(p Station) float64 { return end.S - p.S })
	} else {
		shiftSideways(b, -sideways, func(p Station) float64 { return p.S - begin.S })
	}
	return nil
}

// shiftSideways moves a line to the left by shift [m]. The shift fades with the distance from the joint, which
// distance returns [m]. The edges of the road are not moved.
func shiftSideways(points []Station, shift float64, distance func(Station) float64) {
	lineLength := math.Abs(points[len(points)-1].S - points[0].S)
	length := min(blendLength, lineLength/2)
	for i := range points {
		p := &points[i]
		weight := 1 - math.Abs(distance(*p))/length
		if !(weight > 0) {
			continue
		}
		move := shift * weight * weight * (3 - 2*weight)
		sin, cos := math.Sincos(p.Heading)
		p.Pos = r3.Add(p.Pos, r3.Vec{X: -move * sin, Y: move * cos, Z: move * math.Tan(p.Bank)})
		p.Left, p.Right = p.Left-move, p.Right+move
	}
}
