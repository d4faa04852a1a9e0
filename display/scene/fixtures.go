package scene

import (
	"github.com/go-gl/mathgl/mgl32"

	"rig.example/rig/internal/core/frame"
)

var (
	conePaint     = paint{mgl32.Vec3{0.95, 0.38, 0.06}, 0.1}
	coneBandPaint = paint{mgl32.Vec3{0.93, 0.93, 0.92}, 0.1}
	wallPaint     = paint{mgl32.Vec3{0.66, 0.66, 0.64}, 0.05}
)

// buildFixtures returns the traffic cones and walls of s.
func buildFixtures(s *frame.Scene) *Mesh {
	m := &Mesh{}
	for _, c := range s.Cones {
		foot := mgl32.Vec3{float32(c.X), float32(c.Y), float32(c.Z)}
		m.box(foot.Add(mgl32.Vec3{0, 0, 0.015}), mgl32.Vec3{0.18, 0.18, 0.015}, conePaint)
		addCone(m, foot, 0.14, 0.5, 6, conePaint)
		addCone(m, foot.Add(mgl32.Vec3{0, 0, 0.2}), 0.1, 0.18, 6, coneBandPaint)
	}
	for i := range s.Walls {
		addWall(m, &s.Walls[i])
	}
	return m
}

// addWall adds the sides and the top of a wall. The sides start 2 m below its foot, so that no gap shows on
// uneven ground.
func addWall(m *Mesh, w *frame.Wall) {
	const depth = 2.0 // depth of the sides below the foot [m]
	at := func(k int, z float64) mgl32.Vec3 {
		return mgl32.Vec3{float32(w.Corners[k][0]), float32(w.Corners[k][1]), float32(z)}
	}
	for k := range w.Corners {
		next := (k + 1) % len(w.Corners)
		m.quad(at(k, w.Foot-depth), at(next, w.Foot-depth), at(next, w.Top), at(k, w.Top), wallPaint)
	}
	m.quad(at(0, w.Top), at(1, w.Top), at(2, w.Top), at(3, w.Top), wallPaint)
}
