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
