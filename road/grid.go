package road

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Grid is a ground of heights on a regular grid with axes along x and y.
//
// Between the points it is the bicubic surface of Catmull and Rom, "A class of local interpolating
// splines" (1974): heights and normals are continuous, and heights that are quadratic in x and y are
// exact. At a border or beside a hole the slope at a point is that of the parabola through it and the next
// two points inwards.
type Grid struct {
	x, y      float64 // position of the first point [m]
	dx, dy    float64 // distances between points along x and y [m]
	nx, ny    int
	z         []float32 // heights [m], x varies fastest; NaN is a hole
	materials []uint8   // material of each point; nil means 0 everywhere
	SurfaceList
}

// maxGridPoints is the maximum number of points of a grid.
const maxGridPoints = 1 << 30

// NewGrid returns the ground through nx times ny heights [m]. The first point is at x, y [m]; points are
// dx [m] apart along x and dy along y. The height at column i and row j is heights[j·nx+i]. NaN is a hole:
// the up to four cells around it have no ground.
//
// Materials are indices into the list that SetSurfaces takes, one for each height; a position has the
// material of the nearest point. materials may be nil. NewGrid keeps both slices: they must not change.
func NewGrid(x, y, dx, dy float64, nx, ny int, heights []float32, materials []uint8) (*Grid, error) {
	switch {
	case !(math.Abs(x) < MaxCoordinate && math.Abs(y) < MaxCoordinate):
		return nil, fmt.Errorf("road: grid begins at %g, %g m: must be within %g m of the origin; subtract an offset",
			x, y, float64(MaxCoordinate))
	case !(min(dx, dy) >= 1e-3 && max(dx, dy) <= 1e5):
		return nil, fmt.Errorf("road: grid steps of %g and %g m: must be from 0.001 to 100000", dx, dy)
	case nx < 2 || ny < 2 || nx > maxGridPoints/ny:
		return nil, fmt.Errorf("road: grid of %d times %d points: must be at least 2 times 2 and at most %d in all",
			nx, ny, maxGridPoints)
	case len(heights) != nx*ny:
		return nil, fmt.Errorf("road: grid of %d times %d points with %d heights: give one for each point, NaN for none",
			nx, ny, len(heights))
	case materials != nil && len(materials) != nx*ny:
		return nil, fmt.Errorf("road: grid of %d times %d points with %d materials: give one for each point or none at all",
			nx, ny, len(materials))
	}
	holes := 0
	for i, z := range heights {
		if math.Abs(float64(z)) >= MaxCoordinate {
			return nil, fmt.Errorf("road: grid height at column %d of row %d is %g m: must be below %g, or NaN for none",
				i%nx, i/nx, z, float64(MaxCoordinate))
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

// Size returns the number of points along x and along y.
func (g *Grid) Size() (nx, ny int) { return g.nx, g.ny }

// Extent returns the corners of the grid seen from above [m].
func (g *Grid) Extent() (minX, minY, maxX, maxY float64) {
	return g.x, g.y, g.x + float64(g.nx-1)*g.dx, g.y + float64(g.ny-1)*g.dy
}

// Touch returns the tangent plane of the ground straight below or above p. Its error against the nearest
// point is of second order in the slope. Outside the grid and in holes the contact is horizontal,
// NoGroundDepth below p.
func (g *Grid) Touch(p r3.Vec) Contact {
	u, v := (p.X-g.x)/g.dx, (p.Y-g.y)/g.dy
	if !(u >= 0 && u <= float64(g.nx-1) && v >= 0 && v <= float64(g.ny-1)) { // also true for NaN
		return NoGround(p, g.TireSurface(0))
	}
	i, j := min(int(u), g.nx-2), min(int(v), g.ny-2)
	h := g.heightInCell(i, j, u-float64(i), v-float64(j))
	if !(math.Abs(h.z) < 2*MaxCoordinate && math.Abs(p.Z) < MaxCoordinate) {
		return NoGround(p, g.TireSurface(0))
	}
	material := g.material(u, v)
	c := TangentPlane(p, h.z, h.du/g.dx, h.dv/g.dy, g.TireSurface(material))
	c.Material = material
	return c
}

// material returns the material of the point nearest to the position u, v in grid steps.
func (g *Grid) material(u, v float64) uint8 {
	if g.materials == nil {
		return 0
	}
	return g.materials[int(v+0.5)*g.nx+int(u+0.5)]
}

// cellHeight is the height of a grid at a position [m], and its derivatives along x and along y, in metres
// per grid step.
type cellHeight struct{ z, du, dv float64 }

// heightInCell returns the height in cell i, j, at the fractions fx along x and fy along y of the cell,
// 0..1. The height is NaN in a hole.
func (g *Grid) heightInCell(i, j int, fx, fy float64) cellHeight {
	if i > 0 && j > 0 && i < g.nx-2 && j < g.ny-2 {
		if h := g.heightInInnerCell(i, j, fx, fy); !math.IsNaN(h.z) {
			return h
		}
	}
	return g.heightInEdgeCell(i, j, fx, fy)
}

// heightInInnerCell returns the height in a cell that has heights all around it. It subtracts the height of
// one corner of the cell before it interpolates, so that a level grid is exactly level.
func (g *Grid) heightInInnerCell(i, j int, fx, fy float64) cellHeight {
	at := (j-1)*g.nx + i - 1
	base := float64(g.z[at+g.nx+1])
	w, d := catmullRom(fx)
	f, e := catmullRom(fy)
	var h cellHeight
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

// catmullRom returns the weights of four points in a row for the value at t between the middle two, and
// for its derivative.
func catmullRom(t float64) (w, d [4]float64) {
	w = [4]float64{t * (-1 + t*(2-t)) / 2, 1 + t*t*(3*t-5)/2, t * (1 + t*(4-3*t)) / 2, t * t * (t - 1) / 2}
	d = [4]float64{(-1 + t*(4-3*t)) / 2, t * (9*t - 10) / 2, (1 + t*(8-9*t)) / 2, t * (3*t - 2) / 2}
	return w, d
}
