package opendrive

import (
	"fmt"
	"math"

	"rig.example/rig/internal/kit/printable"
)

// readPlan reads the reference line.
func (f *reader) readPlan(raw []rawGeometry, r *Road) {
	f.element = "<planView>"
	if len(raw) == 0 {
		f.fail("no <geometry> in it: a road needs a reference line")
	}
	end := 0.0
	for i := range raw {
		f.element = fmt.Sprintf("<geometry> %d", i+1)
		c, ok := f.readGeometry(&raw[i])
		if f.fault != nil {
			return
		}
		if !ok {
			continue
		}
		f.checkFollows(r, c, end)
		end = c.s + c.length
		r.plan = append(r.plan, c)
	}
	f.element = "<planView>"
	switch {
	case f.fault != nil:
	case len(r.plan) == 0:
		f.fail("every <geometry> is 0 m long: a road needs a reference line")
	case math.Abs(end-r.Length) > maxGap:
		f.warn("ends at s %.3f, the road's length is %.3f: the shorter one holds", end, r.Length)
	}
	r.Length = min(r.Length, end)
	if r.Length <= 0 {
		f.fail("the road is %g m long: must be longer than 0", r.Length)
	}
}

// checkFollows checks that the s of a geometry is that at which the previous one ends [m].
func (f *reader) checkFollows(r *Road, c curve, end float64) {
	switch {
	case len(r.plan) == 0 && c.s > maxGap:
		f.fail("s is %g: the first one must start at 0", c.s)
	case len(r.plan) > 0 && c.s <= r.plan[len(r.plan)-1].s:
		f.fail("s is %g, not after the previous geometry: sort them by s", c.s)
	case math.Abs(c.s-end) > maxGap:
		f.warn("s is %.3f, the previous geometry ends at %.3f: the road has a step there", c.s, end)
	}
}

// readGeometry reads one curve. It returns false for a curve without length, which is ignored.
func (f *reader) readGeometry(raw *rawGeometry) (curve, bool) {
	c := curve{
		s:      f.requiredNumber(raw.S, "s", -maxGap, maxLength),
		length: f.requiredNumber(raw.Length, "length", 0, maxLength),
		start: planPoint{
			x:       f.readCoordinate(raw.X, "x"),
			y:       f.readCoordinate(raw.Y, "y"),
			heading: f.requiredNumber(raw.Hdg, "hdg", -1e4, 1e4),
		},
	}
	if c.length == 0 && f.fault == nil {
		f.warn("0 m long: ignored")
		return c, false
	}
	switch {
	case f.fault != nil:
	case raw.Line != nil:
		c.form = arc{}
	case raw.Arc != nil:
		c.form = arc{f.readCurvature(raw.Arc.Curvature, "curvature", c.length)}
	case raw.Spiral != nil:
		from := f.readCurvature(raw.Spiral.Start, "curvStart", c.length)
		to := f.readCurvature(raw.Spiral.End, "curvEnd", c.length)
		c.form = clothoid{from, (to - from) / c.length}
	case raw.Poly != nil:
		c.form = f.poly3(raw.Poly, c.length)
	case raw.Param != nil:
		c.form = f.paramPoly3(raw.Param, c.length)
	default:
		f.fail("no known form in it: must hold <line>, <arc>, <spiral>, <poly3> or <paramPoly3>")
	}
	return c, true
}

// readCurvature reads a curvature [1/m], and fails if the curve turns too far over its length [m].
func (f *reader) readCurvature(n numberText, key string, length float64) float64 {
	k := f.requiredNumber(n, key, -maxCurvature, maxCurvature)
	if math.Abs(k)*length > maxTurn {
		f.fail("%s is %g over %g m: winds round %.0f times; correct it", key, k, length, math.Abs(k)*length/(2*math.Pi))
	}
	return k
}

// poly reads a poly3 of a length [m].
func (f *reader) poly3(raw *rawCubic, length float64) planForm {
	v := f.readCubic(raw)
	for i := range 65 {
		if slope := v.derivative(float64(i) / 64 * length); f.fault == nil && math.Abs(slope) > maxPoly3Slope {
			f.fail("a poly3 with a slope of %g: must be at most %g; use paramPoly3", slope, maxPoly3Slope)
		}
	}
	return newPoly3(v, length)
}

// param reads a paramPoly3 of a length [m].
func (f *reader) paramPoly3(raw *rawParam, length float64) planForm {
	c := paramPoly3{scale: 1}
	c.u = f.readCubic(&rawCubic{A: raw.AU, B: raw.BU, C: raw.CU, D: raw.DU})
	c.v = f.readCubic(&rawCubic{A: raw.AV, B: raw.BV, C: raw.CV, D: raw.DV})
	switch raw.Range {
	case "arcLength":
	case "normalized", "":
		c.scale = 1 / length
	default:
		f.fail("pRange is %q: must be arcLength or normalized", printable.Excerpt(raw.Range))
	}
	const fraction = 0.01 // maximum relative difference of the lengths
	if own := c.measure(length); f.fault == nil && math.Abs(own-length) > max(fraction*length, maxGap) {
		f.warn("length is %.3f, the curve has %.3f: points along it are spread evenly in its parameter",
			length, own)
	}
	return c
}

// measure returns the arc length up to d [m].
func (c paramPoly3) measure(d float64) float64 {
	const pieces = 16
	sum, step := 0.0, d*c.scale/pieces
	for i := range pieces {
		for j, node := range gauss.nodes {
			p := (float64(i) + node) * step
			sum += gauss.weights[j] * step * math.Hypot(c.u.derivative(p), c.v.derivative(p))
		}
	}
	return sum
}
