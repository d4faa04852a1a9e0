package scene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
)

const (
	chunkSegments = 16 // lengths of road that are drawn or left out together
	coarseStep    = 4  // far chunks take every so many points
)

// RoadVertex is one corner of the road or its verges, as the card reads it: 3, 4, 4 and 4 float32. Markings,
// kerbs and materials are drawn from the places across and along the road, so they
// cost no triangles.
type RoadVertex struct {
	pos     mgl32.Vec3 // [m, world]
	lateral float32    // from the centre line [m], positive left
	station float32    // along the centre line [m]
	left    float32    // width left of the centre line [m]
	right   float32    // width right of it [m]
	kerb    float32    // width of the kerb on this side [m]
	verge   float32    // width of the verge on this side [m]
	row     float32    // place in the table of materials, 0..1
	light   float32    // of the sun, 1 on level ground
	tint    tint       // of the road, where that is of one material
}

// Span is a run of a mesh's indices.
type Span struct{ First, Count int }

// Detail is a piece of road as it is drawn. Verges of one material are drawn as terrain
// is, which is quicker.
type Detail struct {
	Road   Span // from edge to edge, of one material
	Marks  Span // from edge to edge, of several materials or with lines across
	Side   Span // kerbs, and verges of several materials
	Verges Span // of one material, and skirts; in the verges' indices
}

// chunk is a piece of circuit. Fine is for near cars, coarse for far ones.
type chunk struct {
	fine, coarse Detail
	trees        Span       // in the scenery's indices
	centre       mgl32.Vec3 // of a ball around all of it [m]
	radius       float32    // [m]
}

// RoadMesh is a road with its kerbs, and those verges that are of several materials.
type RoadMesh struct {
	Vertices []RoadVertex
	Indices  []uint32
}

// ribbon is the road of a circuit with its verges, ready for the card.
type ribbon struct {
	RoadMesh
	verges GroundMesh // those of one material
	marked []bool     // rows with several materials, or with lines across about there
	chunks []chunk
	rows   []crossing // one a point; on a closed line the first again, a lap later
}

// A row has the stops of its point, and beyond them on either side a skirt that goes
// down into the terrain.
const (
	rowVertices = frame.Stops + 2
	skirtOut    = 4.0 // [m]
	skirtDown   = 1.5 // [m]

	vergeVertices = 8 // of a row of the verges' own mesh: skirt, verge's end, middle and inner side on the left, and mirrored
)

// section lists the vertices of a row through which quads go, from left to right.
type section struct {
	road   []uint32
	kerbs  [2][]uint32 // left, right
	verges [2][]uint32
	plain  [2][]uint32 // verges in their own mesh
}

// Sections near the eye and from afar.
var (
	fineSection = section{[]uint32{5, 6, 7}, [2][]uint32{{3, 4, 5}, {7, 8, 9}},
		[2][]uint32{{0, 1, 2, 3}, {9, 10, 11, 12}}, [2][]uint32{{0, 1, 2, 3}, {4, 5, 6, 7}}}
	coarseSection = section{[]uint32{5, 7}, [2][]uint32{{3, 5}, {7, 9}},
		[2][]uint32{{0, 1, 3}, {9, 11, 12}}, [2][]uint32{{0, 1, 3}, {4, 6, 7}}}
)

// newRibbon builds the road of s. Fewer than three points make no road.
func newRibbon(s *frame.Scene) *ribbon {
	r := &ribbon{rows: crossings(s)}
	list := tints(s)
	for i := range r.rows {
		r.addRow(i, list)
		r.addVerges(i, list)
		r.marked = append(r.marked, marked(s, &r.rows[i]))
	}
	for first := 0; first < len(r.rows)-1; first += chunkSegments {
		r.addChunk(first, min(first+chunkSegments, len(r.rows)-1))
	}
	return r
}

// addRow adds the vertices of a row, from left to right.
func (r *ribbon) addRow(i int, list []tint) {
	c, last := &r.rows[i], len(r.rows)-1
	ahead, behind := &r.rows[min(i+1, last)], &r.rows[max(i-1, 0)]
	for k, d := range c.offsets {
		near, far := max(k-1, 0), min(k+1, frame.Stops-1)
		across := c.stop(near).Sub(c.stop(far))
		along := ahead.stop(k).Sub(behind.stop(k))
		v := c.vertex(d, c.stop(k))
		v.tint = tintOf(list, c.Paint[frame.VergePaints])
		v.light = sunlight(wide(along.Cross(across)))
		if k == 0 {
			r.Vertices = append(r.Vertices, v.skirt(c.left))
		}
		r.Vertices = append(r.Vertices, v)
		if k == frame.Stops-1 {
			r.Vertices = append(r.Vertices, v.skirt(c.left.Mul(-1)))
		}
	}
}

// addVerges adds a row to the verges' own mesh; addRow has added it to the road's.
func (r *ribbon) addVerges(i int, list []tint) {
	row, paint := r.Vertices[rowVertices*i:], &r.rows[i].Paint
	for k, from := range [vergeVertices]int{0, 1, 2, 3, 9, 10, 11, 12} {
		look := tintOf(list, paint[0])
		if k >= vergeVertices/2 {
			look = tintOf(list, paint[frame.Paints-1])
		}
		r.verges.Vertices = append(r.verges.Vertices, GroundVertex{row[from].pos, look, row[from].light})
	}
}

