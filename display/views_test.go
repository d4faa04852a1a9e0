//go:build cgo

package display

import (
	"math"
	"testing"

	"rig.example/rig/internal/frame"
)

// The head is where the platform is measured to be; where it is not measured, where the platform was sent a while ago.
func TestTheHeadFollowsThePlatform(t *testing.T) {
	nan := math.NaN()
	unmeasured := frame.Pose{nan, nan, nan, nan, nan, nan, nan, nan}
	const delay, slope = 0.05, 0.2 // [s], [rad/s]
	var path platformPath
	var f frame.Frame
	f.Motion.Measured = unmeasured
	for i := range 400 {
		now := float64(i) / 144
		f.Pose[frame.Roll] = slope * now
		h := path.head(&f, now, delay, [3]float64{0, 0, 1})
		if want := math.Sin(slope * (now - delay)); i > 20 && math.Abs(h.Turn[1][2]-want) > 1e-6 {
			t.Fatalf("at %.3f s the head leans by %g, want %g", now, h.Turn[1][2], want)
		}
	}
	f.Motion.Measured[frame.Roll] = 0.1
	if h := path.head(&f, 3, delay, [3]float64{0, 0, 1}); math.Abs(h.Turn[1][2]-math.Sin(0.1)) > 1e-9 {
		t.Errorf("measured: the head leans by %g", h.Turn[1][2])
	}
	if h := new(platformPath).head(&f, 3, 0, [3]float64{}); math.Abs(h.Turn[1][2]-math.Sin(0.1)) > 1e-9 {
		t.Errorf("the first picture: %g", h.Turn[1][2])
	}
}
