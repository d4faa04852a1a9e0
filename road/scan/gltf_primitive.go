package scan

import (
	"fmt"

	"github.com/qmuntal/gltf"
	"rig.example/rig/internal/kit/printable"
)

// primitive reads one primitive: a set of triangles. first holds, by accessor of positions, the index of its
// first vertex in the scene, if it was read before.
func (r *gltfReader) primitive(p *gltf.Primitive, name string, at *transform, first map[int]int) error {
	switch p.Mode {
	case gltf.PrimitiveTriangles, gltf.PrimitiveTriangleStrip, gltf.PrimitiveTriangleFan:
	default:
		r.warn("%q has lines or points; ignored", printable.Excerpt(name))
		return nil
	}
	if _, compressed := p.Extensions["KHR_draco_mesh_compression"]; compressed {
		r.warn("%q is compressed; its uncompressed data are read", printable.Excerpt(name))
	}
	position, found := p.Attributes[gltf.POSITION]
	if !found {
		r.warn("%q has triangles without positions; ignored", printable.Excerpt(name))
		return nil
	}
	start, read := first[position]
	if !read {
		start = r.vertices()
		if err := r.positions(position, at); err != nil {
			return err
		}
		first[position] = start
	}
	material, err := r.material(name)
	if err != nil {
		return err
	}
	r.checkMaterial(p.Material)
	c := corners{count: r.doc.Accessors[position].Count, start: start, vertices: r.doc.Accessors[position].Count}
	if p.Indices != nil {
		if c.list, err = r.indices(*p.Indices); err != nil {
			return err
		}
		c.count = len(c.list)
	}
	return r.triangulate(p.Mode, c, at.isMirrored(), material)
}

// corners are the corners of a primitive's triangles.
type corners struct {
	list     []uint32 // index of each corner's vertex; nil means 0, 1, 2, …
	count    int      // number of corners
	vertices int      // number of vertices
	start    int      // index of the first vertex in the scene
}

// at returns the index in the scene of the vertex of corner i.
func (c *corners) at(i int) (uint32, error) {
	if c.list == nil {
		return uint32(c.start + i), nil
	}
	if v := c.list[i]; int64(v) < int64(c.vertices) {
		return uint32(c.start) + v, nil
	}
	return 0, fmt.Errorf("index %d is %d: there are %d vertices; export it again", i, c.list[i], c.vertices)
}

// triangulate adds the triangles of a primitive to the scene. The order of corners in strips and fans is that
// of the standard.
func (r *gltfReader) triangulate(mode gltf.PrimitiveMode, c corners, mirrored bool, material uint8) error {
	step := 1
	if mode == gltf.PrimitiveTriangles {
		step = 3
	}
	if c.count < 3 || c.count%step != 0 {
		r.warn("%q has %d corners, which does not make whole triangles; the rest is left out", r.scene.Names[material], c.count)
	}
	for i, number := 0, 0; i+3 <= c.count; i, number = i+step, number+1 {
		at := [3]int{i, i + 1, i + 2}
		switch {
		case mode == gltf.PrimitiveTriangleFan:
			at[0] = 0
		case mode == gltf.PrimitiveTriangleStrip && i%2 == 1:
			at = [3]int{i, i + 2, i + 1}
		}
		if mirrored {
			at[1], at[2] = at[2], at[1]
		}
		if err := r.triangle(&c, at, material, mode != gltf.PrimitiveTriangles); err != nil {
			if v, ok := badVertexOf(err, c.start); ok {
				return fmt.Errorf("vertex %d %w", v, err)
			}
			return fmt.Errorf("triangle %d: %w", number, err)
		}
	}
	return nil
}

// triangle adds a triangle to the scene. It skips triangles of a strip with two equal corners: strips contain
// them on purpose.
func (r *gltfReader) triangle(c *corners, at [3]int, material uint8, strip bool) error {
	var v [3]uint32
	for k := range v {
		var err error
		if v[k], err = c.at(at[k]); err != nil {
			return err
		}
	}
	if strip && (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
		return nil
	}
	return r.add(v[0], v[1], v[2], material)
}

// checkMaterial adds a warning for a material that the file does not have.
func (r *gltfReader) checkMaterial(material *int) {
	if material == nil {
		return
	}
	if i := *material; i < 0 || i >= len(r.doc.Materials) || r.doc.Materials[i] == nil {
		r.warn("material %d is not there: the file has %d; the mesh's name counts", i, len(r.doc.Materials))
	}
}
