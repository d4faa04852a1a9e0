package chassis

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	geo "github.com/golang/geo/r3"
	"github.com/markus-wa/quickhull-go/v2"
	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/valid"
)

// Hull is the outside of the body where it meets the ground and walls. Without
// points it is the box of length_m, width_m and height_m.
type Hull struct {
	Points      [][]float64 `toml:"points_m" most:"100000"` // [x, y, z] each, as in Part; what lies inside their convex hull does not count
	Mesh        string      `toml:"mesh"`                   // a file whose vertices are the points
	MaxVertices int         `toml:"max_vertices"`           // that a simplified hull keeps
	Margin      float64     `toml:"margin_m"`               // by which the faces of the hull move inwards; a box stays as it is
	Restitution float64     `toml:"restitution"`            // speed after a blow over speed before it, 0..1
	Friction    float64     `toml:"friction"`               // of the body on dry asphalt and on walls
}

// DefaultHull is the box, with the friction of sheet metal on dry asphalt and a
// bounce that crash tests at town speeds show.
func DefaultHull() Hull {
	return Hull{MaxVertices: mostVertices, Margin: 0.04, Restitution: 0.1, Friction: 0.45}
}

// Validate reports every parameter that is out of range.
func (h Hull) Validate() error {
	errs := []error{
		valid.InRange("max_vertices", float64(h.MaxVertices), 8, mostVertices), // a box has 8
		valid.InRange("margin_m", h.Margin, 0, 0.5),
		valid.InRange("restitution", h.Restitution, 0, 1),
		valid.InRange("friction", h.Friction, 0, 2),
	}
	if n := len(h.Points); n != 0 {
		errs = append(errs, valid.InRange("number of points_m", float64(n), 4, finestMesh))
	}
	return errors.Join(append(errs, h.misplaced())...)
}

// misplaced reports the first point that cannot belong to a car.
func (h Hull) misplaced() error {
	for i, at := range h.Points {
		if len(at) != 3 {
			return fmt.Errorf("points_m[%d] has %d values: give three, [x, y, z]", i, len(at))
		}
		for k, most := range [3]float64{15, 3, 5} {
			name := fmt.Sprintf("points_m[%d][%d]", i, k)
			if err := valid.InRange(name, at[k], -most, most); err != nil {
				return fmt.Errorf("%w; in metres, from the front axle, the middle and the ground", err)
			}
		}
	}
	return nil
}

// Clone returns h with points of its own.
func (h Hull) Clone() Hull {
	h.Points = slices.Clone(h.Points)
	for i, at := range h.Points {
		h.Points[i] = slices.Clone(at)
	}
	return h
}

const (
	mostVertices = 64
	finestMesh   = 100_000
)

// polytope is a convex solid: its vertices come in pairs that mirror each other,
// the left one first, and then as single ones.
type polytope struct {
	vertices []r3.Vec
	pairs    int     // leading vertices that belong to a pair
	faces    []plane // between them
}

// solid returns the simplified hull of h's points, in their axes.
//
// Where the convex hull of the points has too many vertices, those remain that
// reach furthest beyond the others: what is left lies within the hull. Then each
// vertex moves to the nearest place that is the margin inside of all faces.
//
// Points whose left mirrors their right leave a solid that does so to the last
// bit, and other points leave the mirror image of what their mirror image does.
func (h Hull) solid() (polytope, error) {
	points := sorted(h.Points, 1)
	image := sorted(h.Points, -1)
	order := slices.CompareFunc(points, image, compare)
	if order > 0 {
		points = image
	}
	body := paired(wrap(points), order == 0)
	if len(body.vertices) > h.MaxVertices {
		body = body.thinned(h.MaxVertices)
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

func mirror(v r3.Vec) r3.Vec { return r3.Vec{X: v.X, Y: -v.Y, Z: v.Z} }

// compare orders points by x, then y, then z.
func compare(a, b r3.Vec) int {
	return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z))
}

// sorted returns the points in order and each once, their y times side.
func sorted(points [][]float64, side float64) []r3.Vec {
	list := make([]r3.Vec, len(points))
	for i, at := range points {
		list[i] = r3.Vec{X: at[0], Y: side*at[1] + 0, Z: at[2]} // no -0, which sorts as it likes
	}
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}

// wrap returns the vertices of the points' convex hull, in order.
func wrap(points []r3.Vec) (vertices []r3.Vec) {
	for _, v := range quick(points).Vertices {
		vertices = append(vertices, r3.Vec(v))
	}
	slices.SortFunc(vertices, compare)
	return vertices
}

// quick is the library's way to a convex hull.
func quick(points []r3.Vec) quickhull.ConvexHull {
	cloud := make([]geo.Vector, len(points))
	for i, p := range points {
		cloud[i] = geo.Vector(p)
	}
	return new(quickhull.QuickHull).ConvexHull(cloud, false, false, 0)
}

// paired puts each vertex on the left beside its mirror image, if all have one.
func paired(vertices []r3.Vec, mirrored bool) polytope {
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
	body.pairs = len(body.vertices)
	body.vertices = append(body.vertices, middle...)
	return body
}
