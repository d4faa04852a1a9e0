package survey

import (
	"rig.example/rig/road"
)

// Maps show water as blue hatching on a dark blue, because wet asphalt has nearly the color of dry asphalt. They are linear.
var (
	waterColour = [3]float64{0.02, 0.10, 0.32}
	dampColour  = [3]float64{0.03, 0.06, 0.14}
	hatchColour = [3]float64{0.16, 0.45, 0.85}
)

// Hatching: a line of hatchWidth pixels, repeated every hatchPitch pixels to the east and to the north.
const hatchPitch, hatchWidth = 6, 2

// mapColour returns the linear color of a surface on a map at pixel i, j: on wet and damp ones it is hatched.
func mapColour(s *road.Surface, i, j int) [3]float64 {
	isDamp := s.Name == "damp"
	if !s.Wet && !isDamp {
		return s.Colour
	}
	base := waterColour
	if isDamp {
		base = dampColour
	}
	var out [3]float64
	for k := range out {
		out[k] = 0.3*s.Colour[k] + 0.7*base[k] // wet grass and wet asphalt differ
	}
	if hatched := (i+j)%hatchPitch < hatchWidth; hatched && s.Wet {
		return hatchColour
	}
	return out
}

// mapColour returns the linear color of a material at pixel i, j.
func (v *aerial) mapColour(material uint8, i, j int) [3]float64 {
	if int(material) < len(v.site.Surfaces) {
		return mapColour(&v.site.Surfaces[material], i, j)
	}
	return road.Surface{}.Colour
}
