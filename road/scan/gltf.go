package scan

import (
	"fmt"
	"math"

	"rig.example/rig/road"
	"rig.example/rig/road/gltfmesh"
)

// gltfReader is a glTF file while it is being read.
type gltfReader struct {
	builder
	shared map[int]span // vertices of the present node that are in the scene, by accessor of positions
}

// span is some vertices of the scene.
type span struct{ first, count int }

// ParseGLTF reads a mesh in glTF 2.0 format, as text (.gltf) or binary (.glb). name is the name of the file in
// errors. A position x, y, z of the file becomes x, -z, y. All triangles of the scene are read and transformed
// by their nodes. The name of a triangle is that of its material, else of its mesh, else of its node. Lines,
// points, skins, morph targets, animations and textures are ignored, and of the files that it names only buffers are
// opened, if triangles need them. If a part whose name is in optional cannot be read,
// it is left out with a warning; other parts that cannot be read are an error.
func ParseGLTF(data []byte, name string, open gltfmesh.Open, optional ...string) (*Scene, error) {
	return parseGLTF(data, name, open, defaultBounds(), optional...)
}

// parseGLTF is ParseGLTF with other bounds.
func parseGLTF(data []byte, name string, open gltfmesh.Open, limit bounds, optional ...string) (*Scene, error) {
	r := &gltfReader{builder: newBuilder(name, len(data), limit), shared: map[int]span{}}
	r.optional = optional
	f, err := gltfmesh.Parse(data, r.counted(open), r.warn)
	if err == nil {
		err = f.Walk(gltfmesh.Transform{{0: 1}, {1: 1}, {2: 1}}, func(n *gltfmesh.Node) error {
			clear(r.shared)
			return n.Primitives(r.part)
		})
	}
	if err != nil {
		return nil, fmt.Errorf("scan: %s: %w", name, err)
	}
	return r.finish()
}

// counted returns open with its files counted in r.bytes.
func (r *gltfReader) counted(open gltfmesh.Open) gltfmesh.Open {
	if open == nil {
		return nil
	}
	return func(uri string) ([]byte, error) {
		data, err := open(uri)
		r.bytes += len(data)
		return data, err
	}
}

// part reads a set of triangles, or leaves it out if it is optional and broken.
func (r *gltfReader) part(p *gltfmesh.Primitive) error {
	before := r.scene
	err := r.primitive(p)
	if r.skipBroken(p.Name, err) {
		r.restore(&before)
		delete(r.shared, p.Position)
		return nil
	}
	return err
}

// primitive adds a set of triangles to the scene.
func (r *gltfReader) primitive(p *gltfmesh.Primitive) error {
	at, read := r.shared[p.Position]
	if !read {
		var err error
		if at, err = r.positions(p); err != nil {
			return err
		}
		r.shared[p.Position] = at
	}
	material, err := r.material(p.Name)
	if err != nil {
		return err
	}
	if _, err := p.Material(); err != nil {
		r.warn("%v, or the mesh's name counts", err)
	}
	c, err := p.Corners(at.count)
	if err != nil {
		return err
	}
	return c.Triangles(func(v [3]int) error {
		err := r.add(uint32(at.first+v[0]), uint32(at.first+v[1]), uint32(at.first+v[2]), material)
		if v, ok := badVertexOf(err, at.first); ok {
			return fmt.Errorf("vertex %d %w", v, err)
		}
		return err
	})
}

// positions appends the transformed positions of a primitive to the scene.
func (r *gltfReader) positions(p *gltfmesh.Primitive) (span, error) {
	v, err := p.Positions()
	if err != nil {
		return span{}, err
	}
	if limit := r.maxVertices(); v.Count > limit-r.vertices() {
		return span{}, fmt.Errorf("more than %d vertices in total from %d bytes; simplify the mesh or split it", limit, r.bytes)
	}
	at, distance := span{r.vertices(), v.Count}, 0.0
	for i := range v.Count {
		own := v.Vector(i)
		distance = max(distance, math.Abs(own[0]), math.Abs(own[1]), math.Abs(own[2]))
		place := toZUp(p.Node.At.Apply(own))
		r.scene.Positions = append(r.scene.Positions, place[:]...)
	}
	if v.AreFloats() {
		r.warnCoarse(p.Position, distance)
	}
	return at, nil
}

// warnCoarse adds a warning if positions are so far from zero [m] that float32 resolves them no better than 1 mm.
func (r *gltfReader) warnCoarse(accessor int, distance float64) {
	const limit = 1 << 14 // [m]
	if distance >= limit && distance <= road.MaxCoordinate {
		far := float32(distance)
		spacing := math.Nextafter32(far, math.MaxFloat32) - far
		r.warn("accessor %d: its positions reach %.3g m, where 32-bit floats lie %.2g m apart; export the mesh about zero, and its place as a translation of its node", accessor, far, spacing)
	}
}
