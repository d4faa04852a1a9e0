package gltfmesh

import (
	"fmt"

	"github.com/qmuntal/gltf"

	"rig.example/rig/internal/kit/printable"
)

// Unnamed is the name of triangles without any, also in other formats.
const Unnamed = "unnamed"

// Primitive is a set of triangles.
type Primitive struct {
	Name      string // of its material, else of its mesh, else of its node
	Node      *Node
	Position  int // accessor of the positions: primitives of a node that have the same one share their vertices
	primitive *gltf.Primitive
}

// Material is what a material says of a surface.
type Material struct {
	Color       [3]float64 // linear, 0..1
	Roughness   float64    // 0..1
	Transparent bool
	DoubleSided bool
}

// nameOf returns the name of a primitive.
func (f *File) nameOf(p *gltf.Primitive, mesh, node string) string {
	material := ""
	if p.Material != nil {
		if m, err := item(f.doc.Materials, *p.Material, "material"); err == nil {
			material = m.Name
		}
	}
	for _, name := range [...]string{material, mesh, node} {
		if name != "" {
			return name
		}
	}
	return Unnamed
}

// hasTriangles reports whether there are triangles with positions, and sets Position. It warns of what is left out.
func (p *Primitive) hasTriangles() bool {
	warn, name, found := p.Node.file.warn, printable.Excerpt(p.Name), false
	switch p.primitive.Mode {
	case gltf.PrimitiveTriangles, gltf.PrimitiveTriangleStrip, gltf.PrimitiveTriangleFan:
	default:
		warn("%q has lines or points; ignored", name)
		return false
	}
	if _, compressed := p.primitive.Extensions["KHR_draco_mesh_compression"]; compressed {
		warn("%q is compressed; its uncompressed data are read", name)
	}
	if p.Position, found = p.primitive.Attributes[gltf.POSITION]; !found {
		warn("%q has triangles without positions; ignored", name)
	}
	return found
}

// Material returns what the material says. A primitive without one is white and matt.
func (p *Primitive) Material() (Material, error) {
	s := Material{Color: [3]float64{1, 1, 1}, Roughness: 1}
	if p.primitive.Material == nil {
		return s, nil
	}
	m, err := item(p.Node.file.doc.Materials, *p.primitive.Material, "material")
	if err != nil {
		return s, err
	}
	s.Transparent, s.DoubleSided = m.AlphaMode == gltf.AlphaBlend, m.DoubleSided
	if b := m.PBRMetallicRoughness; b != nil {
		c := b.BaseColorFactorOrDefault()
		s.Color, s.Roughness = [3]float64(c[:3]), b.RoughnessFactorOrDefault()
	}
	return s, nil
}

// Positions returns the positions of the vertices, in the node's axes.
func (p *Primitive) Positions() (Values, error) {
	v, err := p.Node.file.accessor(p.Position)
	if err == nil && (v.Components != 3 || v.kind == gltf.ComponentUint) {
		err = fmt.Errorf("accessor %d holds no positions: must be VEC3 of floats; export it again", p.Position)
	}
	return v, err
}

// Attribute returns another attribute of the vertices, such as NORMAL, if the file has it. It must have an element for each
// vertex, with a number of components from least to most.
func (p *Primitive) Attribute(name string, vertices, least, most int) (v Values, found bool, err error) {
	i, found := p.primitive.Attributes[name]
	if !found {
		return v, false, nil
	}
	a, err := item(p.Node.file.doc.Accessors, i, "accessor")
	if err == nil && (a.Count != vertices || a.Type.Components() < least || a.Type.Components() > most) {
		err = fmt.Errorf("accessor %d does not fit the positions; export it again", i)
	}
	if err == nil { // what does not fit is not read, which would take memory
		v, err = p.Node.file.accessor(i)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return v, true, err
}

// Corners are the corners of a primitive's triangles.
type Corners struct {
	Count    int
	mode     gltf.PrimitiveMode
	indexed  bool
	indices  Values // of each corner's vertex; not indexed: 0, 1, 2, …
	vertices int    // number of vertices
	mirrored bool   // the transformation mirrors, which reverses the corners
}

// Corners returns the corners of the triangles; vertices is the number of positions. It warns of corners that are left over.
func (p *Primitive) Corners(vertices int) (Corners, error) {
	c := Corners{Count: vertices, mode: p.primitive.Mode, vertices: vertices, mirrored: p.Node.At.isMirrored()}
	if i := p.primitive.Indices; i != nil {
		var err error
		if c.indices, err = p.Node.file.accessor(*i); err != nil {
			return c, fmt.Errorf("indices: %w", err)
		}
		if !c.indices.areIndices() {
			return c, fmt.Errorf("accessor %d holds %w", *i, errNoIndices)
		}
		c.indexed, c.Count = true, c.indices.Count
	}
	if c.Count < 3 || c.Count%c.step() != 0 {
		p.Node.file.warn("%q has %d corners, which does not make whole triangles; the rest is left out", p.Name, c.Count)
	}
	return c, nil
}

// step returns the number of corners from one triangle to the next.
func (c *Corners) step() int {
	if c.mode == gltf.PrimitiveTriangles {
		return 3
	}
	return 1
}

// MostTriangles returns the number of triangles, with those that Triangles leaves out.
func (c *Corners) MostTriangles() int { return max(c.Count-3+c.step(), 0) / c.step() }

// Triangles calls add with the vertices of each triangle, anticlockwise seen from its front. The order of corners in strips
// and fans is that of the standard; it leaves out their triangles with two equal corners, which are there on purpose.
func (c *Corners) Triangles(add func(v [3]int) error) error {
	isList, step := c.mode == gltf.PrimitiveTriangles, c.step()
	for i, number := 0, 0; i+3 <= c.Count; i, number = i+step, number+1 {
		at := [3]int{i, i + 1, i + 2}
		switch {
		case c.mode == gltf.PrimitiveTriangleFan:
			at[0] = 0
		case c.mode == gltf.PrimitiveTriangleStrip && i%2 == 1:
			at = [3]int{i, i + 2, i + 1}
		}
		if c.mirrored {
			at[1], at[2] = at[2], at[1]
		}
		for k, corner := range at {
			var err error
			if at[k], err = c.vertex(corner); err != nil {
				return fmt.Errorf("triangle %d: %w", number, err)
			}
		}
		if !isList && (at[0] == at[1] || at[1] == at[2] || at[2] == at[0]) {
			continue
		}
		if err := add(at); err != nil {
			return err
		}
	}
	return nil
}

// vertex returns the vertex at a corner.
func (c *Corners) vertex(corner int) (int, error) {
	if !c.indexed {
		return corner, nil
	}
	v := c.indices.component(corner, 0)
	if v >= float64(c.vertices) {
		return 0, fmt.Errorf("index %d is %.0f: there are %d vertices; export it again", corner, v, c.vertices)
	}
	return int(v), nil
}
