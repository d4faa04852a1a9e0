package displaytest

import (
	"math"

	"rig.example/rig/internal/core/frame"
)

// Ghost returns a lap of the oval at 30 m/s from its start line on, with a point every tenth of a second.
func Ghost() frame.Ghost {
	g := frame.Ghost{Step: 0.1}
	scene := Oval()
	for distance := 0.0; distance < 2*(OvalStraight+math.Pi*OvalRadius); distance += 3 {
		x, y, heading := ovalAt(scene.Start + distance)
		g.Points = append(g.Points, frame.GhostPoint{X: float32(x), Y: float32(y), Z: float32(scene.CGHeight),
			Yaw: float32(math.Remainder(heading, 2*math.Pi)), Distance: float32(distance)})
	}
	return g
}
