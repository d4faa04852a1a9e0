package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
)

// surface is what a material says of a primitive.
type surface struct {
	linear      [3]float64 // color, 0..1
	sRGB        [3]float32 // the same
	gloss       float32    // 0..1
	transparent bool
	doubleSided bool
}

// surface returns what a material says. A primitive without one is white and matt.
func (r *reader) surface(material *int) (surface, error) {
	s := surface{linear: [3]float64{1, 1, 1}, sRGB: [3]float32{1, 1, 1}}
	if material == nil {
		return s, nil
	}
	m, err := item(r.doc.Materials, *material, "material")
	if err != nil {
		return s, err
	}
	s.transparent, s.doubleSided = m.AlphaMode == gltf.AlphaBlend, m.DoubleSided
	if p := m.PBRMetallicRoughness; p != nil {
		c := p.BaseColorFactorOrDefault()
		s.linear = [3]float64(c[:3])
		for i, v := range s.linear {
			s.sRGB[i] = encodeSRGB(v)
		}
		s.gloss = float32(max(0, min(1, 1-p.RoughnessFactorOrDefault())))
	}
	return s, nil
}

// primitive is a set of triangles while it is being read.
type primitive struct {
	surface
	mode                       gltf.PrimitiveMode
	positions, normals, colors elements // normals and colors have no data if the file has none
	indices                    elements // no data: 0, 1, 2, …
	corners                    int      // number of corners of the triangles
	at, turn                   mgl64.Mat4
	mirrored                   bool // the transformation mirrors, which reverses the corners
	added                      [2][]uint32
}

// primitive reads a set of triangles and adds it to the model.
func (r *reader) primitive(p *gltf.Primitive, at mgl64.Mat4, cabin bool) error {
	position, found := p.Attributes[gltf.POSITION]
	if !found || !isTriangles(p.Mode) {
		return nil
	}
	k := &primitive{mode: p.Mode, at: at}
	var err error
	if k.surface, err = r.surface(p.Material); err != nil {
		return err
	}
	if err = r.attributes(k, p, position); err != nil {
		return err
	}
	linear := at.Mat3()
	k.mirrored = linear.Det() < 0
	k.turn = linear.Inv().Transpose().Mat4()
	to := &r.model.Body
	if cabin || k.transparent {
		to = &r.model.Cabin
	}
	return r.triangulate(k, to)
}

func isTriangles(mode gltf.PrimitiveMode) bool {
	return mode == gltf.PrimitiveTriangles || mode == gltf.PrimitiveTriangleStrip || mode == gltf.PrimitiveTriangleFan
}

// attributes finds the values of a primitive's vertices and checks them.
func (r *reader) attributes(k *primitive, p *gltf.Primitive, position int) (err error) {
	if k.positions, err = r.accessor(position); err != nil {
		return err
	}
	if k.positions.components != 3 {
		return fmt.Errorf("accessor %d holds no positions: must be VEC3; export it again", position)
	}
	for _, a := range []struct {
		name     string
		to       *elements
		min, max int // components
	}{{gltf.NORMAL, &k.normals, 3, 3}, {gltf.COLOR_0, &k.colors, 3, 4}} {
		i, found := p.Attributes[a.name]
		if !found {
			continue
		}
		if *a.to, err = r.accessor(i); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		if n := a.to.components; a.to.count < k.positions.count || n < a.min || n > a.max {
			return fmt.Errorf("%s: accessor %d does not fit the positions; export it again", a.name, i)
		}
	}
	k.corners = k.positions.count
	if p.Indices != nil {
		if k.indices, err = r.accessor(*p.Indices); err != nil {
			return fmt.Errorf("indices: %w", err)
		}
		if k.indices.components != 1 || k.indices.kind == gltf.ComponentFloat {
			return fmt.Errorf("accessor %d holds no indices: must be whole numbers; export it again", *p.Indices)
		}
		k.indices.normalized = false
		k.corners = k.indices.count
	}
	if r.corners += k.positions.count + k.corners; r.corners > maxCorners {
		return fmt.Errorf("more than %d vertices in total; simplify the model", maxCorners)
	}
	return nil
}

