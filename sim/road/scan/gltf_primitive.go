package scan

import (
	"fmt"

	"github.com/qmuntal/gltf"
)

// primitive reads one set of triangles.
func (r *gltfReader) primitive(p *gltf.Primitive, name string, at *placing, first map[int]int) error {
	switch p.Mode {
	case gltf.PrimitiveTriangles, gltf.PrimitiveTriangleStrip, gltf.PrimitiveTriangleFan:
	default:
		r.warn("%q has lines or points; they are left out", clip(name))
		return nil
	}
	if _, squeezed := p.Extensions["KHR_draco_mesh_compression"]; squeezed {
		r.warn("%q is compressed; what is not compressed beside it is read", clip(name))
	}
	position, found := p.Attributes[gltf.POSITION]
	if !found {
		r.warn("%q has triangles without positions; they are left out", clip(name))
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
	r.textures(p.Material)
	c := corners{count: r.doc.Accessors[position].Count, start: start, vertices: r.doc.Accessors[position].Count}
	if p.Indices != nil {
		if c.list, err = r.indices(*p.Indices); err != nil {
			return err
		}
		c.count = len(c.list)
	}
	return r.triangulate(p.Mode, c, at.mirrors(), material)
}

// corners are those of a primitive, by a list or, without one, in a row.
type corners struct {
	list     []uint32
	count    int
	vertices int // that there are
	start    int // the first of them in the scene
}

// at returns the vertex of a corner in the scene.
func (c *corners) at(i int) (uint32, error) {
	if c.list == nil {
		return uint32(c.start + i), nil
	}
	if v := c.list[i]; int64(v) < int64(c.vertices) {
		return uint32(c.start) + v, nil
	}
	return 0, fmt.Errorf("index %d is %d: there are %d vertices; export it again", i, c.list[i], c.vertices)
}

// triangulate adds the triangles of a mode, as the standard numbers their corners.
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
			if v, ok := vertexOf(err, c.start); ok {
				return fmt.Errorf("vertex %d %w", v, err)
			}
			return fmt.Errorf("triangle %d: %w", number, err)
		}
	}
	return nil
}

// triangle adds one. Strips have some with two corners the same on purpose: they
// take the strip elsewhere.
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

// textures warns of a material's pictures that are missing.
func (r *gltfReader) textures(material *int) {
	if material == nil {
		return
	}
	i := *material
	if i < 0 || i >= len(r.doc.Materials) || r.doc.Materials[i] == nil {
		r.warn("material %d is not there: the file has %d; the mesh's name counts", i, len(r.doc.Materials))
		return
	}
	if r.checked[i] {
		return
	}
	r.checked[i] = true
	m := r.doc.Materials[i]
	var list []int
	if p := m.PBRMetallicRoughness; p != nil {
		for _, t := range [...]*gltf.TextureInfo{p.BaseColorTexture, p.MetallicRoughnessTexture} {
			if t != nil {
				list = append(list, t.Index)
			}
		}
	}
	if t := m.NormalTexture; t != nil && t.Index != nil {
		list = append(list, *t.Index)
	}
	if t := m.OcclusionTexture; t != nil && t.Index != nil {
		list = append(list, *t.Index)
	}
	if t := m.EmissiveTexture; t != nil {
		list = append(list, t.Index)
	}
	for _, t := range list {
		if why := r.missing(t); why != "" {
			r.warn("material %d%s: %s; only its picture is missing", i, called(m.Name), why)
		}
	}
}

// missing says why a texture cannot be had, or nothing.
func (r *gltfReader) missing(texture int) string {
	if texture < 0 || texture >= len(r.doc.Textures) || r.doc.Textures[texture] == nil {
		return fmt.Sprintf("texture %d is not in the file", texture)
	}
	source := r.doc.Textures[texture].Source
	if source == nil {
		return "" // an extension may have it
	}
	if *source < 0 || *source >= len(r.doc.Images) || r.doc.Images[*source] == nil {
		return fmt.Sprintf("image %d is not in the file", *source)
	}
	image := r.doc.Images[*source]
	if image.BufferView != nil {
		if *image.BufferView < 0 || *image.BufferView >= len(r.doc.BufferViews) {
			return fmt.Sprintf("buffer view %d of image %d is not in the file", *image.BufferView, *source)
		}
		return ""
	}
	if len(image.URI) >= 5 && image.URI[:5] == "data:" {
		return ""
	}
	if _, err := r.external(image.URI); err != nil {
		return fmt.Sprintf("image %q cannot be read (%s)", clip(image.URI), clip(err.Error()))
	}
	return ""
}
