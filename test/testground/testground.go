// Package testground holds simple grounds for tests: a tilted plane, a block with sharp edges and a single
// wave. Their contacts are given by short formulas, so that a test can compute what it expects. Production
// code never imports it.
package testground

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
)

// Plane is a tilted plane through the origin. Its contact is the exact nearest point.
type Plane struct {
	normal  r3.Vec // unit vector, upwards
	surface tire.Surface
}

// NewPlane returns a plane that rises by slope [rad, below π/2] towards heading
// [rad, 0 along x, positive to the left].
func NewPlane(slope, heading float64, s tire.Surface) Plane {
	direction := along(heading)
	sin, cos := math.Sincos(slope)
	return Plane{r3.Vec{X: -sin * direction.X, Y: -sin * direction.Y, Z: cos}, s}
}

// IsPlane returns true: it implements road.Planar.
func (g Plane) IsPlane() bool { return true }

// Touch returns the foot of the perpendicular from p.
func (g Plane) Touch(p r3.Vec) road.Contact {
	depth := -r3.Dot(p, g.normal)
	point := r3.Add(p, r3.Scale(depth, g.normal))
	return road.Contact{Point: point, Normal: g.normal, Depth: depth, Surface: g.surface}
}

// Kerb is a straight block with upright faces and sharp edges on a level ground
// at height 0: a kerbstone, a sleeper or, if it is wide, a step.
//
// A point above the top is measured straight down, so the height jumps where it passes an edge. A point lower
// than the top is measured to the nearest surface: a face, or the ground or top straight below or above it. A
// point below height 0 beside the block is always measured to the ground.
type Kerb struct {
	direction     r3.Vec  // horizontal unit vector across the block, from its first face to its second
	frontDistance float64 // distance of the first face from the origin along direction [m]
	width         float64 // distance between the faces [m]
	height        float64 // [m]
	surface       tire.Surface
}

// NewKerb returns a block whose first face is at the distance front from the origin [m], square to
// heading [rad, 0 along x, positive to the left]. A width of +Inf makes a step.
func NewKerb(heading, front, width, height float64, s tire.Surface) Kerb {
	return Kerb{along(heading), front, width, height, s}
}

// Touch returns the ground or the top straight below or above p, or the nearer face of the block.
func (k Kerb) Touch(p r3.Vec) road.Contact {
	beforeFirst := k.frontDistance - r3.Dot(p, k.direction) // distance from p to the plane of the first face along the direction; negative behind it [m]
	beforeSecond := k.width + beforeFirst
	inside := beforeFirst < 0 && beforeSecond > 0
	groundHeight := 0.0
	if inside {
		groundHeight = k.height
	}
	c := road.Contact{Point: r3.Vec{X: p.X, Y: p.Y, Z: groundHeight}, Normal: r3.Vec{Z: 1}, Depth: groundHeight - p.Z, Surface: k.surface}
	if p.Z >= k.height || !inside && p.Z <= 0 {
		return c
	}
	near := math.Abs(c.Depth)
	out := k.direction
	gap := -beforeSecond // distance of p in front of the nearer face [m], negative inside the block
	if math.Abs(beforeFirst) < math.Abs(beforeSecond) {
		out, gap = r3.Scale(-1, k.direction), beforeFirst
	}
	if math.Abs(gap) >= near {
		return c
	}
	c.Point, c.Normal, c.Depth = r3.Sub(p, r3.Scale(gap, out)), out, -gap
	return c
}

// Bump is one wave of a cosine across an otherwise level ground at height 0,
//
//	z = height/2·(1 + cos(2π·u/length)) for |u| < length/2,
//
// with u the distance from its crest. The contact is the tangent plane straight below the point:
// its error is of second order in the slope.
type Bump struct {
	direction r3.Vec  // horizontal unit vector across the wave
	crest     float64 // distance of the crest from the origin along direction [m]
	length    float64 // [m]
	height    float64 // [m], negative for a dip
	surface   tire.Surface
}

// NewBump returns a wave whose crest is at the distance crest from the origin [m] along heading
// [rad, 0 along x, positive to the left]. A negative height is a dip.
func NewBump(heading, crest, length, height float64, s tire.Surface) Bump {
	return Bump{along(heading), crest, length, height, s}
}

// Touch returns the tangent plane of the ground straight above or below p.
func (b Bump) Touch(p r3.Vec) road.Contact {
	c := road.Contact{Point: r3.Vec{X: p.X, Y: p.Y}, Normal: r3.Vec{Z: 1}, Depth: -p.Z, Surface: b.surface}
	u := r3.Dot(p, b.direction) - b.crest
	if !(math.Abs(u) < b.length/2) {
		return c
	}
	k := 2 * math.Pi / b.length
	sin, cos := math.Sincos(k * u)
	slope := -b.height / 2 * k * sin
	c.Point.Z = b.height / 2 * (1 + cos)
	c.Normal = r3.Scale(1/math.Sqrt(1+slope*slope), r3.Vec{X: -slope * b.direction.X, Y: -slope * b.direction.Y, Z: 1})
	c.Depth = (c.Point.Z - p.Z) * c.Normal.Z
	return c
}

// along returns the horizontal unit vector of a heading [rad, 0 along x, positive to the left].
func along(heading float64) r3.Vec {
	sin, cos := math.Sincos(heading)
	return r3.Vec{X: cos, Y: sin}
}
