// Package scan reads the meshes and height grids that roads are modelled as, and
// finds what in a mesh would trouble a car.
package scan

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// Scene is a mesh of triangles as a file has it, in our axes and in metres.
type Scene struct {
	Positions []float64 // x, y, z of each vertex [m]
	Indices   []uint32  // three vertices a triangle, anticlockwise seen from its front
	Materials []uint8   // of each triangle; counts in Names
	Names     []string  // of the materials; of the object or group where a triangle has none
	Warnings  []string  // what is amiss with the file and does not matter to a car, a line each
}

// Open returns the content of a file that another one refers to, by the name that
// stands there. What a texture holds is not looked at: nothing may be returned.
type Open = func(name string) ([]byte, error)

// bounds are the most that a scene may have.
type bounds struct{ triangles, vertices int }

// sane bounds are far beyond any road, and within memory.
func sane() bounds { return bounds{triangles: 200_000_000, vertices: 400_000_000} }

// reused is how many triangles and vertices a file may have beside one for each of its bytes:
// those of meshes that several nodes show.
const reused = 1 << 22

// builder collects a scene.
type builder struct {
	file  string
	bytes int // of the file and of those that it names
	most  bounds
	scene Scene
	index map[string]uint8 // of the names
	spare []string         // names of what may be broken: no car drives on it
}

func newBuilder(file string, bytes int, most bounds) builder {
	return builder{file: file, bytes: bytes, most: most, index: map[string]uint8{}}
}

func (b *builder) warn(format string, args ...any) {
	const most = 100 // warnings of a file; more say nothing more
	text := b.file + ": " + fmt.Sprintf(format, args...)
	if len(b.scene.Warnings) < most && !slices.Contains(b.scene.Warnings, text) {
		b.scene.Warnings = append(b.scene.Warnings, text)
	}
}

// forgive tells whether a part that cannot be read may be left out, and warns of it.
func (b *builder) forgive(name string, err error) bool {
	if err == nil || !slices.Contains(b.spare, name) {
		return false
	}
	b.warn("%q is no ground and is broken: %v; it is left out", clip(name), err)
	return true
}

// material returns the index of a name, a new one if need be.
func (b *builder) material(name string) (uint8, error) {
	if i, known := b.index[name]; known {
		return i, nil
	}
	if len(b.scene.Names) == math.MaxUint8 {
		return 0, fmt.Errorf("material %q is one more than the %d that a road can have; join materials of the same ground", clip(name), math.MaxUint8)
	}
	i := uint8(len(b.scene.Names))
	b.scene.Names = append(b.scene.Names, name)
	b.index[name] = i
	return i, nil
}

// mostTriangles and mostVertices bound the work by what there is to read.
func (b *builder) mostTriangles() int { return min(b.most.triangles, reused+b.bytes) }
func (b *builder) mostVertices() int  { return min(b.most.vertices, reused+b.bytes) }

func (b *builder) vertices() int  { return len(b.scene.Positions) / 3 }
func (b *builder) triangles() int { return len(b.scene.Materials) }

// add appends a triangle of vertices that exist.
func (b *builder) add(i, j, k uint32, material uint8) error {
	if most := b.mostTriangles(); b.triangles() >= most {
		return fmt.Errorf("more than %d triangles from %d bytes; thin the mesh out or split it", most, b.bytes)
	}
	for _, v := range [...]uint32{i, j, k} {
		p := b.scene.Positions[3*int(v) : 3*int(v)+3]
		if !(math.Abs(p[0]) < road.MostFar && math.Abs(p[1]) < road.MostFar && math.Abs(p[2]) < road.MostFar) { // also true for NaN
			return &badVertex{int(v), [3]float64(p)}
		}
	}
	b.scene.Indices = append(b.scene.Indices, i, j, k)
	b.scene.Materials = append(b.scene.Materials, material)
	return nil
}

// cut leaves out what was read since the scene was as before, but for names and warnings.
func (b *builder) cut(before *Scene) {
	b.scene.Positions, b.scene.Indices, b.scene.Materials = before.Positions, before.Indices, before.Materials
}

// badVertex is a vertex in use whose place is none.
type badVertex struct {
	vertex int // in the scene
	at     [3]float64
}

func (e *badVertex) Error() string {
	return fmt.Sprintf("is at %g, %g, %g m: must be numbers below %g; reproject to metres, or export the mesh again", e.at[0], e.at[1], e.at[2], float64(road.MostFar))
}

// finish leaves out the vertices that no triangle has.
func (b *builder) finish() (*Scene, error) {
	s := &b.scene
	if len(s.Indices) == 0 {
		return nil, fmt.Errorf("scan: %s: no triangles in it; export the road's faces", b.file)
	}
	const unused = math.MaxUint32
	place := make([]uint32, b.vertices())
	for i := range place {
		place[i] = unused
	}
	for _, v := range s.Indices {
		place[v] = 0
	}
	next, bad := 0, 0
	for i := range place {
		p := [3]float64(s.Positions[3*i : 3*i+3])
		if place[i] == unused {
			if p[0]-p[0] != 0 || p[1]-p[1] != 0 || p[2]-p[2] != 0 {
				bad++
			}
			continue
		}
		place[i] = uint32(next)
		copy(s.Positions[3*next:], p[:])
		next++
	}
	for i, v := range s.Indices {
		s.Indices[i] = place[v]
	}
	s.Positions = s.Positions[:3*next]
	if bad > 0 {
		b.warn("%d vertices are not numbers; no face uses them", bad)
	}
	return s, nil
}

// Extent returns the corners of the box about the triangles [m].
func (s *Scene) Extent() (low, high r3.Vec) {
	inf := math.Inf(1)
	low, high = r3.Vec{X: inf, Y: inf, Z: inf}, r3.Vec{X: -inf, Y: -inf, Z: -inf}
	for _, v := range s.Indices {
		p := s.at(v)
		low = r3.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		high = r3.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
	}
	return low, high
}

// Shift moves the scene so that a place of it becomes 0, 0, 0.
func (s *Scene) Shift(origin r3.Vec) {
	p := s.Positions
	for i := 0; i+2 < len(p); i += 3 {
		p[i], p[i+1], p[i+2] = p[i]-origin.X, p[i+1]-origin.Y, p[i+2]-origin.Z
	}
}

// vertexOf returns the vertex that an error is about, counted from a first one.
func vertexOf(err error, first int) (int, bool) {
	var bad *badVertex
	if errors.As(err, &bad) {
		return bad.vertex - first, true
	}
	return 0, false
}

// clip shortens what a file says so that it fits into a line.
func clip(text string) string {
	const most = 80
	clean := []rune{}
	for _, r := range text {
		if len(clean) == most {
			return string(clean) + "…"
		}
		if r < ' ' {
			r = ' '
		}
		clean = append(clean, r)
	}
	return string(clean)
}
