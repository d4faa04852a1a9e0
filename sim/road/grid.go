package road

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// Grid is a ground of heights on a regular grid with axes along x and y.
//
// Between the points it is the bicubic surface through them after Catmull and
// Rom, "A class of local interpolating splines" (1974): heights and normals have
// no jump anywhere, and whatever is quadratic in x and y comes out exactly. At a
// border or beside a hole the slope of a point is that of the parabola through
// it and the next two points inwards.
type Grid struct {
	x, y      float64 // of the first point [m]
	dx, dy    float64 // from point to point along x and y [m]
	nx, ny    int
	z         []float32 // [m], along x first; NaN is a hole
	materials []uint8   // of each point; nil is 0 everywhere
	surfaces  []Surface // by material
}

// gridMost is the most points that a grid has.
const gridMost = 1 << 30

// NewGrid returns the ground through nx times ny heights [m], whose first point
// lies at x and y [m] and whose points are dx [m] apart along x and dy along y. Heights run along
// x first: that of column i and row j is heights[j·nx+i]. A height of NaN is a
// hole: the up to four cells about it have no ground.
//
// Materials count in what Pave is given, one for each height; a place has that of
// the nearest point. They may be nil. Both slices are kept and must not change.
func NewGrid(x, y, dx, dy float64, nx, ny int, heights []float32, materials []uint8) (*Grid, error) {
	switch {
	case !(math.Abs(x) < MostFar && math.Abs(y) < MostFar):
		return nil, fmt.Errorf("road: grid begins at %g, %g m: must be within %g m of the origin; subtract an offset", x, y, float64(MostFar))
	case !(min(dx, dy) >= 1e-3 && max(dx, dy) <= 1e5):
		return nil, fmt.Errorf("road: grid steps of %g and %g m: must be from 0.001 to 100000", dx, dy)
	case nx < 2 || ny < 2 || nx > gridMost/ny:
		return nil, fmt.Errorf("road: grid of %d times %d points: must be at least 2 times 2 and at most %d in all", nx, ny, gridMost)
	case len(heights) != nx*ny:
		return nil, fmt.Errorf("road: grid of %d times %d points with %d heights: give one for each point, NaN for none", nx, ny, len(heights))
	case materials != nil && len(materials) != nx*ny:
		return nil, fmt.Errorf("road: grid of %d times %d points with %d materials: give one for each point or none at all", nx, ny, len(materials))
	}
	holes := 0
	for i, z := range heights {
		if math.Abs(float64(z)) >= MostFar {
			return nil, fmt.Errorf("road: grid height at column %d of row %d is %g m: must be below %g, or NaN for none", i%nx, i/nx, z, float64(MostFar))
		}
		if z != z {
			holes++
		}
	}
	if holes == len(heights) {
		return nil, fmt.Errorf("road: grid of %d times %d points has no height at all: every one is NaN", nx, ny)
	}
	return &Grid{x: x, y: y, dx: dx, dy: dy, nx: nx, ny: ny, z: heights, materials: materials}, nil
}

// Pave says what the materials count in; those beyond the list, or all before
// Pave is called, are dry asphalt.
func (g *Grid) Pave(list []Surface) { g.surfaces = list }

// Surfaces returns what Pave was given.
func (g *Grid) Surfaces() []Surface { return g.surfaces }

// Size returns the number of points along x and along y.
func (g *Grid) Size() (nx, ny int) { return g.nx, g.ny }

// Extent returns the corners of the grid as seen from above [m].
func (g *Grid) Extent() (minX, minY, maxX, maxY float64) {
	return g.x, g.y, g.x + float64(g.nx-1)*g.dx, g.y + float64(g.ny-1)*g.dy
}

