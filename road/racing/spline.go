package racing

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// curve is the cubic spline through the points of a path, seen from above, with continuous curvature. Its
// parameter u is the sum of the chord lengths up to a point.
type curve struct {
	u      []float64 // parameter at the points, and at the end of a closed curve [m]
	x, y   []float64 // coordinates at the points [m]
	xx, yy []float64 // second derivatives of x and y by u at the points [1/m]
	s      []float64 // arc length up to the points [m]
}

// spline returns the curve through the path's points.
func (w *path) spline() *curve {
	c := &curve{u: []float64{0}, s: []float64{0}}
	for i, p := range w.chords(w.offset, nil) {
		c.u = append(c.u, c.u[i]+p.length)
	}
	for i := range w.center {
		x, y := w.point(i, w.offset[i])
		c.x, c.y = append(c.x, x), append(c.y, y)
	}
	if w.closed {
		c.x, c.y = append(c.x, c.x[0]), append(c.y, c.y[0])
	}
	c.xx, c.yy = w.secondDerivatives(c.u, c.x), w.secondDerivatives(c.u, c.y)
	if w.closed {
		c.xx, c.yy = append(c.xx, c.xx[0]), append(c.yy, c.yy[0])
	}
	for i := range w.chordCount() {
		c.s = append(c.s, c.s[i]+c.arcLength(i, c.u[i+1]-c.u[i]))
	}
	return c
}

// secondDerivatives returns the second derivatives at the points of the cubic spline through the values v at
// the parameters u. The first derivative is continuous; the second is 0 at the ends of an open path.
func (w *path) secondDerivatives(u, v []float64) []float64 {
	n := len(w.center)
	m := newBandMatrix(n)
	rhs, out, work := make([]float64, n), make([]float64, n), make([]float64, n)
	if !w.closed {
		m.add(0, 0, 1)
		m.add(n-1, n-1, 1)
	}
	for i := w.firstTurn(); i < w.chordCount(); i++ {
		before, after := w.previous(i), w.next(i)
		a, b := u[before+1]-u[before], u[i+1]-u[i]
		m.add(i, i, (a+b)/3)
		if w.closed || after < n-1 {
			m.add(i, after, b/6)
		}
		rhs[i] = (v[i+1]-v[i])/b - (v[before+1]-v[before])/a
	}
	m.factor()
	m.solve(rhs, out, work)
	return out
}

// at returns the position and its first and second derivatives by u, at the parameter du after the start of
// piece i.
func (c *curve) at(i int, du float64) (x, y, dx, dy, ddx, ddy float64) {
	h := c.u[i+1] - c.u[i]
	x, dx, ddx = cubic(c.x[i], c.x[i+1], c.xx[i], c.xx[i+1], h, du)
	y, dy, ddy = cubic(c.y[i], c.y[i+1], c.yy[i], c.yy[i+1], h, du)
	return x, y, dx, dy, ddx, ddy
}

// cubic returns the value of a cubic at a distance at from its start, and its first and second derivative.
// The cubic goes from a to b over the length h and has the second derivatives m and n at its ends.
func cubic(a, b, m, n, h, at float64) (v, dv, ddv float64) {
	p, q := (h-at)/h, at/h
	v = p*a + q*b + h*h/6*((p*p*p-p)*m+(q*q*q-q)*n)
	dv = (b-a)/h + h/6*((3*q*q-1)*n-(3*p*p-1)*m)
	return v, dv, p*m + q*n
}

// arcLength returns the length of the curve from the start of piece i to the parameter du after it [m], by
// Gauss-Legendre quadrature.
func (c *curve) arcLength(i int, du float64) float64 {
	nodes := [3]float64{0.5 - math.Sqrt(0.15), 0.5, 0.5 + math.Sqrt(0.15)}
	weights := [3]float64{5.0 / 18, 8.0 / 18, 5.0 / 18}
	sum := 0.0
	for k, node := range nodes {
		_, _, dx, dy, _, _ := c.at(i, node*du)
		sum += du * weights[k] * math.Hypot(dx, dy)
	}
	return sum
}

// line returns points of the curve at equal steps, with heights, banks and edges of the road along l.
func (w *path) line(l *road.Line) (*road.Line, error) {
	const step = 0.5 // approximate distance between points [m]
	c := w.spline()
	length := c.s[len(c.s)-1]
	n := max(int(math.Ceil(length/step)), 2)
	points := make([]road.Point, n+1)
	i, hint := 0, 0.0
	for k := range points {
		s := length * float64(k) / float64(n)
		for i+2 < len(c.s) && c.s[i+1] <= s {
			i++
		}
		points[k] = c.point(i, s-c.s[i])
		if k > 0 {
			points[k].Heading = points[k-1].Heading + math.Remainder(points[k].Heading-points[k-1].Heading, 2*math.Pi)
		}
		hint = projectToRoad(&points[k], l, hint)
	}
	if w.closed {
		heading := points[n].Heading
		points[n] = points[0]
		points[n].Heading = heading
	}
	setSlopes(points, length/float64(n), w.closed)
	return road.NewLine(points, length/float64(n), w.closed)
}

// point returns the point at arc length s after the start of piece i, seen from above.
func (c *curve) point(i int, s float64) road.Point {
	du := s
	for range 3 {
		_, _, dx, dy, _, _ := c.at(i, du)
		du += (s - c.arcLength(i, du)) / math.Hypot(dx, dy)
	}
	x, y, dx, dy, ddx, ddy := c.at(i, du)
	speed := math.Hypot(dx, dy)
	return road.Point{
		Pos: r3.Vec{X: x, Y: y}, Heading: math.Atan2(dy, dx),
		Curvature: (dx*ddy - dy*ddx) / (speed * speed * speed),
	}
}

// projectToRoad sets the height, bank and edges of p to those of the road with center line l, and returns
// the station of p on l [m]. hint is a nearby station [m].
func projectToRoad(p *road.Point, l *road.Line, hint float64) float64 {
	s, offset := l.Nearest(p.Pos, hint)
	mid := l.At(s)
	p.Pos.Z = mid.Pos.Z + offset*math.Tan(mid.Bank)
	sin, cos := math.Sincos(p.Heading - mid.Heading)
	p.Bank = math.Atan(cos*math.Tan(mid.Bank) - sin*mid.Slope)
	p.Left, p.Right = mid.Left-offset, mid.Right+offset
	p.KerbLeft, p.KerbRight = mid.KerbLeft, mid.KerbRight
	return s
}

// setSlopes computes the points' slopes from their heights, and the twist from their banks.
func setSlopes(points []road.Point, step float64, closed bool) {
	last := len(points) - 1
	for i := range points {
		a, b := max(i-1, 0), min(i+1, last)
		distance := float64(b-a) * step
		if closed && (i == 0 || i == last) {
			a, b, distance = last-1, 1, 2*step
		}
		points[i].Slope = (points[b].Pos.Z - points[a].Pos.Z) / distance
		points[i].Twist = (points[b].Bank - points[a].Bank) / distance
	}
}
