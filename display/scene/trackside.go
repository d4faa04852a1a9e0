package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
)

// Cameras beside the road.
const (
	tracksideSpacing = 140.0 // along the road [m]
	tracksideOff     = 6.0   // beyond the kerb [m]
	tracksideHeight  = 2.2   // above the road's edge [m]
	tracksideReach   = 300.0 // up to which a camera shows a car [m]
)

// tracksidePlaces returns where cameras stand beside the road: on the outside of bends, in the world.
func tracksidePlaces(points []frame.Point) (places []mgl64.Vec3) {
	due := tracksideSpacing / 2
	for i := 1; i+1 < len(points); i++ {
		a, p, b := &points[i-1], &points[i], &points[i+1]
		along := mgl64.Vec2{b.X - a.X, b.Y - a.Y}
		if due -= math.Hypot(p.X-a.X, p.Y-a.Y); due > 0 || !(along.Len() > 1e-6) {
			continue
		}
		due = tracksideSpacing
		left := mgl64.Vec2{-along[1], along[0]}.Normalize()
		bend := (p.X-a.X)*(b.Y-p.Y) - (p.Y-a.Y)*(b.X-p.X) // positive to the left
		off, height := p.Left+p.KerbLeft+tracksideOff, p.Heights[frame.MiddleHeight-1]
		if bend > 0 {
			off, height = -(p.Right + p.KerbRight + tracksideOff), p.Heights[frame.MiddleHeight+1]
		}
		places = append(places, mgl64.Vec3{p.X + off*left[0], p.Y + off*left[1], height + tracksideHeight})
	}
	return places
}

// TracksideEye returns the view of the nearest camera beside the road, which turns with a car at p and zooms so that the car stays
// about as large. ok is false if none is near.
func (w *World) TracksideEye(p Pose) (e Eye, ok bool) {
	nearest := tracksideReach
	for _, at := range w.trackside {
		if d := at.Sub(p.pos).Len(); d < nearest {
			e.Pos, nearest = at, d
		}
	}
	if nearest == tracksideReach {
		return e, false
	}
	const seen = 7.5 // height of what fills the picture at the car [m]
	e.FOV = min(max(2*math.Atan(seen/2/nearest), 5*math.Pi/180), 50*math.Pi/180)
	e.Target, e.Up, e.Near = p.pos, mgl64.Vec3{0, 0, 1}, 0.5
	return w.AboveGround(e), true
}
