package opendrive

import (
	"fmt"
	"math"
)

// plan reads the reference line.
func (f *form) plan(raw []rawGeometry, r *Road) {
	f.element = "<planView>"
	if len(raw) == 0 {
		f.fail("no <geometry> in it: a road needs a reference line")
	}
	end := 0.0
	for i := range raw {
		f.element = fmt.Sprintf("<geometry> %d", i+1)
		c, ok := f.geometry(&raw[i])
		if f.fault != nil {
			return
		}
		if !ok {
			continue
		}
		f.follows(r, c, end)
		end = c.s + c.length
		r.plan = append(r.plan, c)
	}
	f.element = "<planView>"
	switch {
	case f.fault != nil:
	case len(r.plan) == 0:
		f.fail("every <geometry> is 0 m long: a road needs a reference line")
	case math.Abs(end-r.Length) > joint:
		f.warn("ends at s %.3f, the road's length is %.3f: the shorter one holds", end, r.Length)
	}
	r.Length = min(r.Length, end)
	if r.Length <= 0 {
		f.fail("the road is %g m long: must be longer than 0", r.Length)
	}
}

// follows checks that a geometry starts where the one in front ends.
func (f *form) follows(r *Road, c curve, end float64) {
	switch {
	case len(r.plan) == 0 && c.s > joint:
		f.fail("s is %g: the first one must start at 0", c.s)
	case len(r.plan) > 0 && c.s <= r.plan[len(r.plan)-1].s:
		f.fail("s is %g, not beyond the geometry in front: sort them by s", c.s)
	case math.Abs(c.s-end) > joint:
		f.warn("s is %.3f, the geometry in front ends at %.3f: the road has a step there", c.s, end)
	}
}

// geometry reads one curve; one without length is passed over.
func (f *form) geometry(raw *rawGeometry) (curve, bool) {
	c := curve{
		s:      f.need(raw.S, "s", -joint, maxLength),
		length: f.need(raw.Length, "length", 0, maxLength),
		start: place{
			x:       f.coordinate(raw.X, "x"),
			y:       f.coordinate(raw.Y, "y"),
			heading: f.need(raw.Hdg, "hdg", -1e4, 1e4),
		},
	}
	if c.length == 0 && f.fault == nil {
		f.warn("0 m long: passed over")
		return c, false
	}
	switch {
	case f.fault != nil:
	case raw.Line != nil:
		c.form = arc{}
	case raw.Arc != nil:
		c.form = arc{f.curvature(raw.Arc.Curvature, "curvature", c.length)}
	case raw.Spiral != nil:
		from := f.curvature(raw.Spiral.Start, "curvStart", c.length)
		to := f.curvature(raw.Spiral.End, "curvEnd", c.length)
		c.form = clothoid{from, (to - from) / c.length}
	case raw.Poly != nil:
		c.form = f.poly(raw.Poly, c.length)
	case raw.Param != nil:
		c.form = f.param(raw.Param, c.length)
	default:
		f.fail("no known form in it: must hold <line>, <arc>, <spiral>, <poly3> or <paramPoly3>")
	}
	return c, true
}

func (f *form) curvature(n num, key string, length float64) float64 {
	k := f.need(n, key, -maxCurvature, maxCurvature)
	if math.Abs(k)*length > maxTurn {
		f.fail("%s is %g over %g m: winds round %.0f times; correct it", key, k, length, math.Abs(k)*length/(2*math.Pi))
	}
	return k
}

func (f *form) poly(raw *rawPoly, length float64) former {
	v := f.cubic(raw)
	for i := range 65 {
		if slope := v.slope(float64(i) / 64 * length); f.fault == nil && math.Abs(slope) > maxSteep {
			f.fail("a poly3 that rises by %g a metre: must be at most %g; use paramPoly3", slope, maxSteep)
		}
	}
	return newPoly(v, length)
}

func (f *form) param(raw *rawParam, length float64) former {
	c := param{scale: 1}
	c.u = f.cubic(&rawPoly{A: raw.AU, B: raw.BU, C: raw.CU, D: raw.DU})
	c.v = f.cubic(&rawPoly{A: raw.AV, B: raw.BV, C: raw.CV, D: raw.DV})
	switch raw.Range {
	case "arcLength":
	case "normalized", "":
		c.scale = 1 / length
	default:
		f.fail("pRange is %q: must be arcLength or normalized", clip(raw.Range))
	}
	const share = 0.01
	if own := c.measure(length); f.fault == nil && math.Abs(own-length) > max(share*length, joint) {
		f.warn("length is %.3f, the curve has %.3f: points along it are spread evenly in its parameter", length, own)
	}
	return c
}

// measure returns the curve's length up to d.
func (c param) measure(d float64) float64 {
	const pieces = 16
	sum, step := 0.0, d*c.scale/pieces
	for i := range pieces {
		for j, node := range gauss.nodes {
			p := (float64(i) + node) * step
			sum += gauss.weights[j] * step * math.Hypot(c.u.slope(p), c.v.slope(p))
		}
	}
	return sum
}
