package drive

import (
	"math"
	"testing"

	"rig.example/rig/internal/core/frame"
)

// Each press of a key takes or gives a twentieth of the grip, between a dry road and
// half of it.
func TestKeysMakeItRain(t *testing.T) {
	var r rain
	for _, tt := range []struct {
		presses int
		key     uint64
		want    float64
	}{
		{1, frame.KeyDrier, 0}, {3, frame.KeyWetter, 0.15}, {1, frame.KeyDrier, 0.1}, {20, frame.KeyWetter, 0.5}, {9, frame.KeyDrier, 0.05},
	} {
		for range tt.presses {
			r.step(tt.key)
		}
		if got := r.gripLoss(); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%.2f of the grip is lost, want %.2f", got, tt.want)
		}
	}
}
