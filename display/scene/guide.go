package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
)

const (
	guideHalf  = 0.08  // width of the drawn line to either side [m]
	guideLift  = 0.03  // above the road [m]
	guideReach = 250.0 // how far it is drawn [m]
	guideRun   = 32    // dashes that are drawn or left out together
)

// guidePaints are the colours of paces.
var guidePaints = [...]paint{
	frame.Driving:  {mgl32.Vec3{0.08, 0.50, 0.14}, 0},
	frame.Coasting: {mgl32.Vec3{0.68, 0.56, 0.06}, 0},
	frame.Braking:  {mgl32.Vec3{0.66, 0.08, 0.05}, 0},
}

// dashes are a piece of the drawn line.
type dashes struct {
	Span
	centre mgl64.Vec3 // of a ball around it [m]
	radius float64    // [m]
}

// buildGuide returns the line to drive as dashes: every other gap between places is
// left out.
func buildGuide(guides []frame.Guide) (*Mesh, []dashes) {
	m := &Mesh{}
	var runs []dashes
	for first := 0; first+1 < len(guides); first += 2 * guideRun {
		start, last := len(m.Indices), min(first+2*guideRun, len(guides)-1)
		for i := first; i < last; i += 2 {
			addDash(m, &guides[i], &guides[i+1])
		}
		r := dashes{Span: Span{start, len(m.Indices) - start}, centre: guidePlace(&guides[(first+last)/2])}
		for i := first; i <= last; i++ {
			r.radius = max(r.radius, guidePlace(&guides[i]).Sub(r.centre).Len())
		}
		runs = append(runs, r)
	}
	return m, runs
}

func guidePlace(g *frame.Guide) mgl64.Vec3 { return mgl64.Vec3{g.X, g.Y, g.Z + guideLift} }

func addDash(m *Mesh, a, b *frame.Guide) {
	from, to := guidePlace(a), guidePlace(b)
	way := to.Sub(from)
	length := math.Hypot(way[0], way[1])
	if !(length > 1e-6) {
		return
	}
	side := mgl64.Vec3{-way[1], way[0], 0}.Mul(guideHalf / length)
	p := guidePaints[min(a.Pace, frame.Braking)]
	m.quad(slim(from.Sub(side)), slim(to.Sub(side)), slim(to.Add(side)), slim(from.Add(side)), p)
}

func slim(v mgl64.Vec3) mgl32.Vec3 { return mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])} }