func (c *crossing) vertex(d float64, at mgl32.Vec3) RoadVertex {
	v := RoadVertex{
		pos: at, lateral: float32(d), station: float32(c.station), left: float32(c.Left), right: float32(c.Right),
		kerb: float32(c.KerbLeft), verge: float32(c.VergeLeft), row: c.row,
	}
	if d < 0 {
		v.kerb, v.verge = float32(c.KerbRight), float32(c.VergeRight)
	}
	return v
}

// skirt returns the corner that hides the gap between a verge's end and the terrain.
func (v RoadVertex) skirt(out mgl64.Vec3) RoadVertex {
	v.pos = v.pos.Add(mgl32.Vec3{float32(skirtOut * out[0]), float32(skirtOut * out[1]), -skirtDown})
	return v
}

// addChunk adds the road from row first to row last.
func (r *ribbon) addChunk(first, last int) {
	var c chunk
	c.fine = r.addRoad(first, last, 1, &fineSection)
	c.coarse = r.addRoad(first, last, coarseStep, &coarseSection)
	c.centre, c.radius = ballAround(r.rows[first : last+1])
	r.chunks = append(r.chunks, c)
}

// addRoad adds quads between every so manieth row.
func (r *ribbon) addRoad(first, last, step int, at *section) Detail {
	var road, marks, sides, verges []uint32
	for i := first; i < last; i += step {
		j := min(i+step, last)
		if slices.Contains(r.marked[i:j+1], true) {
			marks = r.quads(marks, i, j, at.road)
		} else {
			road = r.quads(road, i, j, at.road)
		}
		for side := range 2 {
			sides = r.quads(sides, i, j, at.kerbs[side])
			if r.plain(i, j, side) {
				verges = addQuads(verges, uint32(vergeVertices*i), uint32(vergeVertices*j), at.plain[side])
			} else {
				sides = r.quads(sides, i, j, at.verges[side])
			}
		}
	}
	return Detail{
		Road: appendSpan(&r.Indices, road), Marks: appendSpan(&r.Indices, marks),
		Side: appendSpan(&r.Indices, sides), Verges: appendSpan(&r.verges.Indices, verges),
	}
}

// quads adds quads from row i to row j, but for those of no width.
func (r *ribbon) quads(list []uint32, i, j int, across []uint32) []uint32 {
	a, b := uint32(rowVertices*i), uint32(rowVertices*j)
	left, right := across[0], across[len(across)-1]
	if r.Vertices[a+left].pos == r.Vertices[a+right].pos && r.Vertices[b+left].pos == r.Vertices[b+right].pos {
		return list
	}
	return addQuads(list, a, b, across)
}

// addQuads adds quads between the vertices across two rows that begin at a and b.
func addQuads(list []uint32, a, b uint32, across []uint32) []uint32 {
	for k := range len(across) - 1 {
		left, right := across[k], across[k+1]
		list = append(list, a+left, a+right, b+right, a+left, b+right, b+left)
	}
	return list
}

func appendSpan(to *[]uint32, list []uint32) Span {
	s := Span{len(*to), len(list)}
	*to = append(*to, list...)
	return s
}

// marked tells whether a row has several materials, or the start line or the end of a
// sector is about there.
func marked(s *frame.Scene, c *crossing) bool {
	const about = 6.0 // [m], more than points are apart
	for _, at := range append([]float64{s.Start}, s.Sectors...) {
		off := math.Abs(c.station - at)
		if off < about || s.Closed && math.Abs(s.Lap-off) < about {
			return true
		}
	}
	across := c.Paint[frame.VergePaints : frame.VergePaints+frame.RoadPaints]
	return slices.ContainsFunc(across, func(material uint8) bool { return material != across[0] })
}

// plain tells whether a side's verge is of one material from row i to row j.
func (r *ribbon) plain(i, j, side int) bool {
	from := side * (frame.Paints - frame.VergePaints)
	for k := i; k <= j; k++ {
		for _, material := range r.rows[k].Paint[from : from+frame.VergePaints] {
			if material != r.rows[i].Paint[from] {
				return false
			}
		}
	}
	return true
}

// sceneryReach is how far from the road's centre line things may stand [m].
const sceneryReach = 70

// ballAround returns a ball that holds the road of rows and what stands by it.
func ballAround(rows []crossing) (centre mgl32.Vec3, radius float32) {
	for i := range rows {
		centre = centre.Add(rows[i].stop(frame.Middle))
	}
	centre = centre.Mul(1 / float32(len(rows)))
	for i := range rows {
		radius = max(radius, rows[i].stop(frame.Middle).Sub(centre).Len())
	}
	return centre, radius + sceneryReach
}

func (c chunk) middle() mgl64.Vec3 { return wide(c.centre) }

// distance returns how far at is from the chunk's ball, negative within it [m].
func (c chunk) distance(at mgl64.Vec3) float64 {
	return c.middle().Sub(at).Len() - float64(c.radius)
}

func wide(v mgl32.Vec3) mgl64.Vec3 { return mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])} }
