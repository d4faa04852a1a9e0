package road

import "math"

// Steepest returns the slope of a ground at its steepest, height over horizontal distance, or Inf if that is not known.
// Steps of some centimetres, where a profile ends, do not count.
func Steepest(g Ground) float64 {
	switch g := g.(type) {
	case Flat:
		return 0
	case *Circuit:
		return Steepest(g.Ground)
	case *GroundWithWalls:
		return Steepest(g.Ground)
	case *GroundWithLine:
		return Steepest(g.Ground)
	case *Pavement:
		steepest := 0.0
		for i := range g.contactSurfaces {
			steepest = max(steepest, g.contactSurfaces[i].steepest())
		}
		return Steepest(g.ground) + steepest
	case interface{ Steepest() float64 }:
		return g.Steepest()
	}
	return math.Inf(1)
}

// steepest returns the slope that the surface adds at its steepest.
func (k *contactSurface) steepest() float64 {
	const classA = 0.03 // seven times the standard deviation of the slope of a road of class A
	slope := k.roughness * classA
	if k.profile.Kind != "" {
		slope += k.profile.maxSlope()
	}
	return slope
}
