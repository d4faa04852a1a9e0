package scan

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// checker is the mesh of a scene while it is being checked. Vertices at the same position are one vertex, and
// triangles that cannot be checked are left out.
type checker struct {
	scene    *Scene
	limits   Limits
	tally    tally
	vertices []r3.Vec
	faces    [][3]int32   // vertices of each triangle, in the order of the scene
	normals  []r3.Vec     // unit normal of each face; zero for faces that are left out
	flipped  []bool       // whether each face is turned against its neighbours
	parts    disjointSets // groups of connected faces
	edges    []edge       // sides of all faces, those of the same edge together
	border   []edge       // edges with only one face
}

// Check finds faults of a mesh that would disturb a car: small bumps and dents, thin parts, and gaps or
// edges that a wheel could fall through or get caught on. The same scene gives the
// same report.
func Check(s *Scene, l Limits) Report {
	c := &checker{scene: s, limits: l, tally: tally{places: l.Places}}
	c.weld()
	c.measureFaces()
	c.removeDuplicateFaces()
	c.findEdges()
	c.checkFacing()
	c.findHoles()
	c.findCracks()
	c.findLayers()
	c.findBumps()
	c.findSteps()
	r := Report{Triangles: len(c.faces), Vertices: len(c.vertices), Findings: c.tally.list()}
	if len(c.vertices) > 0 {
		around := boxOf(0, c.vertices[0], c.vertices...)
		r.Low, r.High = around.low, around.high
	}
	for i, f := range c.faces {
		if c.isCounted(i) {
			r.Area += r3.Norm(c.vectorArea(f))
		}
	}
	return r
}

// isCounted reports whether a face is checked, and not left out.
func (c *checker) isCounted(face int) bool { return c.normals[face] != r3.Vec{} }

// material returns the material of a face.
func (c *checker) material(face int) uint8 {
	if face < len(c.scene.Materials) {
		return c.scene.Materials[face]
	}
	return 0
}

// place returns the location of a fault of a face, at a position [m]. For size see Place.
func (c *checker) place(face int, at r3.Vec, size float64) Place {
	return Place{Triangle: face, Position: at, Material: c.material(face), Size: size}
}

// vectorArea returns the area of a face [m²] along its normal.
func (c *checker) vectorArea(f [3]int32) r3.Vec {
	a := c.vertices[f[0]]
	return r3.Scale(0.5, r3.Cross(r3.Sub(c.vertices[f[1]], a), r3.Sub(c.vertices[f[2]], a)))
}

// middle returns the centroid of a face.
func (c *checker) middle(face int) r3.Vec {
	f := c.faces[face]
	return r3.Scale(1.0/3, r3.Add(r3.Add(c.vertices[f[0]], c.vertices[f[1]]), c.vertices[f[2]]))
}

// orientedNormal returns a face's normal after flipping it to match its part of the mesh.
func (c *checker) orientedNormal(face int) r3.Vec {
	if c.flipped[face] {
		return r3.Scale(-1, c.normals[face])
	}
	return c.normals[face]
}

// measureFaces computes the normals of all faces, and reports faces that have almost no area.
func (c *checker) measureFaces() {
	const minHeight = 1e-5 // a triangle of less height has no area [m]
	c.normals = make([]r3.Vec, len(c.faces))
	c.flipped = make([]bool, len(c.faces))
	for i, f := range c.faces {
		if f[0] < 0 {
			continue // weld has reported it as broken
		}
		area := c.vectorArea(f)
		size := r3.Norm(area)
		height := 2 * size / math.Sqrt(c.longestSquared(f))
		at := c.middle(i)
		switch {
		case !(height >= minHeight): // also true for NaN
			c.tally.add(Degenerate, c.place(i, at, 0))
			continue
		case height < mm(c.limits.Sliver):
			c.tally.add(Sliver, c.place(i, at, height))
		}
		c.normals[i] = r3.Scale(1/size, area)
	}
}

// longestSquared returns the squared length of the longest side of a face [m²].
func (c *checker) longestSquared(f [3]int32) float64 {
	p, q, r := c.vertices[f[0]], c.vertices[f[1]], c.vertices[f[2]]
	return max(r3.Norm2(r3.Sub(q, p)), r3.Norm2(r3.Sub(r, q)), r3.Norm2(r3.Sub(p, r)))
}

// removeDuplicateFaces reports faces with the same three vertices, and leaves out all but the first. Two such faces
// with opposite normals are a part without thickness.
func (c *checker) removeDuplicateFaces() {
	type key struct{ a, b, c, face int32 }
	keys := make([]key, 0, len(c.faces))
	for i, f := range c.faces {
		if c.isCounted(i) {
			slices.Sort(f[:])
			keys = append(keys, key{f[0], f[1], f[2], int32(i)})
		}
	}
	slices.SortFunc(keys, func(p, q key) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b), cmp.Compare(p.c, q.c), cmp.Compare(p.face, q.face))
	})
	for i, first := 1, 0; i < len(keys); i++ {
		p, q := keys[first], keys[i]
		if p.a != q.a || p.b != q.b || p.c != q.c {
			first = i
			continue
		}
		kind := Duplicate
		if r3.Dot(c.normals[p.face], c.normals[q.face]) < 0 {
			kind = Thin
		}
		c.tally.add(kind, c.place(int(q.face), c.middle(int(q.face)), 0))
		c.normals[q.face] = r3.Vec{}
	}
}
