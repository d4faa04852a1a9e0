package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/screens"
)

// The mirrors of a car, as indices.
const (
	InnerMirror = iota
	LeftMirror
	RightMirror
	MirrorCount
)

// outerMirrorRadius is the radius to which an outer mirror is bent outward [m], as type approval has it at the least (ECE R46).
const outerMirrorRadius = 1.2

// mirror is a rectangular mirror in body axes [m]. It is turned so that it shows what lies straight behind the car in its middle
// to an eye at the seat's place.
type mirror struct {
	center            mgl64.Vec3
	right, up, normal mgl64.Vec3 // unit directions as the driver sees it; normal points to the driver
	half              [2]float64 // half its width and height
	radius            float64    // to which it is bent outward; 0: flat
}

// newMirrors returns the mirrors of a car.
func newMirrors(c carShape, eye mgl32.Vec3) (m [MirrorCount]mirror) {
	inner := vec64(c.at(0.525, 0.10, 0.93))
	m[InnerMirror] = turnedMirror(inner, vec64(eye), mgl64.Vec3{-1, 0, -0.025}, [2]float64{0.105, 0.031}, 0)
	for i, side := range [2]float64{1, -1} {
		at := vec64(c.at(0.63, 1.01*side, 0.73))
		m[LeftMirror+i] = turnedMirror(at, vec64(eye), mgl64.Vec3{-1, 0.10 * side, -0.02}, [2]float64{0.08, 0.055}, outerMirrorRadius)
	}
	return m
}

// turnedMirror returns a mirror in which an eye sees the direction back in the middle.
func turnedMirror(center, eye, back mgl64.Vec3, half [2]float64, radius float64) mirror {
	normal := eye.Sub(center).Normalize().Add(back.Normalize()).Normalize()
	right := mgl64.Vec3{0, 0, 1}.Cross(normal).Normalize()
	return mirror{center, right, normal.Cross(right), normal, half, radius}
}

// at returns the point of the mirror that lies x half widths to the right of its middle and y half heights above it.
func (m *mirror) at(x, y float64) mgl64.Vec3 {
	return m.center.Add(m.right.Mul(x * m.half[0])).Add(m.up.Mul(y * m.half[1]))
}

// view returns the eye behind the mirror that sees through it what eye, in body axes, sees in it, and the lens that fills the
// mirror. The left edge of that picture is the right edge of the mirror. ok is false for an eye behind the mirror.
//
// The eye behind the mirror is the reflection of eye; one that is bent brings it nearer: 1/d' = 1/d + 2/radius.
func (m *mirror) view(eye mgl64.Vec3) (behind Eye, lens screens.Lens, ok bool) {
	const nearest = 0.05 // [m]
	distance := eye.Sub(m.center).Dot(m.normal)
	if !(distance > nearest) {
		return behind, lens, false
	}
	reflected := eye.Sub(m.normal.Mul(2 * distance)).Sub(m.center)
	share := 1.0
	if m.radius > 0 {
		share = 1 / (1 + 2*distance/m.radius)
	}
	off := reflected.Mul(share)
	behind = Eye{Pos: m.center.Add(off), Target: m.center.Add(off).Add(m.normal), Up: m.up, Near: distance * share}
	x, y := off.Dot(m.right), -off.Dot(m.up)
	lens = screens.Lens{
		Right: [3]float64{0, -1, 0}, Up: [3]float64{0, 0, 1}, Back: [3]float64{-1, 0, 0},
		West: (x - m.half[0]) / behind.Near, East: (x + m.half[0]) / behind.Near,
		South: (y - m.half[1]) / behind.Near, North: (y + m.half[1]) / behind.Near,
	}
	return behind, lens, true
}

// MirrorView returns the eye and the lens through which the world is drawn that e sees in a mirror of a car at p. ok is false for an eye
// behind the mirror.
func (w *World) MirrorView(i int, e Eye, p Pose) (behind Eye, lens screens.Lens, ok bool) {
	behind, lens, ok = w.mirrors[i].view(p.body(e.Pos))
	behind.Pos, behind.Target, behind.Up = p.world(behind.Pos), p.world(behind.Target), p.att.Rotate(behind.Up)
	return behind, lens, ok
}

// MirrorInSight reports whether a mirror of a car at p may be partly in a frustum.
func (w *World) MirrorInSight(i int, p Pose, frustum Frustum) bool {
	m := &w.mirrors[i]
	return frustum.intersects(p.world(m.center), math.Hypot(m.half[0], m.half[1]))
}

// MirrorVertex is one corner of a mirror's face, laid out as the vertex shader reads it: three float32 of position in body axes [m] and
// two of the place in the mirror's picture, 0..1 from its lower left corner.
type MirrorVertex struct {
	pos   mgl32.Vec3
	place mgl32.Vec2
}

// MirrorMesh holds the faces of all mirrors, with the index range of each.
type MirrorMesh struct {
	Vertices []MirrorVertex
	Indices  []uint32
	Spans    [MirrorCount]Span
}

// buildMirrorFaces returns the faces of mirrors, with round corners.
func buildMirrorFaces(mirrors *[MirrorCount]mirror) *MirrorMesh {
	m := &MirrorMesh{}
	for i := range mirrors {
		first, base := len(m.Indices), uint32(len(m.Vertices))
		outline := mirrors[i].outline()
		for _, q := range outline {
			at := mirrors[i].at(q[0], q[1])
			m.Vertices = append(m.Vertices, MirrorVertex{vec32(at), mgl32.Vec2{float32(1-q[0]) / 2, float32(1+q[1]) / 2}})
		}
		for k := uint32(2); k < uint32(len(outline)); k++ {
			m.Indices = append(m.Indices, base, base+k-1, base+k)
		}
		m.Spans[i] = Span{first, len(m.Indices) - first}
	}
	return m
}

// outline returns the mirror's edge, counter-clockwise as the driver sees it, in half widths and half heights.
func (m *mirror) outline() (points [][2]float64) {
	const corner, steps = 0.014, 4 // radius of the corners [m], and points less one of each
	rx, ry := corner/m.half[0], corner/m.half[1]
	for quarter, q := range [4][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
		for k := range steps + 1 {
			s, c := math.Sincos(math.Pi / 2 * (float64(quarter) + float64(k)/steps))
			points = append(points, [2]float64{q[0]*(1-rx) + rx*c, q[1]*(1-ry) + ry*s})
		}
	}
	return points
}

// addMirror adds the housing of a mirror, twice depth deep [m] and a little larger than its face, which stands free before it.
func (m *Mesh) addMirror(r *mirror, depth float64, p paint) {
	const edge, gap = 0.006, 0.003 // [m]
	m.slantedBox(vec32(r.center.Sub(r.normal.Mul(depth+gap))), vec32(r.normal.Mul(depth)), vec32(r.right.Mul(r.half[0]+edge)),
		vec32(r.up.Mul(r.half[1]+edge)), p)
}
