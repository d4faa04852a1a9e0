// Package mesh is a ground of triangles: a road, its kerbs and what is beside it.
//
// The triangles lie in a hierarchy of boxes. Rays meet the flat triangles; the
// ground below a point is a smooth surface through their corners.
package mesh

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
)

// Triangles are what a mesh is built from. Faces are anticlockwise as seen from
// their outer side, which is up for a road.
type Triangles struct {
	Positions []float64 // x, y, z of each vertex [m]
	Indices   []uint32  // three vertices a triangle
	Materials []uint8   // one a triangle, or nil for all 0
}

// Options say how triangles become a ground.
type Options struct {
	Smooth   bool    // the ground is curved between the corners
	Crease   float64 // faces that meet at a larger angle keep their edge [rad], 0 to π/2
	Bulge    float64 // so do faces that smoothing would move by about this much [m], 0.0001 to 10
	TwoSided bool    // faces that look down carry a wheel from above, too
}

// DefaultOptions smooth a road and keep the edges of its kerbs.
func DefaultOptions() Options {
	return Options{Smooth: true, Crease: 20 * math.Pi / 180, Bulge: 0.05}
}

// Validate reports every option that is out of range.
func (o Options) Validate() error {
	var errs []error
	if !(o.Crease >= 0 && o.Crease <= math.Pi/2) {
		errs = append(errs, fmt.Errorf("crease angle of %g rad: allowed is 0 to π/2", o.Crease))
	}
	if !(o.Bulge >= 1e-4 && o.Bulge <= 10) {
		errs = append(errs, fmt.Errorf("bulge of %g m: allowed is 0.0001 to 10", o.Bulge))
	}
	return errors.Join(errs...)
}

// Parallel runs work(0) to work(n-1), in any order or at once, and returns when
// all are done. A nil Parallel runs them one by one.
type Parallel func(n int, work func(i int))

// spans cuts 0 to n into parts that are the same for any number of processors.
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

// Mesh is a ground of triangles. It does not change once it is paved.
type Mesh struct {
	origin   r3.Vec // that positions inside count from [m]
	box      box
	nodes    []node
	vertices []vertex
	corners  [][3]uint32 // vertices of each triangle
	material []uint8
	flags    []flags
	entries  grid
	dropped  int
	smooth   bool
	surfaces []road.Surface
}

// vertex is a corner of the triangles around it that have one tangent there.
type vertex struct {
	pos   [3]float32 // [m, from the origin]
	slope [2]float32 // of the surface, along x and y
}

// flags of a triangle: a kind of each edge, the first from corner 0 to 1.
type flags uint8

const (
	border   flags = iota // nothing that looks up is beyond the edge
	smooth                // the surface goes on without a kink
	crease                // it goes on with a kink
	straight              // it goes on, and the edge is not to be curved
	kinds          = 3
	up       flags = 1 << 6 // the triangle carries a wheel
)

// edge returns the kind of the edge from corner k to the next.
func (f flags) edge(k int) flags { return f >> (2 * k) & kinds }

// Bounds returns the smallest and the largest coordinates [m].
func (m *Mesh) Bounds() (low, high r3.Vec) {
	return r3.Add(m.origin, m.box.low.vec()), r3.Add(m.origin, m.box.high.vec())
}

// Triangles returns how many triangles the mesh has.
func (m *Mesh) Triangles() int { return len(m.corners) }

// Materials returns how many materials the triangles count in: one more than the greatest of them.
func (m *Mesh) Materials() int { return 1 + int(slices.Max(m.material)) }

// Dropped returns how many triangles without area were left out.
func (m *Mesh) Dropped() int { return m.dropped }

// Bytes returns how much memory the mesh takes.
func (m *Mesh) Bytes() int {
	return cap(m.nodes)*nodeSize + cap(m.vertices)*vertexSize + cap(m.corners)*cornerSize +
		cap(m.material) + cap(m.flags) + cap(m.entries.cells)*cellSize
}

// Sizes in memory, and in a file.
const (
	nodeSize   = 32
	vertexSize = 20
	cornerSize = 12
	cellSize   = 4
)

// Pave says what the materials of the triangles count in. Those beyond the list
// are dry asphalt.
func (m *Mesh) Pave(list []road.Surface) { m.surfaces = list }

// Surfaces returns what Pave was given.
func (m *Mesh) Surfaces() []road.Surface { return m.surfaces }

func (m *Mesh) surface(material uint8) tire.Surface {
	if int(material) < len(m.surfaces) {
		return m.surfaces[material].Tire
	}
	return tire.Dry()
}

// corner returns a corner's place from the origin.
func (m *Mesh) corner(triangle, k int) r3.Vec {
	return triple(m.vertices[m.corners[triangle][k]].pos).vec()
}

// face returns the corners of a triangle.
func (m *Mesh) face(i int) face {
	return face{m.corner(i, 0), m.corner(i, 1), m.corner(i, 2)}
}

// face is a triangle.
type face [3]r3.Vec

// normal returns a vector out of the face, twice its area long.
func (f *face) normal() r3.Vec { return r3.Cross(r3.Sub(f[1], f[0]), r3.Sub(f[2], f[0])) }

// What a mesh can do for its users.
var (
	_ road.Paved  = (*Mesh)(nil)
	_ road.Caster = (*Mesh)(nil)
)
