package driver

import (
	"testing"

	"rig.example/rig/test/near"
)

func TestLaneChangePathIsSmooth(t *testing.T) {
	l := LaneChanges{
		X: [3]float64{6, 31, 55}, Y: [3]float64{0, 3, 1}, Slope: [3]float64{0, 0.1, 0},
		ChangeStart: [2]float64{10, 35}, ChangeEnd: [2]float64{26, 50},
	}
	for _, tt := range []struct{ x, y float64 }{{0, 0}, {10, 0}, {18, 0.85}, {26, 2.5}, {30, 2.9}, {35, 3.4}, {42.5, 2.575}, {60, 1}} {
		near.Value(t, "y", l.At(tt.x), tt.y, 1e-12)
	}
}
