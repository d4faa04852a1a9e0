package driver

import (
	"math"
	"testing"
)

func TestReversalsAreCountedOnStraights(t *testing.T) {
	const dt = 1e-3
	tests := []struct {
		name      string
		amplitude float64 // [°]
		curvature func(time float64) float64
		want      int
	}{
		{"a straight", 0.6, func(float64) float64 { return 0 }, 10},
		{"a bend", 0.6, func(float64) float64 { return 0.002 }, 0},
		{"less than 1°", 0.49, func(float64) float64 { return 0 }, 0},
		{"straights of 3 s, of which 2 s count", 0.6, func(time float64) float64 {
			if math.Mod(time, 4) < 1 {
				return -0.002
			}
			return 0.0005
		}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c Reversals
			for k := range 20_000 {
				time := dt * float64(k)
				c.Add(dt, tt.amplitude*degree*math.Sin(2*math.Pi*0.95*time), time, tt.curvature(time))
			}
			if c.Most != tt.want {
				t.Errorf("%d reversals in 5 s, want %d", c.Most, tt.want)
			}
		})
	}
}
