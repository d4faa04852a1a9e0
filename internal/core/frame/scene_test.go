package frame

import (
	"math"
	"testing"
)

func TestPlacesAcrossAPoint(t *testing.T) {
	p := Point{Left: 5, Right: 6, KerbLeft: 1, VergeLeft: 11, VergeRight: 12}
	want := [HeightsAcross]float64{16, 11, 6, 5.5, 5, 0, -6, -6, -6, -12, -18}
	if got := p.HeightOffsets(); got != want {
		t.Errorf("stops at %v, want %v", got, want)
	}
	for k, want := range map[int]float64{0: 15.725, 19: 5.275, 20: 5 - 11.0/48, 43: -6 + 11.0/48, 44: -6.3, 63: -17.7} {
		if got := p.MaterialOffset(k); math.Abs(got-want) > 1e-9 {
			t.Errorf("paint %d at %g m, want %g m", k, got, want)
		}
	}
}
