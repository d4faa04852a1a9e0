package opendrive

import "math"

// planPoint is a point of a reference line seen from above.
type planPoint struct {
	x, y      float64 // [m]
	heading   float64 // [rad], 0 along x, positive to the left
	curvature float64 // [1/m], positive to the left
}

// transform returns p, which is given relative to o with x along the heading of o, in the axes in which o is
// given.
func (o planPoint) transform(p planPoint) planPoint {
	sin, cos := math.Sincos(o.heading)
	return planPoint{
		x:         o.x + p.x*cos - p.y*sin,
		y:         o.y + p.x*sin + p.y*cos,
		heading:   o.heading + p.heading,
		curvature: p.curvature,
	}
}

// curve is one geometry of a plan view.
type curve struct {
	s, length float64 // s of its start, and its length [m]
	start     planPoint
	form      planForm
}

// planForm is the form of a curve.
type planForm interface {
	// at returns the point at the distance d from the start of the curve [m]. The curve starts at the origin
	// along x.
	at(d float64) planPoint
}

// at returns the point at s along the reference line [m].
func (c *curve) at(s float64) planPoint { return c.start.transform(c.form.at(s - c.s)) }

// arc has a constant curvature; a straight line is an arc of curvature 0.
type arc struct{ curvature float64 }

// at implements planForm.
func (a arc) at(d float64) planPoint {
	half := a.curvature * d / 2
	sin, cos := math.Sincos(half)
	chord := d * sinc(half)
	return planPoint{chord * cos, chord * sin, 2 * half, a.curvature}
}

// sinc returns sin(x)/x.
func sinc(x float64) float64 {
	if math.Abs(x) < 1e-4 {
		return 1 - x*x/6
	}
	return math.Sin(x) / x
}

// clothoid is a curve with linearly changing curvature (Euler spiral).
type clothoid struct {
	from   float64 // curvature at its start [1/m]
	growth float64 // change of the curvature along the curve [1/m²]
}

// at integrates cosine and sine of the heading (Fresnel integrals) by Gauss-Legendre quadrature with five
// points, over pieces that turn by at most a radian. The error is about 1e-13 of the length for any
// growth.
func (c clothoid) at(d float64) planPoint {
	turn := max(math.Abs(c.from), math.Abs(c.from+c.growth*d)) * math.Abs(d)
	pieces := max(math.Ceil(turn), 1)
	step := d / pieces
	var p planPoint
	for i := range int(pieces) {
		for j, node := range gauss.nodes {
			l := (float64(i) + node) * step
			sin, cos := math.Sincos(l * (c.from + c.growth*l/2))
			p.x += gauss.weights[j] * step * cos
			p.y += gauss.weights[j] * step * sin
		}
	}
	p.heading = d * (c.from + c.growth*d/2)
	p.curvature = c.from + c.growth*d
	return p
}

// gauss is Gauss-Legendre quadrature with five points on 0 to 1 (Abramowitz and Stegun, table 25.4).
var gauss = struct{ nodes, weights [5]float64 }{
	nodes: [5]float64{
		0.5 - 0.906179845938664/2, 0.5 - 0.538469310105683/2, 0.5,
		0.5 + 0.538469310105683/2, 0.5 + 0.906179845938664/2,
	},
	weights: [5]float64{
		0.236926885056189 / 2, 0.478628670499366 / 2, 0.568888888888889 / 2,
		0.478628670499366 / 2, 0.236926885056189 / 2,
	},
}

// cubic is a + b·x + c·x² + d·x³.
type cubic struct{ a, b, c, d float64 }

// at returns the value at x.
func (p cubic) at(x float64) float64 { return p.a + x*(p.b+x*(p.c+x*p.d)) }

// derivative returns the first derivative at x.
func (p cubic) derivative(x float64) float64 { return p.b + x*(2*p.c+x*3*p.d) }

// secondDerivative returns the second derivative at x.
func (p cubic) secondDerivative(x float64) float64 { return 2*p.c + 6*p.d*x }

// paramPoly3 is a curve whose coordinates u and v are cubics of a parameter. The parameter is scale times the
// distance from the start.
type paramPoly3 struct {
	u, v  cubic
	scale float64
}

// at implements planForm.
func (c paramPoly3) at(d float64) planPoint { return parametricPoint(c.u, c.v, d*c.scale) }

// parametricPoint returns the point of the cubics u and v at the parameter p.
func parametricPoint(u, v cubic, p float64) planPoint {
	du, dv := u.derivative(p), v.derivative(p)
	out := planPoint{x: u.at(p), y: v.at(p)}
	if speed := math.Hypot(du, dv); speed > 1e-9 {
		out.heading = math.Atan2(dv, du)
		out.curvature = (du*v.secondDerivative(p) - dv*u.secondDerivative(p)) / (speed * speed * speed)
	}
	return out
}

// poly3 is a curve whose coordinate v is a cubic of u. A geometry is measured along the curve, so u must be
// computed from the arc length; lengths is the table for that.
type poly3 struct {
	v       cubic
	step    float64   // step of u in lengths [m]
	lengths []float64 // arc length up to each multiple of step [m]
}

// newPoly3 returns a curve with a given arc length [m]. It measures the curve up to u = length, because u is at
// most the arc length.
func newPoly3(v cubic, length float64) *poly3 {
	const steps = 64
	p := &poly3{v: v, step: length / steps, lengths: make([]float64, steps+1)}
	for i := range steps {
		p.lengths[i+1] = p.lengths[i] + p.measure(float64(i)*p.step, p.step)
	}
	return p
}

// measure returns the arc length from u to u+du [m].
func (p *poly3) measure(u, du float64) float64 {
	sum := 0.0
	for j, node := range gauss.nodes {
		sum += gauss.weights[j] * du * math.Hypot(1, p.v.derivative(u+node*du))
	}
	return sum
}

// at implements planForm.
func (p *poly3) at(d float64) planPoint {
	u := p.parameterAt(d)
	return parametricPoint(cubic{b: 1}, p.v, u)
}

// parameterAt returns u at the arc length d, by Newton's method within a step.
func (p *poly3) parameterAt(d float64) float64 {
	i := 0
	for i+2 < len(p.lengths) && p.lengths[i+1] <= d {
		i++
	}
	base, rest := float64(i)*p.step, d-p.lengths[i]
	du := rest / math.Hypot(1, p.v.derivative(base))
	for range 8 {
		du -= (p.measure(base, du) - rest) / math.Hypot(1, p.v.derivative(base+du))
		du = min(max(du, 0), 2*p.step)
	}
	return base + du
}
