package scene

import (
	"strings"

	"rig.example/rig/internal/core/frame"
)

// Patterns of a ground's surface, in the order in which the ground shaders know them. The first two cost least; of the
// others, the shaders for ground with patterns draw all that is in sight.
const (
	patternAsphalt = iota
	patternGrass
	patternConcrete // slabs
	patternPaint
	patternKerb   // red and white stripes
	patternRumble // grooves
	patternCobbles
	patternGravel
	patternSand
	patternEarth
	patternSnow
	patternIce
)

// Wetness of a surface, as it is without rain.
const (
	dry  = iota
	damp // no film of water: dark, in patches
	wet  // a film of water, and puddles
)

// wetStep is the distance of two levels of wetness in tint.code. It is five times the number of patterns, so that wetness
// can be interpolated between different ones.
const wetStep = 64

// surfaceCode returns pattern and wetness of a surface as one number.
func surfaceCode(pattern, wetness int) float32 { return float32(pattern + wetStep*wetness) }

// patternsBySound holds the pattern for each rolling sound, one of road.Sounds.
var patternsBySound = map[string]int{
	"asphalt": patternAsphalt, "concrete": patternConcrete, "kerb": patternKerb, "cobbles": patternCobbles, "gravel": patternGravel,
	"sand": patternSand, "earth": patternEarth, "grass": patternGrass, "snow": patternSnow, "ice": patternIce,
}

// patternOf returns the pattern of a material. Without a sound, green ground is grass and all other asphalt.
func patternOf(m *frame.Material) int {
	pattern, known := patternsBySound[m.Sound]
	c := m.Colour
	switch {
	case !known && c[1] > 1.4*c[0] && c[1] > 1.4*c[2]:
		return patternGrass
	case strings.Contains(m.Name, "paint"):
		return patternPaint
	case pattern == patternKerb && c[0] < 1.5*c[1]: // not red: a strip of grooves
		return patternRumble
	}
	return pattern
}

// wetnessOf returns the wetness of a material.
func wetnessOf(m *frame.Material) int {
	switch {
	case m.Wet != 0 || m.Name == "wet" || strings.HasPrefix(m.Name, "wet-"):
		return wet
	case m.Name == "damp" || strings.HasPrefix(m.Name, "damp-"):
		return damp
	}
	return dry
}

// isSimple reports whether the shaders without patterns can draw the tint: dry asphalt or grass.
func (t tint) isSimple() bool { return t.code <= patternGrass }

// pattern returns the pattern of the tint.
func (t tint) pattern() int { return int(t.code) % wetStep }

// isGrass reports whether grass grows there, dry or wet.
func (t tint) isGrass() bool { return t.pattern() == patternGrass }

// wetness returns how wet a material is without rain: 0 dry, 0.5 damp, 1 wet.
func (t tint) wetness() float64 { return float64(int(t.code)/wetStep) / wet }
