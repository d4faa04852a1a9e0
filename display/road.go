package display

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig/internal/frame"
)

const (
	kerbWidth     = 0.9  // [m]
	kerbHeight    = 0.05 // at its middle [m]
	chunkSegments = 16   // lengths of road that are drawn or left out together
	coarseStep    = 4    // far chunks take every so many points
)

// roadVertex is one corner of the road, as the card reads it. The markings are
// drawn from lateral and station, so they cost no triangles.
type roadVertex struct {
	pos     mgl32.Vec3 // [m, world]
	lateral float32    // from the centre line [m], positive left
	station float32    // along the centre line from the start line [m]
	left    float32    // width left of the centre line [m]
	right   float32    // width right of it [m]
	kerb    float32    // 1 on a kerb, else 0
}

// span is a run of indices.
type span struct{ first, count int }

// chunk is a piece of circuit. Fine, kerbs and coarse lie one behind the other
// in the index buffer: near cars take the first two, far ones the last two.
type chunk struct {
	fine, kerbs, coarse span
	trees               span       // in the scenery's indices
	centre              mgl32.Vec3 // of a ball around all of it [m]
	radius              float32    // [m]
}

// ribbon is the road of a circuit, ready for the card.
type ribbon struct {
	vertices []roadVertex
	indices  []uint32
	chunks   []chunk
	rows     []crossing // one a point and the first again, a lap later
}

// crossing is the road at one point of its centre line.
type crossing struct {
	frame.Point
	left    mgl64.Vec3 // unit vector across the road, level
	station float64    // [m]
}

// at returns the place d metres to the left of the centre line and h above it.
func (c crossing) at(d, h float64) mgl32.Vec3 {
	return mgl32.Vec3{float32(c.X + c.left[0]*d), float32(c.Y + c.left[1]*d), float32(c.Z + h)}
}

// newRibbon builds the road along points, a closed line. Fewer than three
// points make no road.
func newRibbon(points []frame.Point) *ribbon {
	r := &ribbon{rows: crossings(points)}
	for _, c := range r.rows {
		for _, d := range [2]float64{c.Left, -c.Right} {
			r.vertices = append(r.vertices, c.vertex(d, 0, 0))
		}
	}
	for first := 0; first < len(r.rows)-1; first += chunkSegments {
		r.addChunk(first, min(first+chunkSegments, len(r.rows)-1))
	}
	return r
}

// crossings finds directions and stations along the closed line of points,
// leaving out points that repeat the one before.
func crossings(points []frame.Point) []crossing {
	var rows []crossing
	for _, p := range points {
		if n := len(rows); n > 0 && pointDistance(rows[n-1].Point, p) < 1e-6 {
			continue
		}
		rows = append(rows, crossing{Point: p})
	}
	if n := len(rows); n > 1 && pointDistance(rows[0].Point, rows[n-1].Point) < 1e-6 {
		rows = rows[:n-1]
	}
	n := len(rows)
	if n < 3 {
		return nil
	}
	for i := range rows {
		a, b := rows[(i+n-1)%n], rows[(i+1)%n]
		along := mgl64.Vec3{b.X - a.X, b.Y - a.Y, 0}
		if along.Len() > 0 {
			along = along.Normalize()
		}
		rows[i].left = mgl64.Vec3{-along[1], along[0], 0}
		if i > 0 {
			rows[i].station = rows[i-1].station + pointDistance(rows[i-1].Point, rows[i].Point)
		}
	}
	last := rows[0]
	last.station = rows[n-1].station + pointDistance(rows[n-1].Point, rows[0].Point)
	return append(rows, last)
}

func pointDistance(a, b frame.Point) float64 {
	return math.Sqrt((a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y) + (a.Z-b.Z)*(a.Z-b.Z))
}

func (c crossing) vertex(d, h float64, kerb float32) roadVertex {
	return roadVertex{
		pos: c.at(d, h), lateral: float32(d), station: float32(c.station),
		left: float32(c.Left), right: float32(c.Right), kerb: kerb,
	}
}

// addChunk adds the road from row first to row last.
func (r *ribbon) addChunk(first, last int) {
	var c chunk
	c.fine = r.addRoad(first, last, 1)
	kerbs := len(r.indices)
	for i := first; i < last; i++ {
		r.addKerbs(i)
	}
	c.kerbs = span{kerbs, len(r.indices) - kerbs}
	c.coarse = r.addRoad(first, last, coarseStep)
	c.centre, c.radius = ballAround(r.rows[first : last+1])
	r.chunks = append(r.chunks, c)
}

func (r *ribbon) addRoad(first, last, step int) span {
	start := len(r.indices)
	for i := first; i < last; i += step {
		a, b := uint32(2*i), uint32(2*min(i+step, last))
		r.indices = append(r.indices, a, a+1, b+1, a, b+1, b)
	}
	return span{start, len(r.indices) - start}
}

// addKerbs adds the kerbs of the length from row i to the next.
func (r *ribbon) addKerbs(i int) {
	a, b := r.rows[i], r.rows[i+1]
	if a.Kerb&frame.KerbLeft != 0 {
		r.addKerb(a, b, [3]float64{a.Left + kerbWidth, a.Left + kerbWidth/2, a.Left},
			[3]float64{b.Left + kerbWidth, b.Left + kerbWidth/2, b.Left})
	}
	if a.Kerb&frame.KerbRight != 0 {
		r.addKerb(a, b, [3]float64{-a.Right, -a.Right - kerbWidth/2, -a.Right - kerbWidth},
			[3]float64{-b.Right, -b.Right - kerbWidth/2, -b.Right - kerbWidth})
	}
}

// addKerb adds a ridge through three places from left to right on a and on b.
func (r *ribbon) addKerb(a, b crossing, atA, atB [3]float64) {
	height := [3]float64{0, kerbHeight, 0}
	i := uint32(len(r.vertices))
	for k := range atA {
		r.vertices = append(r.vertices, a.vertex(atA[k], height[k], 1), b.vertex(atB[k], height[k], 1))
	}
	for k := uint32(0); k < 4; k += 2 {
		r.indices = append(r.indices, i+k, i+k+2, i+k+3, i+k, i+k+3, i+k+1)
	}
}

// sceneryReach is how far from the road's centre line things may stand [m].
const sceneryReach = 70

// ballAround returns a ball that holds the road of rows and what stands by it.
func ballAround(rows []crossing) (centre mgl32.Vec3, radius float32) {
	for _, c := range rows {
		centre = centre.Add(c.at(0, 0))
	}
	centre = centre.Mul(1 / float32(len(rows)))
	for _, c := range rows {
		radius = max(radius, c.at(0, 0).Sub(centre).Len())
	}
	return centre, radius + sceneryReach
}

func (c chunk) middle() mgl64.Vec3 {
	return mgl64.Vec3{float64(c.centre[0]), float64(c.centre[1]), float64(c.centre[2])}
}

// distance returns how far at is from the chunk's ball, negative within it [m].
func (c chunk) distance(at mgl64.Vec3) float64 {
	return c.middle().Sub(at).Len() - float64(c.radius)
}
