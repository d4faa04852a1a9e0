package crg

import (
	"math"
	"sort"
)

// The border modes of the standard define the ground outside the grid.
const (
	borderNone    = iota // there is no ground
	borderZero           // the height is 0
	borderKeep           // the height is that of the border
	borderRepeat         // the grid repeats
	borderReflect        // the grid repeats, mirrored every second time
)

// axis is one direction of the grid and the rules for the ground outside its ends.
type axis struct {
	low, high    float64 // coordinates of the ends [m]
	step         float64 // step between grid lines [m]; 0 if it varies
	count        int     // number of grid lines
	borderMode   int     // mode of the ground outside the ends
	borderOffset float64 // is added to the height outside the ends in the modes zero and keep [m]
	fadeIn       float64 // distance over which the height fades from that of the line's begin [m]; 0 means none
	fadeOut      float64 // distance over which the height fades to that of the line's end [m]; 0 means none
}

// borderTolerance is the distance outside a border up to which a point still counts as on it [m], for rounding.
const borderTolerance = 1e-8

// fold returns the coordinate within the grid that has the height of x in the modes repeat and reflect, and the
// sign of its derivative by x. In other modes it returns x.
func (a *axis) fold(x float64) (at, sign float64) {
	length := a.high - a.low
	switch {
	case x >= a.low && x <= a.high:
	case a.borderMode == borderRepeat:
		return a.low + positiveMod(x-a.low, length), 1
	case a.borderMode == borderReflect:
		r := positiveMod(x-a.low, 2*length)
		if r > length {
			return a.low + 2*length - r, -1
		}
		return a.low + r, 1
	}
	return x, 1
}

// isOutside reports whether x is outside the borders.
func (a *axis) isOutside(x float64) bool {
	return x < a.low-borderTolerance || x > a.high+borderTolerance
}

// clamp returns x, limited to the borders.
func (a *axis) clamp(x float64) float64 { return min(max(x, a.low), a.high) }

// cell returns the index of the cell at x of an axis with equal steps, and the position in the cell, 0..1.
func (a *axis) cell(x float64) (int, float64) {
	at := (a.clamp(x) - a.low) / a.step
	i := min(int(at), a.count-2)
	return i, min(at-float64(i), 1)
}

// positiveMod returns x modulo m, from 0 to m.
func positiveMod(x, m float64) float64 {
	r := math.Mod(x, m)
	if r < 0 {
		r += m
	}
	return r
}

// height is a height z [m] and its derivatives by u and v.
type height struct{ z, du, dv float64 }

// height returns the height of the ground at u and v [m], and false where there is no ground.
//
// The order of the steps is that of the standard's reference implementation.
func (g *Road) height(u, v float64) (height, bool) {
	u, signU := g.uAxis.fold(g.line.wrap(u))
	v, signV := g.vAxis.fold(v)
	outU, outV := g.uAxis.isOutside(u), g.vAxis.isOutside(v)
	if outU && g.uAxis.borderMode == borderNone || outV && g.vAxis.borderMode == borderNone {
		return height{}, false
	}
	h := g.interior(g.uAxis.clamp(u), g.vAxis.clamp(v))
	if math.IsNaN(h.z) {
		return height{}, false
	}
	if outU {
		h = g.uAxis.applyBorder(h)
		h.du = 0
	}
	if outV {
		h = g.vAxis.applyBorder(h)
		h.dv = 0
	}
	h = fadeToEnd(h, u-g.uAxis.low, g.uAxis.fadeIn, g.zBegin, 1)
	h = fadeToEnd(h, g.uAxis.high-u, g.uAxis.fadeOut, g.zEnd, -1)
	h.du *= signU
	h.dv *= signV
	return h, true
}

// applyBorder returns the height outside a border whose height is h, in the modes zero and keep.
func (a *axis) applyBorder(h height) height {
	if a.borderMode == borderZero {
		return height{z: a.borderOffset}
	}
	h.z += a.borderOffset
	return h
}

