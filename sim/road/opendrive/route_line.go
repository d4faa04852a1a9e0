package opendrive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// What may be between two roads that follow each other.
const (
	ahead    = 0.5                // gap along the road [m]
	higher   = 0.3                // step [m]
	turned   = 30 * math.Pi / 180 // [rad]
	swerve   = 20.0               // on which the line moves to the middle of the next road [m]
	maxRoute = 200e3              // of a line [m]
)

// line joins the centre lines of legs.
func (r *router) line(legs []leg, closed bool, step float64) (Line, error) {
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
	if len(legs) == 1 && (!closed || legs[0].road.ring()) {
		out.Points, out.Closed = lines[0], legs[0].road.ring()
		return out.measured(), nil
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
			points = points[:len(points)-1] // the next leg has it
		}
		out.Points = append(out.Points, points...)
	}
	if closed {
		out.Points = append(out.Points, out.Points[0])
	}
	return out.measured(), nil
}

// stations samples a leg's line from where it is entered.
func (l leg) stations(step float64) []Station {
	points := l.road.Line(step).Points
	out := make([]Station, len(points))
	for i, p := range points {
		if l.back {
			i = len(points) - 1 - i
		}
		out[i] = l.seen(p)
	}
	return out
}

// measured counts stations along the line, and leaves out places that are too near.
func (l Line) measured() Line {
	const near = 0.25 // [m]
	points := l.Points[:1]
	points[0].S = 0
	for i, p := range l.Points[1:] {
		last := points[len(points)-1]
		far := r3.Norm(r3.Sub(p.Pos, last.Pos))
		if far < near && i+2 < len(l.Points) {
			continue
		}
		if far < near && len(points) > 1 { // the end stays
			points = points[:len(points)-1]
			last = points[len(points)-1]
			far = r3.Norm(r3.Sub(p.Pos, last.Pos))
		}
		p.S = last.S + far
		points = append(points, p)
	}
	l.Points, l.Length = points, points[len(points)-1].S
	return l
}

// join checks that a leg goes on where another ends, and moves the line of the wider one to
// the middle of the narrower one where they meet.
func (r *router) join(from, to leg, a, b []Station) error {
	end, begin := a[len(a)-1], b[0]
	sin, cos := math.Sincos(end.Heading)
	d := r3.Sub(begin.Pos, end.Pos)
	along, aside := d.X*cos+d.Y*sin, d.Y*cos-d.X*sin
	wideA, wideB := end.Left+end.Right, begin.Left+begin.Right
	shared := min(end.Left, aside+begin.Left) - max(-end.Right, aside-begin.Right)
	_, link := from.onward()
	if math.Abs(along) > ahead || math.Abs(d.Z) > higher || !(shared >= min(wideA, wideB)/2) {
		return r.fault(from.road, link, "road %s begins %.2f m from its end (%.2f m ahead, %.2f m to the left, %.2f m higher): correct the link or the roads",
			clip(to.road.ID), r3.Norm(d), along, aside, d.Z)
	}
	if angle := math.Remainder(begin.Heading-end.Heading, 2*math.Pi); math.Abs(angle) > turned {
		return r.fault(from.road, link, "road %s goes on at %.0f° to it, %.2f m from its end: correct the link or the roads", clip(to.road.ID), angle*180/math.Pi, r3.Norm(d))
	}
	if wideA >= wideB {
		shift(a, aside, func(p Station) float64 { return end.S - p.S })
	} else {
		shift(b, -aside, func(p Station) float64 { return p.S - begin.S })
	}
	return nil
}

// shift moves a line sideways near an end, from which far tells the distance; its edges stay.
func shift(points []Station, by float64, far func(Station) float64) {
	length := math.Abs(points[len(points)-1].S - points[0].S)
	reach := min(swerve, length/2)
	for i := range points {
		p := &points[i]
		u := 1 - math.Abs(far(*p))/reach
		if !(u > 0) {
			continue
		}
		move := by * u * u * (3 - 2*u)
		sin, cos := math.Sincos(p.Heading)
		p.Pos = r3.Add(p.Pos, r3.Vec{X: -move * sin, Y: move * cos, Z: move * math.Tan(p.Bank)})
		p.Left, p.Right = p.Left-move, p.Right+move
	}
}
