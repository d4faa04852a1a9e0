package curve

import (
	"testing"

	"rig.example/rig/test/near"
)

// Value and slope belong together: a curve that is integrated from a line is a parabola, to the last
// piece, and both ways to build one give it.
func TestPiecesOfAParabolaAreThatParabola(t *testing.T) {
	value := func(x float64) float64 { return 3 + 2*x - 5*x*x }
	slope := func(x float64) float64 { return 2 - 10*x }
	g := NewTravelGrid(0.2)
	for name, pieces := range map[string][]Quadratic{
		"integrated": g.Integrate(slope, 0.07, value(0.07)),
		"through":    g.Interpolate(func(i int) float64 { return value(float64(i) * g.Step) }),
	} {
		for x := 0.0; x <= 0.2; x += 0.0031 {
			i, d := g.Find(x)
			v, s := pieces[i].At(d)
			near.Value(t, name+": value", v, value(x), 1e-12)
			near.Value(t, name+": slope", s, slope(x), 1e-10)
		}
	}
}
