package scene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
)

const (
	chunkSegments = 16 // segments of road that are drawn or culled together
	coarseStep    = 4  // far chunks use every fourth cross-section
)

// RoadVertex is one corner of the road or its verges, laid out as the vertex shader reads it: the 15 float32 of
// its fields in their order. The fragment shaders draw markings, kerbs and materials from lateral and station, so these
// need no triangles of their own.
type RoadVertex struct {
	pos     mgl32.Vec3 // [m, world]
	lateral float32    // from the center line [m], positive left
	station float32    // along the center line [m]
	left    float32    // width left of the center line [m]
	right   float32    // width right of it [m]
	kerb    float32    // width of the kerb on this side [m]
	verge   float32    // width of the verge on this side [m]
	row     float32    // position in the material texture, 0..1
	light   float32    // brightness, 1 on level ground
	tint    tint       // of the road, in its middle
}

// Span is a range of a mesh's indices.
type Span struct{ First, Count int }

// appendMerged appends s to list, or extends the last range of list if s follows it, so that both are drawn at once.
func appendMerged(list []Span, s Span) []Span {
	if s.Count == 0 {
		return list
	}
	if n := len(list); n > 0 && list[n-1].First+list[n-1].Count == s.First {
		list[n-1].Count += s.Count
		return list
	}
	return append(list, s)
}

// RoadSpans holds the index ranges of a piece of road at one level of detail, by the shader that draws them.
// Verges of a single material are drawn by the terrain shader, which is faster.
type RoadSpans struct {
	Road   Span // dry asphalt without lines across it; in the indices of Meshes.Road
	Wet    Span // the same of asphalt that is damp or wet
	Marks  Span // road of other or several materials, or with lines across it; in the indices of Meshes.Road
	Kerbs  Span // in the indices of Meshes.Road
	Side   Span // verges of several materials or with patterns; in the indices of Meshes.Road
	Verges Span // verges of a single material without a pattern, with their skirts; in the indices of Meshes.Verges
}

// roadChunk is a piece of road that is drawn or culled as a whole, in fine detail near the eye and in
// coarse detail far from it.
type roadChunk struct {
	fine, coarse RoadSpans
	sphere       // of the road with its verges
	trees        sceneryGroup
}

// sceneryGroup is the trees and posts of a piece of road.
type sceneryGroup struct {
	Span // in the indices of Meshes.Scenery
	sphere
}

// sphere is a bounding sphere.
type sphere struct {
	center mgl64.Vec3 // [m, world]
	radius float64    // [m]
}

// sphereOf returns a sphere that contains all points.
func sphereOf(points []mgl32.Vec3) sphere {
	if len(points) == 0 {
		return sphere{}
	}
	low, high := points[0], points[0]
	for _, p := range points {
		for i := range p {
			low[i], high[i] = min(low[i], p[i]), max(high[i], p[i])
		}
	}
	s := sphere{center: vec64(low.Add(high)).Mul(0.5)}
	for _, p := range points {
		s.radius = max(s.radius, vec64(p).Sub(s.center).Len())
	}
	return s
}

// distance returns the distance of a point from the sphere [m], negative inside it.
func (s *sphere) distance(at mgl64.Vec3) float64 { return s.center.Sub(at).Len() - s.radius }

// isVisible reports whether the sphere may be partly visible and is nearer than limit [m].
func (s *sphere) isVisible(e Eye, f *Frustum, limit float64) bool {
	return s.distance(e.Pos) < limit && f.intersects(s.center, s.radius)
}

// RoadMesh is the road with its kerbs and those parts of its verges that have more than one material. The other
// parts of the verges are in Meshes.Verges.
type RoadMesh struct {
	Vertices []RoadVertex
	Indices  []uint32
}

// roadBuilder builds the meshes of the road and its verges.
type roadBuilder struct {
	RoadMesh
	verges   GroundMesh // verges of a single material
	tints    []tint     // of the materials
	hasMarks []bool     // for each row, whether it needs the shader for marks
	isWet    []bool     // for each row, whether its middle is damp or wet
	chunks   []roadChunk
	rows     []crossSection // the last one repeats the first if the line is closed
}

// A row of vertices has one for each height sample of its cross-section, and on either side one more for a
// skirt, which goes down into the terrain.
const (
	rowVertices = frame.HeightsAcross + 2
	skirtOut    = 4.0  // outward extent of the skirt [m]
	skirtDown   = 10.0 // depth of the skirt [m]: far terrain is coarse, and on slopes lies deep below the verges

	vergeVertices = 8 // vertices of a row of the verges: skirt, outer edge, middle, inner edge; then mirrored
)

