package scan

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// shape is a scene's mesh while it is checked: vertices at the same place are
// one, and triangles that cannot be judged are left out.
type shape struct {
	scene    *Scene
	limits   Limits
	tally    tally
	vertices []r3.Vec
	faces    [][3]int32 // by vertex, in the scene's order
	normals  []r3.Vec   // of the faces, unit; zero for those left out
	turned   []bool     // faces against their neighbours
	parts    joints     // faces that hang together
	edges    []edge
	border   []edge // edges of one face
}

// Check looks for what in a mesh would trouble a car. It panics if the limits are
// not valid; the same scene gives the same report.
//
// It sees what a mesh made for collisions must not have: small bumps and dents,
// thin parts, and whatever a wheel could fall through or hang on.
func Check(s *Scene, l Limits) Report {
	if err := l.Validate(); err != nil {
		panic(err)
	}
	c := &shape{scene: s, limits: l, tally: tally{places: l.Places}}
	c.weld()
	c.measure()
	c.duplicates()
	c.findEdges()
	c.facing()
	c.holes()
	c.cracks()
	c.layers()
	c.bumps()
	c.steps()
	r := Report{Triangles: len(c.faces), Vertices: len(c.vertices), Findings: c.tally.list()}
	for i, p := range c.vertices {
		if i == 0 {
			r.Low, r.High = p, p
		}
		r.Low = r3.Vec{X: min(r.Low.X, p.X), Y: min(r.Low.Y, p.Y), Z: min(r.Low.Z, p.Z)}
		r.High = r3.Vec{X: max(r.High.X, p.X), Y: max(r.High.Y, p.Y), Z: max(r.High.Z, p.Z)}
	}
	for i, f := range c.faces {
		if c.counts(i) {
			r.Area += r3.Norm(c.vectorArea(f))
		}
	}
	return r
}

// counts tells whether a face was not left out.
func (c *shape) counts(face int) bool { return c.normals[face] != r3.Vec{} }

func (c *shape) material(face int) uint8 {
	if face < len(c.scene.Materials) {
		return c.scene.Materials[face]
	}
	return 0
}

// place is a fault of a face.
func (c *shape) place(face int, at r3.Vec, size float64) Place {
	return Place{Triangle: face, Position: at, Material: c.material(face), Size: size}
}

// vectorArea is the area of a face [m²] along its normal.
func (c *shape) vectorArea(f [3]int32) r3.Vec {
	a := c.vertices[f[0]]
	return r3.Scale(0.5, r3.Cross(r3.Sub(c.vertices[f[1]], a), r3.Sub(c.vertices[f[2]], a)))
}

func (c *shape) middle(face int) r3.Vec {
	f := c.faces[face]
	return r3.Scale(1.0/3, r3.Add(r3.Add(c.vertices[f[0]], c.vertices[f[1]]), c.vertices[f[2]]))
}

// normal is that of a face as its part of the mesh has it.
func (c *shape) normal(face int) r3.Vec {
	if c.turned[face] {
		return r3.Scale(-1, c.normals[face])
	}
	return c.normals[face]
}

// measure finds the faces' normals, and those that have hardly any area.
func (c *shape) measure() {
	const nothing = 1e-5 // [m] of height
	c.normals = make([]r3.Vec, len(c.faces))
	c.turned = make([]bool, len(c.faces))
	for i, f := range c.faces {
		if f[0] < 0 {
			continue // broken
		}
		area := c.vectorArea(f)
		size := r3.Norm(area)
		height := 2 * size / math.Sqrt(c.longest(f))
		at := c.middle(i)
		switch {
		case !(height >= nothing): // also true for NaN
			c.tally.add(Degenerate, c.place(i, at, 0))
			continue
		case height < mm(c.limits.Sliver):
			c.tally.add(Sliver, c.place(i, at, height))
		}
		c.normals[i] = r3.Scale(1/size, area)
	}
}

// longest is the square of a face's longest side [m²].
func (c *shape) longest(f [3]int32) float64 {
	p, q, r := c.vertices[f[0]], c.vertices[f[1]], c.vertices[f[2]]
	return max(r3.Norm2(r3.Sub(q, p)), r3.Norm2(r3.Sub(r, q)), r3.Norm2(r3.Sub(p, r)))
}

// duplicates finds faces on the same three places, and leaves all but the first
// out. Two that look opposite ways are a part without thickness.
func (c *shape) duplicates() {
	type key struct{ a, b, c, face int32 }
	keys := make([]key, 0, len(c.faces))
	for i, f := range c.faces {
		if c.counts(i) {
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
