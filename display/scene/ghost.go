package scene

import (
	"math"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
)

// GhostPose returns where the car of a recorded lap was at a time of the lap [s], and how far it had driven then [m]. It
// waits at the ends of the lap. g must have points.
func GhostPose(g *frame.Ghost, lapTime float64) (p Pose, distance float64) {
	at := 0.0
	if lapTime > 0 && g.Step > 0 {
		at = min(lapTime/g.Step, float64(len(g.Points)-1))
	}
	i := min(int(at), max(len(g.Points)-2, 0))
	a, b := &g.Points[i], &g.Points[min(i+1, len(g.Points)-1)]
	share := at - float64(i)
	mix := func(a, b float32) float64 { return float64(a) + (float64(b)-float64(a))*share }
	turn := func(a, b float32) float64 { return float64(a) + wrapAngle(float64(b)-float64(a))*share }
	att := mgl64.QuatRotate(turn(a.Yaw, b.Yaw), mgl64.Vec3{0, 0, 1}).
		Mul(mgl64.QuatRotate(mix(a.Pitch, b.Pitch), mgl64.Vec3{0, 1, 0})).
		Mul(mgl64.QuatRotate(turn(a.Roll, b.Roll), mgl64.Vec3{1, 0, 0}))
	return Pose{mgl64.Vec3{mix(a.X, b.X), mix(a.Y, b.Y), mix(a.Z, b.Z)}, att}, mix(a.Distance, b.Distance)
}

// GhostGap returns by how much a car is behind a ghost [s]: its lap time less that of the ghost at the same place. It is
// NaN before the start line and where the ghost has not been.
func (w *World) GhostGap(f *frame.Frame, s *frame.Scene) float64 {
	g := &s.Ghost
	if f.Lap.Number == 0 || len(g.Points) == 0 {
		return math.NaN()
	}
	distance := f.Station - s.Start
	if s.Closed {
		distance = math.Mod(distance+w.Lap, w.Lap)
	}
	i := sort.Search(len(g.Points), func(i int) bool { return float64(g.Points[i].Distance) > distance })
	if i == 0 || i == len(g.Points) {
		return math.NaN()
	}
	from, to := float64(g.Points[i-1].Distance), float64(g.Points[i].Distance)
	return f.Lap.Time - g.Step*(float64(i-1)+(distance-from)/(to-from))
}

// GhostFrame returns a frame of the ghost's car for WheelMatrix: that of the driver's, with wheels that roll straight on.
func GhostFrame(f *frame.Frame, distance, radius float64) *frame.Frame {
	g := &frame.Frame{Pos: f.Pos, Att: f.Att, Wheels: f.Wheels}
	for i := range g.Wheels {
		g.Wheels[i].Steer, g.Wheels[i].Rotation = 0, distance/max(radius, 0.1)
	}
	return g
}

// GhostOpacity returns how opaque the ghost is: half, or less where it would hide the view of an eye, or is in the same
// place as the driver's car.
func GhostOpacity(ghost, car Pose, e Eye) float64 {
	const opacity, nearEye, nearCar, fadeRange = 0.6, 2, 0.3, 3 // the last three in [m]
	clear := min(ghost.pos.Sub(e.Pos).Len()-nearEye, ghost.pos.Sub(car.pos).Len()-nearCar)
	return opacity * min(max(clear, 0)/fadeRange, 1)
}
