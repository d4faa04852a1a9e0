package maneuver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// bumpRoad is level except for a bump across it: a whole cosine wave between two lowest points.
type bumpRoad struct {
	road.Flat
	from, length float64 // where the bump begins, and its length, along the world's x axis [m]
	height       float64 // [m]
	leftOnly     bool    // the bump is only where y is positive, below the left wheels
}

// Touch returns the tangent plane of the ground straight below p.
func (g bumpRoad) Touch(p r3.Vec) road.Contact {
	share := (p.X - g.from) / g.length
	if !(share > 0 && share < 1) || g.leftOnly && p.Y <= 0 {
		return g.Flat.Touch(p)
	}
	sin, cos := math.Sincos(2 * math.Pi * share)
	height := g.height / 2 * (1 - cos)
	slope := g.height * math.Pi / g.length * sin
	long := math.Sqrt(1 + slope*slope)
	n := r3.Vec{X: -slope / long, Z: 1 / long}
	depth := (height - p.Z) * n.Z
	return road.Contact{Point: r3.Add(p, r3.Scale(depth, n)), Normal: n, Depth: depth, Surface: g.Surface}
}

// hill is a plane that rises towards the world's x axis by an angle [rad].
type hill struct {
	road.Flat
	sin, cos float64
}

// newHill returns an asphalt plane that rises towards the x axis by an angle [rad].
func newHill(angle float64) hill {
	sin, cos := math.Sincos(angle)
	return hill{road.Asphalt(), sin, cos}
}

// Touch returns the point of the plane nearest to p.
func (g hill) Touch(p r3.Vec) road.Contact {
	n := r3.Vec{X: -g.sin, Z: g.cos}
	depth := g.sin*p.X - g.cos*p.Z
	return road.Contact{Point: r3.Add(p, r3.Scale(depth, n)), Normal: n, Depth: depth, Surface: g.Surface}
}

// splitRoad is level asphalt with another grip to the left of the world's x axis.
type splitRoad struct {
	road.Flat
	leftGrip float64 // grip of the left half
}

// newSplitRoad returns level asphalt with a grip of left on its left half.
func newSplitRoad(left float64) splitRoad { return splitRoad{road.Asphalt(), left} }

// Touch returns the ground straight below p.
func (g splitRoad) Touch(p r3.Vec) road.Contact {
	c := g.Flat.Touch(p)
	if p.Y > 0 {
		c.Surface.Grip = g.leftGrip
	}
	return c
}