// triangulate adds the triangles of k to a mesh. The order of corners in strips and fans is that of the standard.
func (r *reader) triangulate(k *primitive, to *Mesh) error {
	step := 1
	if k.mode == gltf.PrimitiveTriangles {
		step = 3
	}
	most := max(k.corners-3+step, 0) / step
	if k.doubleSided && r.bothSides {
		most *= 2
	}
	if most > MaxTriangles-r.triangles {
		return fmt.Errorf("more than %d triangles in total; simplify the model", MaxTriangles)
	}
	to.Indices = slices.Grow(to.Indices, 3*most)
	if k.normals.data == nil {
		to.Vertices = slices.Grow(to.Vertices, 3*most)
	}
	for i := 0; i+3 <= k.corners; i += step {
		at := [3]int{i, i + 1, i + 2}
		switch {
		case k.mode == gltf.PrimitiveTriangleFan:
			at[0] = 0
		case k.mode == gltf.PrimitiveTriangleStrip && i%2 == 1:
			at = [3]int{i, i + 2, i + 1}
		}
		if k.mirrored {
			at[1], at[2] = at[2], at[1]
		}
		if err := r.triangle(k, at, to); err != nil {
			return err
		}
	}
	return nil
}

// triangle adds the triangle of three corners, and its back if that is seen too. One without an area is left out.
func (r *reader) triangle(k *primitive, at [3]int, to *Mesh) error {
	var vertices [3]int
	var pos [3]mgl64.Vec3
	for c := range at {
		v, err := k.vertex(at[c])
		if err != nil {
			return err
		}
		vertices[c] = v
		pos[c] = k.at.Mul4x1(mgl64.Vec3(k.positions.vector(v)).Vec4(1)).Vec3()
		if d := pos[c].Len(); !(d <= maxDistance) { // also true for NaN
			return fmt.Errorf("vertex %d is %.3g m from the car: must be at most %d m; set model.scale to the file's unit", v, d, maxDistance)
		}
	}
	flat := pos[1].Sub(pos[0]).Cross(pos[2].Sub(pos[0]))
	if !(flat.Len() > 1e-14) {
		return nil
	}
	flat = flat.Normalize()
	for side := range 2 {
		if side == 1 && !(k.doubleSided && r.bothSides) {
			break
		}
		r.triangles++
		order := [2][3]int{{0, 1, 2}, {0, 2, 1}}[side]
		for _, c := range order {
			to.Indices = append(to.Indices, k.add(to, vertices[c], pos[c], flat, side))
		}
	}
	return nil
}

// vertex returns the index of the vertex at a corner.
func (k *primitive) vertex(corner int) (int, error) {
	if k.indices.data == nil {
		return corner, nil
	}
	v := k.indices.at(corner, 0)
	if !(v >= 0 && v < float64(k.positions.count)) {
		return 0, fmt.Errorf("index %d is %.0f: there are %d vertices; export it again", corner, v, k.positions.count)
	}
	return int(v), nil
}

// add returns the index in a mesh of vertex v of k, seen from the front (0) or the back (1). Vertices with a normal of
// their own are shared by triangles; the others have the normal of their triangle, flat.
func (k *primitive) add(to *Mesh, v int, pos, flat mgl64.Vec3, side int) uint32 {
	shared := k.normals.data != nil
	if shared && k.added[side] == nil {
		k.added[side] = make([]uint32, k.positions.count)
	}
	if shared && k.added[side][v] != 0 {
		return k.added[side][v] - 1
	}
	normal := flat
	if shared {
		n := k.turn.Mul4x1(mgl64.Vec3(k.normals.vector(v)).Vec4(0)).Vec3()
		if l := n.Len(); l > 0 && l < math.Inf(1) {
			normal = n.Mul(1 / l)
		}
	}
	if side == 1 {
		normal = normal.Mul(-1)
	}
	to.Vertices = append(to.Vertices, Vertex{Pos: single(pos), Normal: single(normal), Color: k.color(v), Gloss: k.gloss})
	if shared {
		k.added[side][v] = uint32(len(to.Vertices))
	}
	return uint32(len(to.Vertices) - 1)
}

// color returns the color of vertex v: that of the material times its own.
func (k *primitive) color(v int) (c [3]float32) {
	if k.colors.data == nil {
		return k.sRGB
	}
	for i, linear := range k.linear {
		c[i] = encodeSRGB(linear * k.colors.at(v, i))
	}
	return c
}

func single(v mgl64.Vec3) [3]float32 {
	return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])}
}
