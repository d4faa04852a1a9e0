package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
)

const (
	guideHalfWidth = 0.08  // half the width of the drawn line [m]
	guideHeight    = 0.03  // height above the road [m]
	guideRange     = 250.0 // distance from the eye up to which the line is drawn [m]
	dashesPerGroup = 32    // dashes that are drawn or culled together
)

// guidePaints holds the color for each phase of frame.Guide.
var guidePaints = [...]paint{
	frame.Accelerating: {mgl32.Vec3{0.08, 0.50, 0.14}, 0},
	frame.Coasting:     {mgl32.Vec3{0.68, 0.56, 0.06}, 0},
	frame.Braking:      {mgl32.Vec3{0.66, 0.08, 0.05}, 0},
}

// dashGroup is a group of successive dashes of the racing line, drawn or culled as a whole.
type dashGroup struct {
	Span
	sphere
}

// buildGuide returns the racing line as dashes, which join every other pair of neighboring points.
func buildGuide(guides []frame.Guide) (*Mesh, []dashGroup) {
	m := &Mesh{}
	var groups []dashGroup
	for first := 0; first+1 < len(guides); first += 2 * dashesPerGroup {
		start, last := len(m.Indices), min(first+2*dashesPerGroup, len(guides)-1)
		for i := first; i < last; i += 2 {
			addDash(m, &guides[i], &guides[i+1])
		}
		var points []mgl32.Vec3
		for i := first; i <= last; i++ {
			points = append(points, vec32(guidePosition(&guides[i])))
		}
		groups = append(groups, dashGroup{Span{start, len(m.Indices) - start}, sphereOf(points)})
	}
	return m, groups
}

// guidePosition returns where a point of the racing line is drawn [m, world].
func guidePosition(g *frame.Guide) mgl64.Vec3 { return mgl64.Vec3{g.X, g.Y, g.Z + guideHeight} }

// addDash adds a flat dash from a to b in the color of a.
func addDash(m *Mesh, a, b *frame.Guide) {
	from, to := guidePosition(a), guidePosition(b)
	d := to.Sub(from)
	length := math.Hypot(d[0], d[1])
	if !(length > 1e-6) {
		return
	}
	side := mgl64.Vec3{-d[1], d[0], 0}.Mul(guideHalfWidth / length)
	p := guidePaints[min(a.Phase, frame.Braking)]
	m.quad(vec32(from.Sub(side)), vec32(to.Sub(side)), vec32(to.Add(side)), vec32(from.Add(side)), p)
}

// vec32 returns v in single precision.
func vec32(v mgl64.Vec3) mgl32.Vec3 { return mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])} }
