package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// tint is the appearance of a ground material.
type tint struct {
	r, g, b float32 // sRGB, 0..1
	code    float32 // pattern and wetness, of surfaceCode
}

// meadow is the tint where no material is known.
var meadow = tint{0.30, 0.44, 0.17, patternGrass}

// tints returns the tint of each material of a scene.
func tints(s *frame.Scene) []tint {
	out := make([]tint, len(s.Materials))
	for i := range s.Materials {
		m := &s.Materials[i]
		c := m.Colour
		out[i] = tint{encodeSRGB(c[0]), encodeSRGB(c[1]), encodeSRGB(c[2]), surfaceCode(patternOf(m), wetnessOf(m))}
	}
	return out
}

// encodeSRGB converts linear light, 0..1, to a screen value by a gamma of 2.2.
func encodeSRGB(linear float64) float32 { return float32(math.Pow(valid.Clamp(linear, 0, 1), 1/2.2)) }

// tintOf returns the tint of a material, or meadow if tints does not have it.
func tintOf(tints []tint, material uint8) tint {
	if int(material) < len(tints) {
		return tints[material]
	}
	return meadow
}

// paintTable returns the tints of the road as a texture: one row for each point, from left to right,
// with red, green, blue and code of each of the point's materials.
func paintTable(s *frame.Scene) []uint8 {
	materialTints := tints(s)
	out := make([]uint8, 0, 4*frame.MaterialsAcross*len(s.Points))
	for i := range s.Points {
		for _, material := range s.Points[i].Materials {
			t := tintOf(materialTints, material)
			for _, v := range [3]float32{t.r, t.g, t.b} {
				out = append(out, uint8(255*valid.Clamp(float64(v), 0, 1)))
			}
			out = append(out, uint8(t.code))
		}
	}
	return out
}

// toSun is the direction to the sun by day. The brightness of slopes keeps to it at all times.
var toSun = LightAt(Day).ToSun

// sunlight returns the brightness of ground with this upward normal of any length: 1 if it is level. It
// exaggerates slopes, so that a few percent are visible.
func sunlight(normal mgl64.Vec3) float32 {
	const slopeGain = 1.7
	length := normal.Len()
	if !(length > 1e-12) {
		return 1
	}
	return float32(valid.Clamp(1+slopeGain*(normal.Dot(toSun)/length-toSun[2]), 0.5, 1.3))
}
