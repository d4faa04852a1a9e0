package chassis

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	geo "github.com/golang/geo/r3"
	"github.com/markus-wa/quickhull-go/v2"
	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/valid"
)

// Hull describes the outside of the body, which touches the ground and walls. Without points it is the box of
// length_m, width_m and height_m.
type Hull struct {
	// `[[x, y, z], …]` as in `[[part]]`: x ahead of the front axle, y left of the middle, z above the ground
	// at rest; at least 4. Their convex hull is what meets ground and walls; without points it is the box of
	// `length_m`, `width_m` and `height_m`
	Points [][]float64 `toml:"points_m" count:"0 or 4..100000"`
	// file beside the car's file with the points, instead of points_m: the vertices of a Wavefront OBJ (name
	// ends with `.obj`), or one point `x y z` per line; metres, the same axes
	Mesh string `toml:"mesh"`
	// largest number of vertices of the hull. If the points need more, those that stand out furthest are
	// kept: the hull may lose some centimetres, and never grows
	MaxVertices int `toml:"max_vertices" range:"8..64"`
	// distance by which all faces of the hull move inward, for rough ground; a box without points stays as it
	// is
	Margin float64 `toml:"margin_m" range:"0..0.5"`
	// speed after an impact over the speed before it; above 80 km/h the body rebounds less
	Restitution float64 `toml:"restitution" range:"0..1"`
	// friction coefficient of the body on dry asphalt and on walls
	Friction float64 `toml:"friction" range:"0..2"`
}

// DefaultHull returns the box, with the friction of sheet metal on dry asphalt and the restitution that crash
// tests at town speeds show.
func DefaultHull() Hull {
	return Hull{MaxVertices: maxVertices, Margin: 0.04, Restitution: 0.1, Friction: 0.45}
}

// Validate reports every parameter that is out of range.
func (h Hull) Validate() error {
	return errors.Join(valid.Struct(h), h.checkPoints())
}

// checkPoints returns an error for the first point that has not three values or is too far from the car.
func (h Hull) checkPoints() error {
	for i, at := range h.Points {
		if len(at) != 3 {
			return fmt.Errorf("points_m[%d] has %d values: give three, [x, y, z]", i, len(at))
		}
		for k, limit := range [3]float64{15, 3, 5} {
			name := fmt.Sprintf("points_m[%d][%d]", i, k)
			if err := valid.InRange(name, at[k], -limit, limit); err != nil {
				return fmt.Errorf("%w; in metres, from the front axle, the middle and the ground", err)
			}
		}
	}
	return nil
}

// Clone returns a deep copy.
func (h Hull) Clone() Hull {
	h.Points = slices.Clone(h.Points)
	for i, at := range h.Points {
		h.Points[i] = slices.Clone(at)
	}
	return h
}

const maxVertices = 64

// polytope is a convex solid. Its first vertices are pairs of mirror images, the left one first. The other
// vertices have no mirror image in the list.
type polytope struct {
	vertices    []r3.Vec
	mirrorPairs int // number of leading vertices that belong to pairs of mirror images
	faces       []plane
}

// polytope returns the simplified convex hull of h's points, in the same axes.
//
// If the convex hull has too many vertices, only those that stand out furthest are kept, so that the result
// lies inside of it. Then each vertex moves to the nearest point that is at least the margin inside of all
// faces.
//
// Points that are symmetric about the car's middle give an exactly symmetric solid. Mirrored points give the
// exact mirror image.
func (h Hull) polytope() (polytope, error) {
	points := sortedPoints(h.Points, 1)
	image := sortedPoints(h.Points, -1)
	order := slices.CompareFunc(points, image, compare)
	if order > 0 {
		points = image
	}
	body := pairMirrored(convexHull(points), order == 0)
	if len(body.vertices) > h.MaxVertices {
		body = body.reduceTo(h.MaxVertices)
	}
	faces := body.planes()
	if len(faces) == 0 {
		return body, errors.New("points_m lie in one plane: give the corners of a solid body")
	}
	if !body.shrink(faces, h.Margin) {
		return body, fmt.Errorf("margin_m = %g leaves nothing of the body: make it smaller", h.Margin)
	}
	body.faces = body.planes()
	if order > 0 {
		for i, v := range body.vertices {
			body.vertices[i] = mirror(v)
		}
		for i, f := range body.faces {
			body.faces[i].normal = mirror(f.normal)
		}
	}
	return body, nil
}

// mirror returns v on the other side of the car.
func mirror(v r3.Vec) r3.Vec { return r3.Vec{X: v.X, Y: -v.Y, Z: v.Z} }

// compare orders points by x, then y, then z.
func compare(a, b r3.Vec) int {
	return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z))
}

// sortedPoints returns the points sorted by compare and without duplicates, with y multiplied by side (1 or
// -1).
func sortedPoints(points [][]float64, side float64) []r3.Vec {
	list := make([]r3.Vec, len(points))
	for i, at := range points {
		list[i] = r3.Vec{X: at[0], Y: side*at[1] + 0, Z: at[2]} // adding 0 turns -0 into 0
	}
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}

// convexHull returns the vertices of the points' convex hull, sorted.
func convexHull(points []r3.Vec) (vertices []r3.Vec) {
	for _, v := range quickHull(points).Vertices {
		vertices = append(vertices, r3.Vec(v))
	}
	slices.SortFunc(vertices, compare)
	return vertices
}

// quickHull returns the convex hull of points by the Quickhull algorithm.
func quickHull(points []r3.Vec) quickhull.ConvexHull {
	cloud := make([]geo.Vector, len(points))
	for i, p := range points {
		cloud[i] = geo.Vector(p)
	}
	return new(quickhull.QuickHull).ConvexHull(cloud, false, false, 0)
}

// pairMirrored returns a solid of these vertices, without faces. If mirrored is true, the solid consists of
// each vertex on the left with its mirror image, and of the vertices in the middle.
func pairMirrored(vertices []r3.Vec, mirrored bool) polytope {
	if !mirrored {
		return polytope{vertices: vertices}
	}
	var body polytope
	var middle []r3.Vec
	for _, v := range vertices {
		switch {
		case v.Y > 0:
			body.vertices = append(body.vertices, v, mirror(v))
		case v.Y == 0:
			middle = append(middle, v)
		}
	}
	body.mirrorPairs = len(body.vertices)
	body.vertices = append(body.vertices, middle...)
	return body
}