// quadColumns holds the vertices of a row between which quads are built, as indices within the row from left to
// right.
type quadColumns struct {
	road    []uint32
	kerbs   [2][]uint32 // left, right
	verges  [2][]uint32
	uniform [2][]uint32 // verges of a single material, in their own mesh
}

// The columns for fine and coarse detail.
var (
	fineColumns = quadColumns{[]uint32{5, 6, 7}, [2][]uint32{{3, 4, 5}, {7, 8, 9}},
		[2][]uint32{{0, 1, 2, 3}, {9, 10, 11, 12}}, [2][]uint32{{0, 1, 2, 3}, {4, 5, 6, 7}}}
	coarseColumns = quadColumns{[]uint32{5, 7}, [2][]uint32{{3, 5}, {7, 9}},
		[2][]uint32{{0, 1, 3}, {9, 11, 12}}, [2][]uint32{{0, 1, 3}, {4, 6, 7}}}
)

// newRoadBuilder builds the meshes of the road of s. They are empty if s has fewer than three distinct points.
func newRoadBuilder(s *frame.Scene) *roadBuilder {
	materialTints := tints(s)
	r := &roadBuilder{rows: crossSections(s), tints: materialTints}
	for i := range r.rows {
		r.addRow(i, materialTints)
		r.addVerges(i, materialTints)
		r.hasMarks = append(r.hasMarks, hasMarks(s, &r.rows[i], materialTints))
		r.isWet = append(r.isWet, tintOf(materialTints, r.rows[i].Materials[frame.MaterialsAcross/2]).wetness() > 0)
	}
	for firstRow := 0; firstRow < len(r.rows)-1; firstRow += chunkSegments {
		r.addChunk(firstRow, min(firstRow+chunkSegments, len(r.rows)-1))
	}
	return r
}

// addRow adds the vertices of row i to the road's mesh, from left to right; list holds the tints of the materials.
func (r *roadBuilder) addRow(i int, materialTints []tint) {
	c, last := &r.rows[i], len(r.rows)-1
	ahead, behind := &r.rows[min(i+1, last)], &r.rows[max(i-1, 0)]
	for k, d := range c.offsets {
		near, far := max(k-1, 0), min(k+1, frame.HeightsAcross-1)
		across := c.heightPoint(near).Sub(c.heightPoint(far))
		along := ahead.heightPoint(k).Sub(behind.heightPoint(k))
		v := c.vertex(d, c.heightPoint(k))
		v.tint = tintOf(materialTints, c.Materials[frame.MaterialsAcross/2])
		v.light = sunlight(vec64(along.Cross(across))) * r.tone(i, k)
		if k == 0 {
			r.Vertices = append(r.Vertices, v.skirt(c.left))
		}
		r.Vertices = append(r.Vertices, v)
		if k == frame.HeightsAcross-1 {
			r.Vertices = append(r.Vertices, v.skirt(c.left.Mul(-1)))
		}
	}
}

// tone returns a factor on the brightness of row i at height sample k, the same for the first and the last row of a closed
// line: the road is a little darker here and brighter there, and streams past at speed.
func (r *roadBuilder) tone(i, k int) float32 {
	n := max(len(r.rows)-1, 1)
	share := 0.6*hashFloat(uint32(i%n), uint32(k/2)+5) + 0.4*hashFloat(uint32(i%n/coarseStep), uint32(k/2)+9)
	return float32(0.93 + 0.14*share)
}

// addVerges adds row i to the verges' mesh. addRow must have added it to the road's mesh.
func (r *roadBuilder) addVerges(i int, materialTints []tint) {
	row, paint := r.Vertices[rowVertices*i:], &r.rows[i].Materials
	for k, from := range [vergeVertices]int{0, 1, 2, 3, 9, 10, 11, 12} {
		look := tintOf(materialTints, paint[0])
		if k >= vergeVertices/2 {
			look = tintOf(materialTints, paint[frame.MaterialsAcross-1])
		}
		r.verges.Vertices = append(r.verges.Vertices, GroundVertex{row[from].pos, look, row[from].light})
	}
}

// vertex returns the vertex at position at, d [m] to the left of the center line.
func (c *crossSection) vertex(d float64, at mgl32.Vec3) RoadVertex {
	v := RoadVertex{
		pos: at, lateral: float32(d), station: float32(c.station), left: float32(c.Left), right: float32(c.Right),
		kerb: float32(c.KerbLeft), verge: float32(c.VergeLeft), row: c.row,
	}
	if d < 0 {
		v.kerb, v.verge = float32(c.KerbRight), float32(c.VergeRight)
	}
	return v
}

