package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

// tint is the look of a ground's material.
type tint struct {
	r, g, b float32 // sRGB, 0..1
	lush    float32 // 1: it grows, 0: it is bare
}

// meadow is what grows where no material is known.
var meadow = tint{0.30, 0.44, 0.17, 1}

// tints returns the looks of a scene's materials.
func tints(s *frame.Scene) []tint {
	out := make([]tint, len(s.Materials))
	for i, m := range s.Materials {
		c := m.Colour
		out[i] = tint{screen(c[0]), screen(c[1]), screen(c[2]), 0}
		if c[1] > 1.4*c[0] && c[1] > 1.4*c[2] { // green
			out[i].lush = 1
		}
	}
	return out
}

// screen turns linear light into what a screen is told, for a screen's exponent of 2.2.
func screen(linear float64) float32 { return float32(math.Pow(valid.Clamp(linear, 0, 1), 1/2.2)) }

// tintOf returns the look of a material, meadow beyond the list.
func tintOf(list []tint, material uint8) tint {
	if int(material) < len(list) {
		return list[material]
	}
	return meadow
}

// paintTable returns the looks of a road's materials as a picture: one row a point, from
// left to right, red, green, blue and lush of each place.
func paintTable(s *frame.Scene) []uint8 {
	list := tints(s)
	out := make([]uint8, 0, 4*frame.Paints*len(s.Points))
	for i := range s.Points {
		for _, material := range s.Points[i].Paint {
			t := tintOf(list, material)
			for _, v := range [4]float32{t.r, t.g, t.b, t.lush} {
				out = append(out, uint8(255*valid.Clamp(float64(v), 0, 1)))
			}
		}
	}
	return out
}

// toSun is where the sun stands, as the shaders have it.
var toSun = mgl64.Vec3{0.42, 0.36, 0.83}

// sunlight returns how light ground is whose upward normal is along n: 1 if it is level.
// Slopes of a few percent are to be seen, so it overdoes them.
func sunlight(normal mgl64.Vec3) float32 {
	const overdo = 1.7
	length := normal.Len()
	if !(length > 1e-12) {
		return 1
	}
	return float32(valid.Clamp(1+overdo*(normal.Dot(toSun)/length-toSun[2]), 0.5, 1.3))
}
