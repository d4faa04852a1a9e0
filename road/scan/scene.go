// Package scan reads meshes and height grids of roads, and finds faults of a mesh that would disturb a
// car.
//
// It takes the content of OBJ, glTF and ESRI ASCII files (ParseOBJ, ParseGLTF, ParseASC), which the caller
// has read. It returns a Scene or a road.Grid. Check returns a Report of a scene's faults. Errors and
// warnings name the file, the place in it and what to do.
package scan

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/road"
)

// Scene is a mesh of triangles from a file, in the axes of road and in metres.
type Scene struct {
	Positions []float64 // x, y, z of each vertex [m]
	Indices   []uint32  // three vertices per triangle, anticlockwise seen from its front
	Materials []uint8   // of each triangle, an index into Names
	Names     []string  // of the materials, or of the object or group of triangles without one
	Warnings  []string  // faults of the file that do not matter to a car, one line each
}

// bounds are the maximum numbers of triangles and vertices of a scene.
type bounds struct{ triangles, vertices int }

// defaultBounds returns bounds that are far above any road and fit into memory.
func defaultBounds() bounds { return bounds{triangles: 200_000_000, vertices: 400_000_000} }

// extraElements is the number of triangles and vertices that a file may have in addition to one per byte,
// for meshes that several nodes use.
const extraElements = 1 << 22

// builder collects the parts of a scene.
type builder struct {
	file     string // name of the file in errors and warnings
	bytes    int    // size of the file and of the files that it refers to
	bounds   bounds
	scene    Scene
	index    map[string]uint8 // indices into scene.Names, by name
	optional []string         // names of parts that are left out if they cannot be read: no car drives on them
}

// newBuilder returns a builder for a file of a size [bytes].
func newBuilder(file string, bytes int, limit bounds) builder {
	return builder{file: file, bytes: bytes, bounds: limit, index: map[string]uint8{}}
}

// warn adds a warning, unless it was given before.
func (b *builder) warn(format string, args ...any) {
	const limit = 100 // further warnings are dropped
	text := b.file + ": " + fmt.Sprintf(format, args...)
	if len(b.scene.Warnings) < limit && !slices.Contains(b.scene.Warnings, text) {
		b.scene.Warnings = append(b.scene.Warnings, text)
	}
}

// skipBroken reports whether err, the error of a part, can be ignored because the part is optional. It then adds
// a warning.
func (b *builder) skipBroken(name string, err error) bool {
	if err == nil || !slices.Contains(b.optional, name) {
		return false
	}
	b.warn("%q is no ground and is broken: %v; ignored", printable.Excerpt(name), err)
	return true
}

// material returns the index of a name, and appends the name if it is new.
func (b *builder) material(name string) (uint8, error) {
	if i, known := b.index[name]; known {
		return i, nil
	}
	if len(b.scene.Names) == math.MaxUint8 {
		return 0, fmt.Errorf("material %q: a road can have at most %d materials; join those of the same ground",
			printable.Excerpt(name), math.MaxUint8)
	}
	i := uint8(len(b.scene.Names))
	b.scene.Names = append(b.scene.Names, name)
	b.index[name] = i
	return i, nil
}

// maxTriangles and maxVertices return the maximum numbers for an input of this size.
func (b *builder) maxTriangles() int { return min(b.bounds.triangles, extraElements+b.bytes) }
func (b *builder) maxVertices() int  { return min(b.bounds.vertices, extraElements+b.bytes) }

// vertices returns the number of vertices so far.
func (b *builder) vertices() int { return len(b.scene.Positions) / 3 }

// triangles returns the number of triangles so far.
func (b *builder) triangles() int { return len(b.scene.Materials) }

// add appends a triangle of existing vertices.
func (b *builder) add(i, j, k uint32, material uint8) error {
	if limit := b.maxTriangles(); b.triangles() >= limit {
		return fmt.Errorf("more than %d triangles from %d bytes; simplify the mesh or split it", limit, b.bytes)
	}
	for _, v := range [...]uint32{i, j, k} {
		p := b.scene.Positions[3*int(v) : 3*int(v)+3]
		const limit = road.MaxCoordinate
		if !(math.Abs(p[0]) < limit && math.Abs(p[1]) < limit && math.Abs(p[2]) < limit) { // also true for NaN
			return &badVertex{int(v), [3]float64(p)}
		}
	}
	b.scene.Indices = append(b.scene.Indices, i, j, k)
	b.scene.Materials = append(b.scene.Materials, material)
	return nil
}

// restore removes all vertices and triangles that were added after before, a copy of the scene, was taken. It
// keeps names and warnings.
func (b *builder) restore(before *Scene) {
	b.scene.Positions, b.scene.Indices, b.scene.Materials = before.Positions, before.Indices, before.Materials
}

// badVertex is the error of a vertex, used by a triangle, whose position is NaN, Inf or too far away.
type badVertex struct {
	vertex int // in the scene
	at     [3]float64
}

// Error returns the position and what to do.
func (e *badVertex) Error() string {
	return fmt.Sprintf("is at %g, %g, %g m: must be numbers from -%[4]g to %[4]g; "+
		"reproject to metres, or export the mesh again", e.at[0], e.at[1], e.at[2], float64(road.MaxCoordinate))
}

// finish removes the vertices that no triangle uses, and returns the scene.
func (b *builder) finish() (*Scene, error) {
	s := &b.scene
	if len(s.Indices) == 0 {
		return nil, fmt.Errorf("scan: %s: no triangles in it; export the road's faces", b.file)
	}
	const unused = math.MaxUint32
	newIndex := make([]uint32, b.vertices())
	for i := range newIndex {
		newIndex[i] = unused
	}
	for _, v := range s.Indices {
		newIndex[v] = 0
	}
	next, unusable := 0, 0
	for i := range newIndex {
		p := [3]float64(s.Positions[3*i : 3*i+3])
		if newIndex[i] == unused {
			if p[0]-p[0] != 0 || p[1]-p[1] != 0 || p[2]-p[2] != 0 {
				unusable++
			}
			continue
		}
		newIndex[i] = uint32(next)
		copy(s.Positions[3*next:], p[:])
		next++
	}
	for i, v := range s.Indices {
		s.Indices[i] = newIndex[v]
	}
	s.Positions = s.Positions[:3*next]
	if unusable > 0 {
		b.warn("%d vertices are NaN or Inf; no face uses them", unusable)
	}
	return s, nil
}

// Extent returns the corners of the box around the triangles [m].
func (s *Scene) Extent() (low, high r3.Vec) {
	inf := math.Inf(1)
	b := box{r3.Vec{X: inf, Y: inf, Z: inf}, r3.Vec{X: -inf, Y: -inf, Z: -inf}}
	for _, v := range s.Indices {
		b = b.union(box{s.at(v), s.at(v)})
	}
	return b.low, b.high
}

// Shift moves the scene so that origin becomes 0, 0, 0.
func (s *Scene) Shift(origin r3.Vec) {
	p := s.Positions
	for i := 0; i+2 < len(p); i += 3 {
		p[i], p[i+1], p[i+2] = p[i]-origin.X, p[i+1]-origin.Y, p[i+2]-origin.Z
	}
}

// badVertexOf returns the index of the vertex that an error is about, minus first, and whether it is about one.
func badVertexOf(err error, first int) (int, bool) {
	var unusable *badVertex
	if errors.As(err, &unusable) {
		return unusable.vertex - first, true
	}
	return 0, false
}
