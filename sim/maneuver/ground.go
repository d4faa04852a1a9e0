package maneuver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// bumpRoad is level but for a bump across it, a whole cosine wave from its lowest
// point to its lowest point.
type bumpRoad struct {
	road.Flat
	from, length float64 // along the world's x [m]
	height       float64 // [m]
	leftOnly     bool    // only where y is positive
}

// Touch returns the ground straight below p, as the plane that it is there.
func (g bumpRoad) Touch(p r3.Vec) road.Contact {
	part := (p.X - g.from) / g.length
	if !(part > 0 && part < 1) || g.leftOnly && p.Y <= 0 {
		return g.Flat.Touch(p)
	}
	sin, cos := math.Sincos(2 * math.Pi * part)
	height := g.height / 2 * (1 - cos)
	slope := g.height * math.Pi / g.length * sin
	long := math.Sqrt(1 + slope*slope)
	n := r3.Vec{X: -slope / long, Z: 1 / long}
	depth := (height - p.Z) * n.Z
	return road.Contact{Point: r3.Add(p, r3.Scale(depth, n)), Normal: n, Depth: depth, Surface: g.Surface}
}

// hill is a plane that falls towards the world's -x by an angle [rad].
type hill struct {
	road.Flat
	sin, cos float64
}

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