// skirt returns the vertex of the skirt that hides the gap between v, at the outer edge of a verge, and
// the terrain. out points away from the road.
func (v RoadVertex) skirt(out mgl64.Vec3) RoadVertex {
	v.pos = v.pos.Add(mgl32.Vec3{float32(skirtOut * out[0]), float32(skirtOut * out[1]), -skirtDown})
	return v
}

// addChunk adds the road from row first to row last in both levels of detail.
func (r *roadBuilder) addChunk(first, last int) {
	var c roadChunk
	c.fine = r.addRoad(first, last, 1, &fineColumns)
	c.coarse = r.addRoad(first, last, coarseStep, &coarseColumns)
	var outline []mgl32.Vec3
	for i := first; i <= last; i++ {
		outline = append(outline, r.Vertices[rowVertices*i].pos, r.Vertices[rowVertices*(i+1)-1].pos)
	}
	c.sphere = sphereOf(outline)
	r.chunks = append(r.chunks, c)
}

// addRoad adds the quads between every step-th row from first to last, and returns their index ranges.
func (r *roadBuilder) addRoad(first, last, step int, at *quadColumns) RoadSpans {
	var road, wet, marks, kerbs, sides, verges []uint32
	for i := first; i < last; i += step {
		j := min(i+step, last)
		switch {
		case slices.Contains(r.hasMarks[i:j+1], true):
			marks = r.appendQuads(marks, i, j, at.road)
		case slices.Contains(r.isWet[i:j+1], true):
			wet = r.appendQuads(wet, i, j, at.road)
		default:
			road = r.appendQuads(road, i, j, at.road)
		}
		for side := range 2 {
			kerbs = r.appendQuads(kerbs, i, j, at.kerbs[side])
			if r.isVergeUniform(i, j, side) {
				verges = addQuads(verges, uint32(vergeVertices*i), uint32(vergeVertices*j), at.uniform[side])
			} else {
				sides = r.appendQuads(sides, i, j, at.verges[side])
			}
		}
	}
	return RoadSpans{
		Road: appendSpan(&r.Indices, road), Wet: appendSpan(&r.Indices, wet), Marks: appendSpan(&r.Indices, marks),
		Kerbs: appendSpan(&r.Indices, kerbs), Side: appendSpan(&r.Indices, sides), Verges: appendSpan(&r.verges.Indices, verges),
	}
}

// appendQuads appends to list the quads between rows i and j of the road's mesh, unless both rows have no width.
func (r *roadBuilder) appendQuads(list []uint32, i, j int, across []uint32) []uint32 {
	a, b := uint32(rowVertices*i), uint32(rowVertices*j)
	left, right := across[0], across[len(across)-1]
	if r.Vertices[a+left].pos == r.Vertices[a+right].pos && r.Vertices[b+left].pos == r.Vertices[b+right].pos {
		return list
	}
	return addQuads(list, a, b, across)
}

// addQuads appends to list the quads between two rows of vertices whose first indices are a and b.
func addQuads(list []uint32, a, b uint32, across []uint32) []uint32 {
	for k := range len(across) - 1 {
		left, right := across[k], across[k+1]
		list = append(list, a+left, a+right, b+right, a+left, b+right, b+left)
	}
	return list
}

// appendSpan appends list to indices and returns its range there.
func appendSpan(indices *[]uint32, list []uint32) Span {
	s := Span{len(*indices), len(list)}
	*indices = append(*indices, list...)
	return s
}

// hasMarks reports whether a row has several materials or one with a pattern, or is near the start line or the end of a
// sector.
func hasMarks(s *frame.Scene, c *crossSection, materialTints []tint) bool {
	const near = 6.0 // [m], more than the distance between points
	for _, at := range append([]float64{s.Start}, s.Sectors...) {
		off := math.Abs(c.station - at)
		if off < near || s.Closed && math.Abs(s.LapLength-off) < near {
			return true
		}
	}
	across := c.Materials[frame.VergeMaterials : frame.VergeMaterials+frame.RoadMaterials]
	return tintOf(materialTints, across[0]).pattern() != patternAsphalt ||
		slices.ContainsFunc(across, func(material uint8) bool { return material != across[0] })
}

// isVergeUniform reports whether the verge on a side (0 left, 1 right) has a single material from row i
// to row j, without a pattern.
func (r *roadBuilder) isVergeUniform(i, j, side int) bool {
	from := side * (frame.MaterialsAcross - frame.VergeMaterials)
	for k := i; k <= j; k++ {
		for _, material := range r.rows[k].Materials[from : from+frame.VergeMaterials] {
			if material != r.rows[i].Materials[from] {
				return false
			}
		}
	}
	return tintOf(r.tints, r.rows[i].Materials[from]).isSimple()
}

// vec64 returns v in double precision.
func vec64(v mgl32.Vec3) mgl64.Vec3 { return mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])} }
