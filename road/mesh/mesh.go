// Package mesh implements a ground of triangles: a road, its kerbs and the land beside it.
//
// It takes triangles (Build) or a saved mesh (Load) and returns a Mesh, which is a road.Ground and a
// road.Sweeper. The triangles are in a hierarchy of boxes. Rays meet the flat triangles; the ground below a
// point is a smooth surface through their corners. The package opens no file and starts no goroutine.
package mesh

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// Triangles are the input of Build. Faces are anticlockwise seen from their outer side, which is the top
// of a road.
type Triangles struct {
	Positions []float64 // x, y, z of each vertex [m]
	Indices   []uint32  // three vertices per triangle
	Materials []uint8   // one per triangle, or nil for all 0
}

// Options are the settings of Build.
type Options struct {
	Smooth bool    // the ground is curved between the corners
	Crease float64 // edges with a larger angle between their faces stay sharp [rad], 0 to π/2
	// Bulge is the maximum distance by which smoothing may move the surface [m], 0.0001 to 10. Edges at which it
	// would move further stay sharp.
	Bulge    float64
	TwoSided bool // triangles that face down carry a wheel as well
}

// DefaultOptions returns options that smooth a road and keep the edges of its kerbs.
func DefaultOptions() Options {
	return Options{Smooth: true, Crease: 20 * math.Pi / 180, Bulge: 0.05}
}

// Validate reports every option that is out of range.
func (o Options) Validate() error {
	var errs []error
	if !(o.Crease >= 0 && o.Crease <= math.Pi/2) {
		errs = append(errs, fmt.Errorf("crease angle of %g rad: must be 0 to π/2", o.Crease))
	}
	if !(o.Bulge >= 1e-4 && o.Bulge <= 10) {
		errs = append(errs, fmt.Errorf("bulge of %g m: must be 0.0001 to 10", o.Bulge))
	}
	return errors.Join(errs...)
}

// Parallel runs work(0) to work(n-1), in any order or concurrently, and returns when all are done. A nil
// Parallel runs them one after the other.
type Parallel func(n int, work func(i int))

// spans divides 0 to n into parts of a size and calls work for each. The parts do not depend on the number of
// processors.
func (p Parallel) spans(n, size int, work func(from, to int)) {
	parts := (n + size - 1) / size
	run := func(i int) { work(i*size, min(n, (i+1)*size)) }
	if p != nil {
		p(parts, run)
		return
	}
	for i := range parts {
		run(i)
	}
}

// Mesh is a ground of triangles. It must not change after SetSurfaces.
type Mesh struct {
	origin    r3.Vec // is subtracted from all positions inside the mesh [m, world]
	box       box
	nodes     []node
	vertices  []vertex
	corners   [][3]uint32 // vertices of each triangle
	material  []uint8
	flags     []flags
	entryGrid entryGrid
	dropped   int  // number of triangles without area that Build left out
	smooth    bool // the ground is curved between the corners
	road.SurfaceList
}

// vertex is a corner shared by triangles that have the same tangent plane there.
type vertex struct {
	pos   [3]float32 // relative to the mesh's origin [m]
	slope [2]float32 // of the surface, along x and y
}

// flags are the properties of a triangle: two bits for the kind of each edge, the lowest for the edge from
// corner 0 to 1, and the bit carries.
type flags uint8

const (
	edgeBorder   flags = iota   // no triangle that carries a wheel is on the other side
	edgeSmooth                  // the surface continues beyond the edge without a kink
	edgeCrease                  // the surface continues beyond the edge with a kink
	edgeStraight                // the surface continues beyond the edge; the edge is not curved
	edgeMask           = 3      // the two bits of one edge
	carries      flags = 1 << 6 // the triangle carries a wheel
)

// edge returns the kind of the edge from corner k to the next.
func (f flags) edge(k int) flags { return f >> (2 * k) & edgeMask }

// Bounds returns the smallest and the largest coordinates [m].
func (m *Mesh) Bounds() (low, high r3.Vec) {
	return r3.Add(m.origin, m.box.low.vec()), r3.Add(m.origin, m.box.high.vec())
}

// TriangleCount returns the number of triangles.
func (m *Mesh) TriangleCount() int { return len(m.corners) }

// MaterialCount returns the number of materials: one more than the largest index.
func (m *Mesh) MaterialCount() int { return 1 + int(slices.Max(m.material)) }

// Dropped returns the number of triangles without area, which Build left out.
func (m *Mesh) Dropped() int { return m.dropped }

// Bytes returns the memory that the mesh takes.
func (m *Mesh) Bytes() int {
	return cap(m.nodes)*nodeSize + cap(m.vertices)*vertexSize + cap(m.corners)*cornerSize +
		cap(m.material) + cap(m.flags) + cap(m.entryGrid.cells)*cellSize
}

// Sizes of elements in memory and in a file [bytes].
const (
	nodeSize   = 32
	vertexSize = 20
	cornerSize = 12
	cellSize   = 4
)

// corner returns the position of corner k of a triangle, relative to the origin [m].
func (m *Mesh) corner(triangle, k int) r3.Vec {
	return vec32(m.vertices[m.corners[triangle][k]].pos).vec()
}

// face returns the corners of triangle i, relative to the origin [m].
func (m *Mesh) face(i int) face {
	return face{m.corner(i, 0), m.corner(i, 1), m.corner(i, 2)}
}

// face is a flat triangle, given by its corners.
type face [3]r3.Vec

// normal returns the outer normal; its length is twice the area.
func (f *face) normal() r3.Vec { return r3.Cross(r3.Sub(f[1], f[0]), r3.Sub(f[2], f[0])) }

// A Mesh is a ground of several surfaces that bodies can be swept against.
var (
	_ road.MultiSurface = (*Mesh)(nil)
	_ road.Sweeper      = (*Mesh)(nil)
)
