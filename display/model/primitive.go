package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/road/gltfmesh"
)

// reader is a file while it is being read.
type reader struct {
	bothSides bool
	corners   int // vertices looked at so far
	triangles int
	model     Model
}

// primitive is a set of triangles while it is being read.
type primitive struct {
	material                   gltfmesh.Material
	color                      [3]float32 // of the material, sRGB
	gloss                      float32    // 0..1
	positions, normals, colors gltfmesh.Values
	hasNormals, hasColors      bool
	at                         gltfmesh.Transform
	turn                       mgl64.Mat3 // of normals
	bothSides                  bool
	added                      [2][]uint32 // by side and vertex, its index in the mesh and one; 0 if it is not there
}

// primitive reads a set of triangles and adds it to the model.
func (r *reader) primitive(p *gltfmesh.Primitive) (err error) {
	k := &primitive{at: p.Node.At}
	if k.material, err = p.Material(); err != nil {
		return err
	}
	for i, v := range k.material.Color {
		k.color[i] = encodeSRGB(v)
	}
	k.gloss, k.bothSides = float32(max(0, min(1, 1-k.material.Roughness))), k.material.DoubleSided && r.bothSides
	if k.positions, err = p.Positions(); err != nil {
		return err
	}
	n := k.positions.Count
	if k.normals, k.hasNormals, err = p.Attribute("NORMAL", n, 3, 3); err != nil {
		return err
	}
	if k.colors, k.hasColors, err = p.Attribute("COLOR_0", n, 3, 4); err != nil {
		return err
	}
	c, err := p.Corners(n)
	if err != nil {
		return err
	}
	if r.corners += n + c.Count; r.corners > maxCorners {
		return fmt.Errorf("more than %d vertices in total; simplify the model", maxCorners)
	}
	k.turn = mgl64.Mat3FromRows(mgl64.Vec3(k.at[0][:3]), mgl64.Vec3(k.at[1][:3]), mgl64.Vec3(k.at[2][:3])).Inv().Transpose()
	to := &r.model.Body
	if p.Node.Tag == isCabin || k.material.Transparent {
		to = &r.model.Cabin
	}
	return r.triangulate(k, &c, to)
}

// triangulate adds the triangles of k to a mesh.
func (r *reader) triangulate(k *primitive, c *gltfmesh.Corners, to *Mesh) error {
	most := c.MostTriangles()
	if k.bothSides {
		most *= 2
	}
	if most > MaxTriangles-r.triangles {
		return fmt.Errorf("more than %d triangles in total; simplify the model", MaxTriangles)
	}
	to.Indices = slices.Grow(to.Indices, 3*most)
	if !k.hasNormals {
		to.Vertices = slices.Grow(to.Vertices, 3*most)
	}
	return c.Triangles(func(v [3]int) error { return r.triangle(k, v, to) })
}

// triangle adds the triangle of three vertices, and its back if that is seen too. One without an area is left out.
func (r *reader) triangle(k *primitive, vertices [3]int, to *Mesh) error {
	var pos [3]mgl64.Vec3
	for c, v := range vertices {
		pos[c] = k.at.Apply(k.positions.Vector(v))
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
		if side == 1 && !k.bothSides {
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

// add returns the index in a mesh of vertex v of k, seen from the front (0) or the back (1). Vertices with a normal of
// their own are shared by triangles; the others have the normal of their triangle, flat.
func (k *primitive) add(to *Mesh, v int, pos, flat mgl64.Vec3, side int) uint32 {
	if k.hasNormals && k.added[side] == nil {
		k.added[side] = make([]uint32, k.positions.Count)
	}
	if k.hasNormals && k.added[side][v] != 0 {
		return k.added[side][v] - 1
	}
	normal := flat
	if k.hasNormals {
		n := k.turn.Mul3x1(k.normals.Vector(v))
		if l := n.Len(); l > 0 && l < math.Inf(1) {
			normal = n.Mul(1 / l)
		}
	}
	if side == 1 {
		normal = normal.Mul(-1)
	}
	to.Vertices = append(to.Vertices, Vertex{Pos: single(pos), Normal: single(normal), Color: k.colorOf(v), Gloss: k.gloss})
	if k.hasNormals {
		k.added[side][v] = uint32(len(to.Vertices))
	}
	return uint32(len(to.Vertices) - 1)
}

// colorOf returns the color of vertex v: that of the material times its own.
func (k *primitive) colorOf(v int) (c [3]float32) {
	if !k.hasColors {
		return k.color
	}
	for i, linear := range k.material.Color {
		c[i] = encodeSRGB(linear * k.colors.At(v, i))
	}
	return c
}

func single(v mgl64.Vec3) [3]float32 {
	return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])}
}
