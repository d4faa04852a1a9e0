package road

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
)

// Roughness is the random unevenness of a surface, by the classes of ISO 8608. Its
// zero value is even.
//
// In class A a road has a power spectrum of heights, one-sided over the spatial
// frequency n along any line on it, of
//
//	G(n) = 16e-6 m³·(n/n0)⁻², n0 = 0.1 cycles/m,
//
// the geometric mean of its class, and four times as much in each next class.
type Roughness struct {
	Class byte    // 'A' to 'E'; 0 is even
	Share float64 // factor on heights; from √½ to √2 it stays in the class
}

// Validate reports every value that is out of range.
func (r Roughness) Validate() error {
	var class error
	if r.Class != 0 && (r.Class < 'A' || r.Class > 'E') {
		class = fmt.Errorf("roughness = %q: choose A, B, C, D, E or even", string(rune(r.Class)))
	}
	return errors.Join(class, valid.InRange("roughness_share", r.Share, 0, 4))
}

// scale returns the factor on the heights of class A.
func (r Roughness) scale() float64 {
	if r.Class < 'A' || r.Class > 'E' {
		return 0
	}
	return r.Share * float64(int(1)<<(r.Class-'A'))
}

// Unevenness is the ground of class A of ISO 8608, without end, between 0.011 and
// 2.83 cycles/m: an isotropic random surface, so that every line on it has the
// spectrum of its class and two tracks of a car are as much alike as their
// distance lets them be: long waves are one, short ones are not.
//
// It is the sum of layers that repeat, each along axes of its own, so that the sum
// does not repeat within any drive. A height depends on its place alone.
type Unevenness struct {
	layers [layers]layer
}

const (
	layers   = 3
	nodeSide = 512 // nodes along a side of a layer's period, a power of 2
	nodeMask = nodeSide - 1
)

// nodes are the weights of a layer's splines, row by row.
type nodes [nodeSide * nodeSide]float32

// layer is a periodic surface of quadratic B-splines on a square grid.
type layer struct {
	cos, sin float64 // of its axes, over the distance of nodes [1/m]
	x, y     float64 // place of the world's origin [nodes]
	weights  *nodes
}

// unevenFar is where the ground becomes even [m]: far beyond all roads.
const unevenFar = 1e7

// Height returns the height [m] at a place seen from above [m], and its slopes
// along the world's x and y, which are continuous.
func (g *Unevenness) Height(x, y float64) (z, slopeX, slopeY float64) {
	if !(math.Abs(x) < unevenFar && math.Abs(y) < unevenFar) { // also true for NaN
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

// at returns the spline's value at a place in nodes, and its derivatives there.
func (w *nodes) at(u, v float64) (z, du, dv float64) {
	i, f := nearestNode(u)
	j, g := nearestNode(v)
	a0, a1, a2 := (0.5-f)*(0.5-f)/2, 0.75-f*f, (0.5+f)*(0.5+f)/2
	d0, d1, d2 := f-0.5, -2*f, f+0.5
	west, mid, east := (i-1)&nodeMask, i&nodeMask, (i+1)&nodeMask
	var rows, slopes [3]float64
	for k := range rows {
		row := (j + k - 1) & nodeMask * nodeSide
		p, q, r := float64(w[row|west]), float64(w[row|mid]), float64(w[row|east])
		rows[k] = a0*p + a1*q + a2*r
		slopes[k] = d0*p + d1*q + d2*r
	}
	b0, b1, b2 := (0.5-g)*(0.5-g)/2, 0.75-g*g, (0.5+g)*(0.5+g)/2
	z = b0*rows[0] + b1*rows[1] + b2*rows[2]
	du = b0*slopes[0] + b1*slopes[1] + b2*slopes[2]
	dv = (g-0.5)*rows[0] - 2*g*rows[1] + (g+0.5)*rows[2]
	return z, du, dv
}

// nearestNode returns the whole number nearest to u, and how far u is beyond it.
func nearestNode(u float64) (int, float64) {
	i := int(math.Floor(u + 0.5))
	return i, u - float64(i)
}
