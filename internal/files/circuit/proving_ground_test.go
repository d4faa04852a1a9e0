package circuit

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

func TestProvingGroundRises(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	c, _ := load(t, "proving-ground", Options{})
	for _, tt := range []struct {
		what        string
		at, left, z float64
	}{
		{"hump", 101.85, 11, 0.1}, {"hole", 200.6, 11, -0.06}, {"right bump", 250.5, 9.5, 0.04}, {"beside it", 250.5, 12.5, 0},
		{"hill of 10 %", 445, 13, 2.5}, {"hill of 20 %", 435, 29, 3.5}, {"the lane", 435, 0, 0},
	} {
		p := beside(c, tt.at, tt.left)
		z, _ := HeightBelow(c.Ground, p.X, p.Y, 10)
		near.Value(t, tt.what, z, tt.z, 0.012) // roughness is on it
	}
	slope := func(left float64) float64 {
		a, b := beside(c, 410, left), beside(c, 413, left)
		za, _ := HeightBelow(c.Ground, a.X, a.Y, 10)
		zb, _ := HeightBelow(c.Ground, b.X, b.Y, 10)
		return (zb - za) / 3
	}
	near.Value(t, "slope of the first hill", slope(13), 0.1, 0.006)
	near.Value(t, "slope of the second hill", slope(29), 0.2, 0.006)
}

// beside returns a place so far along a circuit and to the left of its line.
func beside(c *road.Circuit, at, left float64) r3.Vec {
	p := c.At(at)
	return p.Offset(left)
}
