package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
)

// All around the lap a camera beside the road looks at the car, which is about as large in each picture; it stands off the road, on the
// outside of a bend, and above the ground.
func TestTracksideCamerasFollowTheCar(t *testing.T) {
	w, _ := Build(displaytest.Hill())
	places := map[mgl64.Vec3]bool{}
	for station := 0.0; station < 1000; station += 7 {
		f := displaytest.OvalFrame(station)
		f.Pos[2] += displaytest.HillHeight(f.Pos[1])
		car := CarPose(f, 0)
		e, ok := w.TracksideEye(car)
		if !ok || e.Target != car.pos {
			t.Fatalf("station %g: no camera looks at the car: %+v", station, e)
		}
		places[e.Pos] = true
		distance := e.Pos.Sub(car.pos).Len()
		high := 1.28 / (2 * math.Tan(e.FOV/2) * distance)
		if distance > 130 || high < 0.07 || high > 0.20 {
			t.Errorf("station %g: %.0f m away the car fills %.2f of the height", station, distance, high)
		}
		if z := displaytest.HillHeight(e.Pos[1]); e.Pos[2] < z+0.5 {
			t.Errorf("station %g: the camera is %.2f m above the ground", station, e.Pos[2]-z)
		}
	}
	for p := range places {
		// Inside of the oval's road is within 75 m of the line between the centers of its bends.
		x := max(math.Abs(p[0])-displaytest.OvalStraight/2, 0)
		if d := math.Hypot(x, p[1]); d > displaytest.OvalRadius-5 && d < displaytest.OvalRadius+5 || x > 0 && d < displaytest.OvalRadius {
			t.Errorf("a camera at %v, on the road or inside of a bend", p)
		}
	}
	if len(places) < 5 || len(places) > 12 {
		t.Errorf("%d cameras", len(places))
	}
	if _, ok := w.TracksideEye(Pose{pos: mgl64.Vec3{2000, 0, 0}, att: mgl64.QuatIdent()}); ok {
		t.Error("a camera far away shows the car")
	}
}

// The camera on the bonnet sees the road straight ahead, from the middle of the car above the bonnet.
func TestBonnetCamera(t *testing.T) {
	w, f := ovalWorld(t), displaytest.OvalFrame(0)
	e := w.BonnetEye(CarPose(f, 0), 0.9)
	off := e.Pos.Sub(mgl64.Vec3(f.Pos))
	if ahead := e.Target.Sub(e.Pos); math.Abs(ahead[1]) > 1e-9 || ahead[0] < 1 {
		t.Errorf("it looks along %v", ahead)
	}
	if off[0] < 0.3 || off[0] > 2 || math.Abs(off[1]) > 1e-9 || off[2] < 0.4 || off[2] > 0.7 {
		t.Errorf("it is at %v", off)
	}
}