// Touch returns the tangent of the ground straight below or above p: the nearest
// place but for terms in the square of the slope times curvature times distance.
// Where there is none, outside and in holes, it is level and a kilometre below p.
func (g *Grid) Touch(p r3.Vec) Contact {
	u, v := (p.X-g.x)/g.dx, (p.Y-g.y)/g.dy
	if !(u >= 0 && u <= float64(g.nx-1) && v >= 0 && v <= float64(g.ny-1)) { // also true for NaN
		return g.nothing(p)
	}
	i, j := min(int(u), g.nx-2), min(int(v), g.ny-2)
	h := g.cell(i, j, u-float64(i), v-float64(j))
	if !(math.Abs(h.z) < 2*MostFar && math.Abs(p.Z) < MostFar) {
		return g.nothing(p)
	}
	dx, dy := h.du/g.dx, h.dv/g.dy
	up := 1 / math.Sqrt(1+dx*dx+dy*dy)
	c := Contact{
		Point: r3.Vec{X: p.X, Y: p.Y, Z: h.z}, Normal: r3.Vec{X: -dx * up, Y: -dy * up, Z: up},
		Depth: (h.z - p.Z) * up, Material: g.material(u, v),
	}
	c.Surface = g.surface(c.Material)
	return c
}

// nothing is where there is no ground; it is finite for every p.
func (g *Grid) nothing(p r3.Vec) Contact {
	c := Contact{Point: r3.Vec{X: p.X, Y: p.Y, Z: p.Z - NoGround}, Normal: r3.Vec{Z: 1}, Depth: -NoGround, Surface: g.surface(0)}
	if !(math.Abs(p.X) < MostFar && math.Abs(p.Y) < MostFar && math.Abs(p.Z) < MostFar) {
		c.Point = r3.Vec{Z: -NoGround}
	}
	return c
}

// material returns that of the nearest point.
func (g *Grid) material(u, v float64) uint8 {
	if g.materials == nil {
		return 0
	}
	return g.materials[int(v+0.5)*g.nx+int(u+0.5)]
}

func (g *Grid) surface(material uint8) tire.Surface {
	if int(material) < len(g.surfaces) {
		return g.surfaces[material].Tire
	}
	return tire.Dry()
}

// gridHeight is a height [m] and its growth over a whole step along x and y.
type gridHeight struct{ z, du, dv float64 }

// cell returns the height at the shares p along x and q along y of a cell, and
// its growth over a whole step; NaN in a hole.
func (g *Grid) cell(i, j int, p, q float64) gridHeight {
	if i > 0 && j > 0 && i < g.nx-2 && j < g.ny-2 {
		if h := g.inner(i, j, p, q); !math.IsNaN(h.z) {
			return h
		}
	}
	return g.edge(i, j, p, q)
}

// inner is the surface where all points of the cell and about it have heights.
// It counts heights from a corner of the cell: what is level comes out level.
func (g *Grid) inner(i, j int, p, q float64) gridHeight {
	at := (j-1)*g.nx + i - 1
	base := float64(g.z[at+g.nx+1])
	w, d := catmullRom(p)
	f, e := catmullRom(q)
	var h gridHeight
	for k := range f {
		row := g.z[at : at+4 : at+4]
		a, b := float64(row[0])-base, float64(row[1])-base
		c, n := float64(row[2])-base, float64(row[3])-base
		z := w[0]*a + w[1]*b + w[2]*c + w[3]*n
		h.z += f[k] * z
		h.dv += e[k] * z
		h.du += f[k] * (d[0]*a + d[1]*b + d[2]*c + d[3]*n)
		at += g.nx
	}
	h.z += base
	return h
}

// catmullRom returns the shares of four points in a row in the height at t
// between the middle two, and in its growth.
func catmullRom(t float64) (w, d [4]float64) {
	w = [4]float64{t * (-1 + t*(2-t)) / 2, 1 + t*t*(3*t-5)/2, t * (1 + t*(4-3*t)) / 2, t * t * (t - 1) / 2}
	d = [4]float64{(-1 + t*(4-3*t)) / 2, t * (9*t - 10) / 2, (1 + t*(8-9*t)) / 2, t * (3*t - 2) / 2}
	return w, d
}