// fadeToEnd blends h into endHeight [m], the height at an end of the line, where the distance from the end is
// below length [m]. sign is 1 if the distance grows with u, -1 if it falls.
func fadeToEnd(h height, distance, length, endHeight, sign float64) height {
	if !(length > 0 && distance < length) {
		return h
	}
	fraction := max(distance, 0) / length
	rise := h.z - endHeight
	if distance < 0 {
		sign = 0
	}
	return height{z: fraction*rise + endHeight, du: fraction*h.du + sign*rise/length, dv: fraction * h.dv}
}

// interior returns the height within the grid. Heights are bilinear between the grid points; gradients are
// bilinear between the mean gradients at the grid points.
func (g *Road) interior(u, v float64) height {
	i, p := g.uAxis.cell(u)
	j, q := g.sectionInterval(v)
	n := g.vAxis.count
	at := i*n + j
	z00, z01 := float64(g.z[at]), float64(g.z[at+1])
	z10, z11 := float64(g.z[at+n]), float64(g.z[at+n+1])
	h := height{z: lerp(lerp(z00, z01, q), lerp(z10, z11, q), p)}
	h.du = lerp(lerp(g.gradientU(i, j), g.gradientU(i, j+1), q), lerp(g.gradientU(i+1, j), g.gradientU(i+1, j+1), q), p)
	h.dv = lerp(lerp(g.gradientV(i, j), g.gradientV(i, j+1), q), lerp(g.gradientV(i+1, j), g.gradientV(i+1, j+1), q), p)
	if math.IsNaN(h.du + h.dv) { // the cell is beside a hole
		h.du = (lerp(z10, z11, q) - lerp(z00, z01, q)) / g.uAxis.step
		h.dv = (lerp(z01, z11, p) - lerp(z00, z10, p)) / (g.sectionV(j+1) - g.sectionV(j))
	}
	return g.addReference(h, u, v, i, p)
}

// addReference adds the height and the banking of the reference line to h. p is the position in cell i of u.
func (g *Road) addReference(h height, u, v float64, i int, p float64) height {
	if g.refZ != nil {
		h.z += lerp(g.refZ[i], g.refZ[i+1], p)
		h.du += lerp(g.gradient(g.refZ, i), g.gradient(g.refZ, i+1), p)
	} else {
		h.z += g.zBegin + (u-g.uAxis.low)*g.slope
		h.du += g.slope
	}
	if g.bank != nil {
		bank := lerp(g.bank[i], g.bank[i+1], p)
		h.z += v * bank
		h.du += v * lerp(g.gradient(g.bank, i), g.gradient(g.bank, i+1), p)
		h.dv += bank
	}
	return h
}

// lerp returns the linear interpolation from a to b at p in 0..1.
func lerp(a, b, p float64) float64 { return a + p*(b-a) }

// sectionInterval returns the index of the interval between two long sections at v, and the position in the
// interval, 0..1.
func (g *Road) sectionInterval(v float64) (int, float64) {
	if g.v == nil {
		return g.vAxis.cell(v)
	}
	j := sort.SearchFloat64s(g.v, v) - 1
	j = min(max(j, 0), len(g.v)-2)
	return j, (v - g.v[j]) / (g.v[j+1] - g.v[j])
}

// sectionV returns v of a long section [m].
func (g *Road) sectionV(j int) float64 {
	if g.v == nil {
		return g.vAxis.low + float64(j)*g.vAxis.step
	}
	return g.v[j]
}

// gradientU returns the mean gradient by u of the heights beside grid point i, j.
func (g *Road) gradientU(i, j int) float64 {
	a, b := max(i-1, 0), min(i+1, g.uAxis.count-1)
	n := g.vAxis.count
	return (float64(g.z[b*n+j]) - float64(g.z[a*n+j])) / (float64(b-a) * g.uAxis.step)
}

// gradientV returns the mean gradient by v of the heights beside grid point i, j.
func (g *Road) gradientV(i, j int) float64 {
	a, b := max(j-1, 0), min(j+1, g.vAxis.count-1)
	row := g.z[i*g.vAxis.count:]
	return (float64(row[b]) - float64(row[a])) / (g.sectionV(b) - g.sectionV(a))
}

// gradient returns the mean gradient by u at index i of values y that are given at each row.
func (g *Road) gradient(y []float64, i int) float64 {
	a, b := max(i-1, 0), min(i+1, len(y)-1)
	return (y[b] - y[a]) / (float64(b-a) * g.uAxis.step)
}
