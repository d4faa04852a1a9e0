package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
)

// Wipers rest while it is dry. In rain they sweep from their rest over the windscreen and back, faster in much rain, and their tips
// stay on the glass.
func TestWipers(t *testing.T) {
	if a := WiperAngle(0, 12.3); a != 0 {
		t.Errorf("dry: at %g", a)
	}
	for loss, period := range map[float64]float64{0.1: slowWipe, 0.4: fastWipe} {
		if rest, half, again := WiperAngle(loss, 0), WiperAngle(loss, period/2), WiperAngle(loss, 7*period); rest != 0 || math.Abs(half-wiperSweep) > 1e-9 || again > 1e-9 {
			t.Errorf("loss %g: at %g, %g and %g after none, half and seven strokes", loss, rest, half, again)
		}
	}
	s := displaytest.Oval()
	w := ovalWorld(t)
	tip := mgl64.Vec4{wiperLength * s.Width, 0, 0, 1}
	rest, up := w.WiperMatrix(0, 0).Mul4x1(tip), w.WiperMatrix(0, math.Pi/2).Mul4x1(tip)
	foot := w.windscreen.feet[0]
	if rest[1] > foot[1]-0.5 || math.Abs(rest[2]-foot[2]) > 1e-9 {
		t.Errorf("at rest the tip is at %v, want to the right of %v", rest, foot)
	}
	if up[2] < foot[2]+0.15 || up[0] > foot[0] {
		t.Errorf("half way the tip is at %v, want up along the glass from %v", up, foot)
	}
}

// The instruments stand before the driver, upright, right way round and below the view of the road.
func TestPanelsFaceTheDriver(t *testing.T) {
	w := ovalWorld(t)
	for i := range 2 {
		m := w.PanelMatrix(i)
		corner := func(x, y float64) mgl64.Vec3 { return m.Mul4x1(mgl64.Vec4{x, y, 0, 1}).Vec3().Sub(vec64(w.seat.eye)) }
		left, right, low := corner(0, 0), corner(1, 0), corner(0, 1)
		if left[1] <= right[1] || left[2] <= low[2] || left[0] < 0.5 || left[0] > 1 {
			t.Errorf("panel %d: corners at %v, %v, %v from the eye", i, left, right, low)
		}
		if top, bottom := math.Atan2(-left[2], left[0]), math.Atan2(-low[2], low[0]); top < 0.2 || bottom > 25.5*math.Pi/180 {
			t.Errorf("panel %d: from %.2f to %.2f rad below the horizon", i, top, bottom)
		}
	}
}

// The dashboard is in sight of a picture of 50°, and not on a low one, nor looking aside.
func TestDashboardInSight(t *testing.T) {
	w, car := ovalWorld(t), CarPose(displaytest.OvalFrame(100), 0)
	for _, tt := range []struct {
		fov, look, aspect float64
		want              bool
	}{{50, 0, 16.0 / 9, true}, {50, 0, 4.0 / 3, true}, {30, 0, 16.0 / 9, false}, {50, math.Pi / 3, 16.0 / 9, false}, {50, math.Pi, 16.0 / 9, false}} {
		e := w.CockpitEye(car, [3]float64{}, tt.fov*math.Pi/180).Rotated(tt.look, car)
		if got := w.DashboardInSight(car, matrix(e, tt.aspect)); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
