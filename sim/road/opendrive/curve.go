package opendrive

import "math"

// place is a point of a reference line seen from above.
type place struct {
	x, y      float64 // [m]
	heading   float64 // [rad], 0 along x, to the left
	curvature float64 // [1/m], to the left
}

// shift returns the place that is p as seen from o.
func (o place) shift(p place) place {
	sin, cos := math.Sincos(o.heading)
	return place{
		x:         o.x + p.x*cos - p.y*sin,
		y:         o.y + p.x*sin + p.y*cos,
		heading:   o.heading + p.heading,
		curvature: p.curvature,
	}
}

// curve is one geometry of a plan view.
type curve struct {
	s, length float64
	start     place
	form      former
}

// former is a curve's form: where d metres along it lead from the origin and
// the x axis.
type former interface{ at(d float64) place }

func (c *curve) at(s float64) place { return c.start.shift(c.form.at(s - c.s)) }

// arc bends evenly; a straight line is one of curvature 0.
type arc struct{ curvature float64 }

func (a arc) at(d float64) place {
	half := a.curvature * d / 2
	sin, cos := math.Sincos(half)
	chord := d * sinc(half)
	return place{chord * cos, chord * sin, 2 * half, a.curvature}
}

// sinc returns sin(x)/x.
func sinc(x float64) float64 {
	if math.Abs(x) < 1e-4 {
		return 1 - x*x/6
	}
	return math.Sin(x) / x
}

// clothoid is a curve whose curvature grows evenly: Euler's spiral.
type clothoid struct {
	from   float64 // curvature at its start [1/m]
	growth float64 // [1/m²]
}

// at integrates the heading's cosine and sine, Fresnel's integrals, by Gauss'
// five points over pieces that turn by at most a radian: to some 1e-13 of the
// length, however small the growth.
func (c clothoid) at(d float64) place {
	turn := max(math.Abs(c.from), math.Abs(c.from+c.growth*d)) * math.Abs(d)
	pieces := max(math.Ceil(turn), 1)
	step := d / pieces
	var p place
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

// gauss is the quadrature of Gauss and Legendre with five points on 0 to 1;
// Abramowitz and Stegun, table 25.4.
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

func (p cubic) at(x float64) float64     { return p.a + x*(p.b+x*(p.c+x*p.d)) }
func (p cubic) slope(x float64) float64  { return p.b + x*(2*p.c+x*3*p.d) }
func (p cubic) second(x float64) float64 { return 2*p.c + 6*p.d*x }

// param is a curve of two cubics in a parameter that is d times scale.
type param struct {
	u, v  cubic
	scale float64
}

func (c param) at(d float64) place { return along(c.u, c.v, d*c.scale) }

// along returns the place of the cubics u and v at p.
func along(u, v cubic, p float64) place {
	du, dv := u.slope(p), v.slope(p)
	out := place{x: u.at(p), y: v.at(p)}
	if speed := math.Hypot(du, dv); speed > 1e-9 {
		out.heading = math.Atan2(dv, du)
		out.curvature = (du*v.second(p) - dv*u.second(p)) / (speed * speed * speed)
	}
	return out
}

// poly is v as a cubic of u. The file counts d along the curve, so u is looked
// up: reached lists the length at every step of u.
type poly struct {
	v       cubic
	step    float64 // of u [m]
	reached []float64
}

// newPoly measures a curve of a length; u cannot be more than that.
func newPoly(v cubic, length float64) *poly {
	const steps = 64
	p := &poly{v: v, step: length / steps, reached: make([]float64, steps+1)}
	for i := range steps {
		p.reached[i+1] = p.reached[i] + p.measure(float64(i)*p.step, p.step)
	}
	return p
}

// measure returns the curve's length from u on, du further.
func (p *poly) measure(u, du float64) float64 {
	sum := 0.0
	for j, node := range gauss.nodes {
		sum += gauss.weights[j] * du * math.Hypot(1, p.v.slope(u+node*du))
	}
	return sum
}

func (p *poly) at(d float64) place {
	u := p.across(d)
	return along(cubic{b: 1}, p.v, u)
}

// across finds u at the length d by Newton's method within a step.
func (p *poly) across(d float64) float64 {
	i := 0
	for i+2 < len(p.reached) && p.reached[i+1] <= d {
		i++
	}
	base, rest := float64(i)*p.step, d-p.reached[i]
	du := rest / math.Hypot(1, p.v.slope(base))
	for range 8 {
		du -= (p.measure(base, du) - rest) / math.Hypot(1, p.v.slope(base+du))
		du = min(max(du, 0), 2*p.step)
	}
	return base + du
}
