package road

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Roughness is the random unevenness of a surface, by the classes of ISO 8608. The
// zero value is smooth.
//
// In class A a road has a power spectrum of heights, one-sided over the spatial
// frequency n along any line on it, of
//
//	G(n) = 16e-6 m³·(n/n0)⁻², n0 = 0.1 cycles/m,
//
// the geometric mean of its class. Each following class has four times as much.
type Roughness struct {
	Class        byte    // 'A' to 'E'; 0 is smooth
	HeightFactor float64 // factor on heights; √½ to √2 stays in the class
}

// Validate returns an error if the class is unknown.
func (r Roughness) Validate() error {
	if r.Class == 0 {
		return nil
	}
	return valid.Fields(SurfaceParams{Roughness: string(rune(r.Class))}, "roughness")
}

// heightFactor returns the factor on the heights of a road of class A; 0 for a smooth surface.
func (r Roughness) heightFactor() float64 {
	if r.Class < 'A' || r.Class > 'E' {
		return 0
	}
	return r.HeightFactor * float64(int(1)<<(r.Class-'A'))
}

// Unevenness is an infinite random surface of class A of ISO 8608, with waves between 0.011 and
// 2.83 cycles/m. It is isotropic: every line on it has the spectrum of the class, and the left and
// right track are correlated as on real roads: long waves are the same in both, short ones differ.
//
// It is the sum of periodic layers, each with its own axes, so that the sum does not repeat
// within any drive. A height depends on its position alone.
type Unevenness struct {
	layers [layerCount]layer
}

const (
	layerCount = 3
	nodeSide   = 512 // nodes along a side of a layer's period, a power of 2
	nodeMask   = nodeSide - 1
)

// nodeWeights are the weights of a layer's B-splines at the nodes of its grid [m], row by row.
type nodeWeights [nodeSide * nodeSide]float32

// layer is a periodic surface of quadratic B-splines on a square grid.
type layer struct {
	cos, sin float64 // of the angle of its axes, divided by the distance between nodes [1/m]
	x, y     float64 // position of the world's origin, in nodes
	weights  *nodeWeights
}

// maxRoughnessDistance is the distance from the origin along an axis beyond which there is no roughness [m],
// far outside all roads.
const maxRoughnessDistance = 1e7

// Height returns the height [m] at a position seen from above [m], and its slopes along the world's x and
// y, which are continuous.
func (g *Unevenness) Height(x, y float64) (z, slopeX, slopeY float64) {
	if !(math.Abs(x) < maxRoughnessDistance && math.Abs(y) < maxRoughnessDistance) { // also true for NaN
		return 0, 0, 0
	}
	for i := range g.layers {
		l := &g.layers[i]
		h, du, dv := l.weights.at(l.x+x*l.cos+y*l.sin, l.y-x*l.sin+y*l.cos)
		z += h
		slopeX += du*l.cos - dv*l.sin
		slopeY += du*l.sin + dv*l.cos
	}
	return z, slopeX, slopeY
}

// at returns the value of the B-splines [m] at the position u, v in nodes, and its derivatives by u and v.
func (w *nodeWeights) at(u, v float64) (z, du, dv float64) {
	i, f := nearestNode(u)
	j, g := nearestNode(v)
	a0, a1, a2 := (0.5-f)*(0.5-f)/2, 0.75-f*f, (0.5+f)*(0.5+f)/2
	d0, d1, d2 := f-0.5, -2*f, f+0.5
	col0, col1, col2 := (i-1)&nodeMask, i&nodeMask, (i+1)&nodeMask
	var rows, slopes [3]float64
	for k := range rows {
		row := (j + k - 1) & nodeMask * nodeSide
		p, q, r := float64(w[row|col0]), float64(w[row|col1]), float64(w[row|col2])
		rows[k] = a0*p + a1*q + a2*r
		slopes[k] = d0*p + d1*q + d2*r
	}
	b0, b1, b2 := (0.5-g)*(0.5-g)/2, 0.75-g*g, (0.5+g)*(0.5+g)/2
	z = b0*rows[0] + b1*rows[1] + b2*rows[2]
	du = b0*slopes[0] + b1*slopes[1] + b2*slopes[2]
	dv = (g-0.5)*rows[0] - 2*g*rows[1] + (g+0.5)*rows[2]
	return z, du, dv
}

// nearestNode returns the integer nearest to u, and u minus that integer.
func nearestNode(u float64) (int, float64) {
	i := int(math.Floor(u + 0.5))
	return i, u - float64(i)
}
