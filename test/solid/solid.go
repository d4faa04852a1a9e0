// Package solid provides simple bodies and grounds for tests of body contact.
package solid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// Ellipsoid returns n points on an ellipsoid of a car's size [m: x forward, y left, z up], distributed by the
// golden angle. Its half axes are 2.2, 0.9 and 0.5; its center is 1.3 behind and 0.75 above the origin. If
// mirrored is set it also returns their n images mirrored in y.
func Ellipsoid(n int, mirrored bool) (points [][]float64) {
	for i := range n {
		z := 1 - 2*(float64(i)+0.5)/float64(n)
		sin, cos := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		r := math.Sqrt(1 - z*z)
		at := []float64{-1.3 + 2.2*r*cos, 0.9 * r * sin, 0.75 + 0.5*z}
		points = append(points, at)
		if mirrored {
			points = append(points, []float64{at[0], -at[1], at[2]})
		}
	}
	return points
}

// Box returns the corners of a box from low to high.
func Box(low, high r3.Vec) (points [][]float64) {
	for _, x := range []float64{low.X, high.X} {
		for _, y := range []float64{low.Y, high.Y} {
			for _, z := range []float64{low.Z, high.Z} {
				points = append(points, []float64{x, y, z})
			}
		}
	}
	return points
}

// Wedge is a ground that is level for x < 0 and has the slope Wedge [height per length along x] for x > 0.
// A negative slope makes a crest.
type Wedge float64

// Touch returns the foot of the perpendicular from p on the plane on p's side of the edge.
func (w Wedge) Touch(p r3.Vec) road.Contact {
	n := r3.Vec{Z: 1}
	if p.X > 0 {
		n = r3.Unit(r3.Vec{X: -float64(w), Z: 1})
	}
	depth := -r3.Dot(p, n)
	at := road.Asphalt().Touch(p)
	at.Point, at.Normal, at.Depth = r3.Add(p, r3.Scale(depth, n)), n, depth
	return at
}
