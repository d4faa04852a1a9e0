package racing

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// curve is the cubic spline through places, seen from above, with continuous curvature;
// its parameter u is the length of the chords.
type curve struct {
	u      []float64 // of the places, and of the end of a closed curve [m]
	x, y   []float64
	xx, yy []float64 // second derivatives
	s      []float64 // length up to the places [m]
}

// curveOf returns the curve through a way's places.
func (w *way) curveOf() *curve {
	c := &curve{u: []float64{0}, s: []float64{0}}
	for i, p := range w.piecesOf(w.beside, nil) {
		c.u = append(c.u, c.u[i]+p.length)
	}
	for i := range w.mid {
		x, y := w.place(i, w.beside[i])
		c.x, c.y = append(c.x, x), append(c.y, y)
	}
	if w.closed {
		c.x, c.y = append(c.x, c.x[0]), append(c.y, c.y[0])
	}
	c.xx, c.yy = w.bends(c.u, c.x), w.bends(c.u, c.y)
	if w.closed {
		c.xx, c.yy = append(c.xx, c.xx[0]), append(c.yy, c.yy[0])
	}
	for i := range w.pieces() {
		c.s = append(c.s, c.s[i]+c.along(i, c.u[i+1]-c.u[i]))
	}
	return c
}

// bends returns the second derivatives of the spline through v at u: those with which the
// first is the same on both sides of each place, and 0 at the ends of an open one.
func (w *way) bends(u, v []float64) []float64 {
	n := len(w.mid)
	m := newBand(n)
	right, out, work := make([]float64, n), make([]float64, n), make([]float64, n)
	if !w.closed {
		m.add(0, 0, 1)
		m.add(n-1, n-1, 1)
	}
	for i := w.first(); i < w.pieces(); i++ {
		before, after := w.before(i), w.next(i)
		a, b := u[before+1]-u[before], u[i+1]-u[i]
		m.add(i, i, (a+b)/3)
		if w.closed || after < n-1 {
			m.add(i, after, b/6)
		}
		right[i] = (v[i+1]-v[i])/b - (v[before+1]-v[before])/a
	}
	m.factor()
	m.solve(right, out, work)
	return out
}

// at returns place, and first and second derivative, du into piece i.
func (c *curve) at(i int, du float64) (x, y, dx, dy, ddx, ddy float64) {
	h := c.u[i+1] - c.u[i]
	x, dx, ddx = cubic(c.x[i], c.x[i+1], c.xx[i], c.xx[i+1], h, du)
	y, dy, ddy = cubic(c.y[i], c.y[i+1], c.yy[i], c.yy[i+1], h, du)
	return x, y, dx, dy, ddx, ddy
}

// cubic returns the cubic from a to b over h with second derivatives m and n there.
func cubic(a, b, m, n, h, at float64) (v, dv, ddv float64) {
	p, q := (h-at)/h, at/h
	v = p*a + q*b + h*h/6*((p*p*p-p)*m+(q*q*q-q)*n)
	dv = (b-a)/h + h/6*((3*q*q-1)*n-(3*p*p-1)*m)
	return v, dv, p*m + q*n
}

// along returns the length from the start of piece i to du into it [m], by Gauss' rule.
func (c *curve) along(i int, du float64) float64 {
	nodes := [3]float64{0.5 - math.Sqrt(0.15), 0.5, 0.5 + math.Sqrt(0.15)}
	weights := [3]float64{5.0 / 18, 8.0 / 18, 5.0 / 18}
	sum := 0.0
	for k, node := range nodes {
		_, _, dx, dy, _, _ := c.at(i, node*du)
		sum += du * weights[k] * math.Hypot(dx, dy)
	}
	return sum
}

// line samples the curve at even steps and takes heights and edges from the centre line.
func (w *way) line(l *road.Line) (*road.Line, error) {
	const step = 0.5 // [m]
	c := w.curveOf()
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
		hint = lay(&points[k], l, hint)
	}
	if w.closed {
		turned := points[n].Heading
		points[n] = points[0]
		points[n].Heading = turned
	}
	slopes(points, length/float64(n), w.closed)
	return road.NewLine(points, length/float64(n), w.closed)
}

// point returns the place so far into piece i, as seen from above.
func (c *curve) point(i int, s float64) road.Point {
	du := s
	for range 3 {
		_, _, dx, dy, _, _ := c.at(i, du)
		du += (s - c.along(i, du)) / math.Hypot(dx, dy)
	}
	x, y, dx, dy, ddx, ddy := c.at(i, du)
	speed := math.Hypot(dx, dy)
	return road.Point{
		Pos: r3.Vec{X: x, Y: y}, Heading: math.Atan2(dy, dx),
		Curvature: (dx*ddy - dy*ddx) / (speed * speed * speed),
	}
}

// lay puts p on the road of a centre line, near a station, and returns its station there.
func lay(p *road.Point, l *road.Line, hint float64) float64 {
	s, beside := l.Nearest(p.Pos, hint)
	mid := l.At(s)
	p.Pos.Z = mid.Pos.Z + beside*math.Tan(mid.Bank)
	sin, cos := math.Sincos(p.Heading - mid.Heading)
	p.Bank = math.Atan(cos*math.Tan(mid.Bank) - sin*mid.Slope)
	p.Left, p.Right = mid.Left-beside, mid.Right+beside
	p.KerbLeft, p.KerbRight = mid.KerbLeft, mid.KerbRight
	return s
}

// slopes takes the points' slopes from their heights, and the twist from their banks.
func slopes(points []road.Point, step float64, closed bool) {
	last := len(points) - 1
	for i := range points {
		a, b := max(i-1, 0), min(i+1, last)
		over := float64(b-a) * step
		if closed && (i == 0 || i == last) {
			a, b, over = last-1, 1, 2*step
		}
		points[i].Slope = (points[b].Pos.Z - points[a].Pos.Z) / over
		points[i].Twist = (points[b].Bank - points[a].Bank) / over
	}
}
