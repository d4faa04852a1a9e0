package crg

import (
	"math"
	"sort"
)

// The border modes of the standard: what lies beyond the grid.
const (
	borderNone = iota
	borderZero
	borderKeep
	borderRepeat
	borderReflect
)

// axis is one direction of the grid with what lies beyond its ends.
type axis struct {
	low, high float64 // [m]
	step      float64 // between grid lines [m]; 0 if it varies
	count     int     // of grid lines
	mode      int     // beyond the ends
	offset    float64 // of the height there [m], in the modes zero and keep
	fadeIn    float64 // over which the height grows from that of the line's end [m]; 0 is none
	fadeOut   float64
}

// slack is how far beyond a border is still on it [m]: rounding.
const slack = 1e-8

// fold returns the coordinate of the grid that stands for x, and the sign by
// which it grows with x.
func (a *axis) fold(x float64) (at, sign float64) {
	long := a.high - a.low
	switch {
	case x >= a.low && x <= a.high:
	case a.mode == borderRepeat:
		return a.low + modulo(x-a.low, long), 1
	case a.mode == borderReflect:
		r := modulo(x-a.low, 2*long)
		if r > long {
			return a.low + 2*long - r, -1
		}
		return a.low + r, 1
	}
	return x, 1
}

// beyond tells whether x is outside the borders.
func (a *axis) beyond(x float64) bool { return x < a.low-slack || x > a.high+slack }

func (a *axis) clamp(x float64) float64 { return min(max(x, a.low), a.high) }

// even returns the cell of a grid with equal steps and the share of it at x.
func (a *axis) even(x float64) (int, float64) {
	at := (a.clamp(x) - a.low) / a.step
	i := min(int(at), a.count-2)
	return i, min(at-float64(i), 1)
}

// modulo returns the rest of x over a positive m, in 0 to m.
func modulo(x, m float64) float64 {
	r := math.Mod(x, m)
	if r < 0 {
		r += m
	}
	return r
}

// height is a height [m] and how it grows with u and v.
type height struct{ z, du, dv float64 }

// height returns the ground at u and v, and false where there is none.
//
// The order of the steps is that of the standard's reference implementation.
func (g *Road) height(u, v float64) (height, bool) {
	u, forward := g.length.fold(g.line.wrap(u))
	v, leftward := g.width.fold(v)
	outU, outV := g.length.beyond(u), g.width.beyond(v)
	if outU && g.length.mode == borderNone || outV && g.width.mode == borderNone {
		return height{}, false
	}
	h := g.inside(g.length.clamp(u), g.width.clamp(v))
	if math.IsNaN(h.z) {
		return height{}, false
	}
	if outU {
		h = g.length.outside(h)
		h.du = 0
	}
	if outV {
		h = g.width.outside(h)
		h.dv = 0
	}
	h = fade(h, u-g.length.low, g.length.fadeIn, g.zBegin, 1)
	h = fade(h, g.length.high-u, g.length.fadeOut, g.zEnd, -1)
	h.du *= forward
	h.dv *= leftward
	return h, true
}

// outside applies a border's mode and offset.
func (a *axis) outside(h height) height {
	if a.mode == borderZero {
		return height{z: a.offset}
	}
	h.z += a.offset
	return h
}

// fade scales h over a base near an end of the road that is so far away; sign is
// that of the distance's change with u.
func fade(h height, distance, over, base, sign float64) height {
	if !(over > 0 && distance < over) {
		return h
	}
	share := max(distance, 0) / over
	rise := h.z - base
	if distance < 0 {
		sign = 0
	}
	return height{z: share*rise + base, du: share*h.du + sign*rise/over, dv: share * h.dv}
}

// inside returns the ground within the grid: bilinear between its points, and
// the gradient bilinear between the points' mean gradients.
func (g *Road) inside(u, v float64) height {
	i, p := g.length.even(u)
	j, q := g.section(v)
	n := g.width.count
	at := i*n + j
	z00, z01 := float64(g.z[at]), float64(g.z[at+1])
	z10, z11 := float64(g.z[at+n]), float64(g.z[at+n+1])
	h := height{z: mix(mix(z00, z01, q), mix(z10, z11, q), p)}
	h.du = mix(mix(g.along(i, j), g.along(i, j+1), q), mix(g.along(i+1, j), g.along(i+1, j+1), q), p)
	h.dv = mix(mix(g.across(i, j), g.across(i, j+1), q), mix(g.across(i+1, j), g.across(i+1, j+1), q), p)
	if math.IsNaN(h.du + h.dv) { // beside a hole
		h.du = (mix(z10, z11, q) - mix(z00, z01, q)) / g.length.step
		h.dv = (mix(z01, z11, p) - mix(z00, z10, p)) / (g.at(j+1) - g.at(j))
	}
	return g.tilted(h, u, v, i, p)
}

// tilted adds the reference line's height and banking.
func (g *Road) tilted(h height, u, v float64, i int, p float64) height {
	if g.refZ != nil {
		h.z += mix(g.refZ[i], g.refZ[i+1], p)
		h.du += mix(g.trend(g.refZ, i), g.trend(g.refZ, i+1), p)
	} else {
		h.z += g.zBegin + (u-g.length.low)*g.slope
		h.du += g.slope
	}
	if g.bank != nil {
		bank := mix(g.bank[i], g.bank[i+1], p)
		h.z += v * bank
		h.du += v * mix(g.trend(g.bank, i), g.trend(g.bank, i+1), p)
		h.dv += bank
	}
	return h
}

// mix returns a and b in shares of 1-p and p.
func mix(a, b, p float64) float64 { return a + p*(b-a) }

// section returns the strip between two long sections at v and the share of it.
func (g *Road) section(v float64) (int, float64) {
	if g.v == nil {
		return g.width.even(v)
	}
	j := sort.SearchFloat64s(g.v, v) - 1
	j = min(max(j, 0), len(g.v)-2)
	return j, (v - g.v[j]) / (g.v[j+1] - g.v[j])
}

// at returns v of a long section [m].
func (g *Road) at(j int) float64 {
	if g.v == nil {
		return g.width.low + float64(j)*g.width.step
	}
	return g.v[j]
}

// along and across return the mean gradient of the heights about a grid point.
func (g *Road) along(i, j int) float64 {
	a, b := max(i-1, 0), min(i+1, g.length.count-1)
	n := g.width.count
	return (float64(g.z[b*n+j]) - float64(g.z[a*n+j])) / (float64(b-a) * g.length.step)
}

func (g *Road) across(i, j int) float64 {
	a, b := max(j-1, 0), min(j+1, g.width.count-1)
	row := g.z[i*g.width.count:]
	return (float64(row[b]) - float64(row[a])) / (g.at(b) - g.at(a))
}

// trend is the mean gradient along u of what is given at each u.
func (g *Road) trend(y []float64, i int) float64 {
	a, b := max(i-1, 0), min(i+1, len(y)-1)
	return (y[b] - y[a]) / (float64(b-a) * g.length.step)
}
