package road

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// Plane is an even ground through the origin, tilted as a whole. Its nearest
// place is exact.
type Plane struct {
	normal  r3.Vec
	surface tire.Surface
}

// NewPlane returns a ground that rises by slope [rad] towards heading [rad, 0
// along x, positive to the left]. The slope may be anything below a quarter turn.
func NewPlane(slope, heading float64, s tire.Surface) Plane {
	toward := along(heading)
	sin, cos := math.Sincos(slope)
	return Plane{r3.Vec{X: -sin * toward.X, Y: -sin * toward.Y, Z: cos}, s}
}

// Touch returns the foot of the perpendicular from p.
func (g Plane) Touch(p r3.Vec) Contact {
	depth := -r3.Dot(p, g.normal)
	return Contact{Point: r3.Add(p, r3.Scale(depth, g.normal)), Normal: g.normal, Depth: depth, Surface: g.surface}
}

// Kerb is a straight block with upright faces and sharp edges on a level ground
// at height 0: a kerbstone, a sleeper or, if it is wide, a step.
//
// From above the block it is measured straight down, as a ray would, so that the
// ground jumps where p passes an edge. A point lower than the top, beside the
// block or within it, is measured to the nearest face, and finds the edge there.
type Kerb struct {
	toward  r3.Vec  // across the block, level
	at      float64 // its first face [m along toward]
	width   float64 // [m]
	height  float64 // [m]
	surface tire.Surface
}

// NewKerb returns a block that begins at the given distance from the origin [m]
// along heading [rad, 0 along x, positive to the left], where its first face
// stands across, and that is so wide and high [m]. A width of +Inf makes a step.
func NewKerb(heading, at, width, height float64, s tire.Surface) Kerb {
	return Kerb{along(heading), at, width, height, s}
}

// Touch returns the ground straight below p, or a face of the block beside it.
func (k Kerb) Touch(p r3.Vec) Contact {
	front := k.at - r3.Dot(p, k.toward) // how far p is before each face
	back := k.width + front
	inside := front < 0 && back > 0
	level := 0.0
	if inside {
		level = k.height
	}
	c := Contact{Point: r3.Vec{X: p.X, Y: p.Y, Z: level}, Normal: r3.Vec{Z: 1}, Depth: level - p.Z, Surface: k.surface}
	if p.Z >= k.height || !inside && p.Z <= 0 {
		return c
	}
	near := math.Abs(c.Depth)
	out := k.toward
	gap := -back // in front of the face, negative behind it
	if math.Abs(front) < math.Abs(back) {
		out, gap = r3.Scale(-1, k.toward), front
	}
	if math.Abs(gap) >= near {
		return c
	}
	c.Point, c.Normal, c.Depth = r3.Sub(p, r3.Scale(gap, out)), out, -gap
	return c
}

// Bump is a single wave of a cosine across an otherwise level ground at height 0,
//
//	z = height/2·(1 + cos(2π·u/length)) for |u| < length/2,
//
// with u the distance from its crest. It is measured straight down, to the
// tangent there: the nearest place but for terms in the square of the slope
// times curvature times distance.
type Bump struct {
	toward  r3.Vec
	crest   float64 // [m along toward]
	length  float64 // [m]
	height  float64 // [m]
	surface tire.Surface
}

// NewBump returns a wave whose crest is at the given distance from the origin [m]
// along heading [rad, 0 along x, positive to the left], of the given length
// along it and height [m]; a negative height is a dip.
func NewBump(heading, crest, length, height float64, s tire.Surface) Bump {
	return Bump{along(heading), crest, length, height, s}
}

// Touch returns the tangent of the ground straight below p.
func (b Bump) Touch(p r3.Vec) Contact {
	c := Contact{Point: r3.Vec{X: p.X, Y: p.Y}, Normal: r3.Vec{Z: 1}, Depth: -p.Z, Surface: b.surface}
	u := r3.Dot(p, b.toward) - b.crest
	if !(math.Abs(u) < b.length/2) {
		return c
	}
	k := 2 * math.Pi / b.length
	sin, cos := math.Sincos(k * u)
	slope := -b.height / 2 * k * sin
	c.Point.Z = b.height / 2 * (1 + cos)
	c.Normal = r3.Scale(1/math.Sqrt(1+slope*slope), r3.Vec{X: -slope * b.toward.X, Y: -slope * b.toward.Y, Z: 1})
	c.Depth = (c.Point.Z - p.Z) * c.Normal.Z
	return c
}

// along returns the level unit vector of a heading [rad].
func along(heading float64) r3.Vec {
	sin, cos := math.Sincos(heading)
	return r3.Vec{X: cos, Y: sin}
}
