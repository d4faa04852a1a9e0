package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/screens"
)

func ovalWorld(t *testing.T) *World {
	t.Helper()
	w, _ := Build(displaytest.Oval())
	return w
}

// The driver sees a point behind the car where the line of sight and the ray from there have equal angles with the mirror.
func TestAMirrorReflects(t *testing.T) {
	w, car := ovalWorld(t), CarPose(displaytest.OvalFrame(0), 0)
	e := w.CockpitEye(car, [3]float64{0.05, 0, 0.02}, 0.9)
	m := &w.mirrors[InnerMirror]
	behind, lens, ok := w.MirrorView(InnerMirror, e, car)
	if !ok {
		t.Fatal("the driver does not see the inner mirror")
	}
	for _, at := range []mgl64.Vec3{{-30, 0, 0.5}, {-20, 2, 0}, {-60, -5, 1}} {
		x, y := placeThrough(&behind, &lens, car.world(at))
		q := m.at(1-2*x, 2*y-1)
		in, out := at.Sub(q).Normalize(), car.body(e.Pos).Sub(q).Normalize()
		want := m.normal.Mul(2 * in.Dot(m.normal)).Sub(in)
		if out.Sub(want).Len() > 1e-9 {
			t.Errorf("%v is seen at %.3f, %.3f of the mirror along %v, a mirror reflects it along %v", at, x, y, out, want)
		}
		if x < 0 || x > 1 || y < 0 || y > 1 {
			t.Errorf("%v is seen at %.3f, %.3f, want it in the mirror", at, x, y)
		}
	}
}

// placeThrough returns where an eye sees a point of the world: shares of the picture from its lower left corner.
func placeThrough(e *Eye, l *screens.Lens, at mgl64.Vec3) (x, y float64) {
	p := e.Through(l).Mul4x1(at.Vec4(1))
	return (p[0]/p[3] + 1) / 2, (p[1]/p[3] + 1) / 2
}

// What is behind on the left is on the left of each mirror, which is at the right of its picture.
func TestMirrorsKeepLeftAndRight(t *testing.T) {
	w, car := ovalWorld(t), CarPose(displaytest.OvalFrame(0), 0)
	e := w.CockpitEye(car, [3]float64{}, 0.9)
	for i := range MirrorCount {
		behind, lens, ok := w.MirrorView(i, e, car)
		if !ok {
			t.Fatalf("mirror %d shows its back", i)
		}
		left, _ := placeThrough(&behind, &lens, car.world(mgl64.Vec3{-30, 3, 0}))
		right, _ := placeThrough(&behind, &lens, car.world(mgl64.Vec3{-30, -3, 0}))
		if left <= right {
			t.Errorf("mirror %d: on the left at %.2f, on the right at %.2f", i, left, right)
		}
	}
}

// A bent mirror shows a wider part of the road than a flat one, and each one shows the road behind in its middle.
func TestOuterMirrorsAreWide(t *testing.T) {
	w, car := ovalWorld(t), CarPose(displaytest.OvalFrame(0), 0)
	e := w.CockpitEye(car, [3]float64{}, 0.9)
	for i, low := range [MirrorCount]float64{InnerMirror: 17, LeftMirror: 18, RightMirror: 14} {
		_, lens, _ := w.MirrorView(i, e, car)
		if across := (math.Atan(lens.East) - math.Atan(lens.West)) * 180 / math.Pi; across < low || across > low+14 {
			t.Errorf("mirror %d shows %.1f°, want %g° to %g°", i, across, low, low+14)
		}
	}
}

func TestMirrorsInSight(t *testing.T) {
	w, car := ovalWorld(t), CarPose(displaytest.OvalFrame(0), 0)
	ahead := w.CockpitEye(car, [3]float64{}, 50*math.Pi/180)
	for _, tt := range []struct {
		name  string
		angle float64
		want  [MirrorCount]bool
	}{
		{"ahead", 0, [MirrorCount]bool{true, true, false}},
		{"left", math.Pi / 3, [MirrorCount]bool{false, true, false}},
		{"right", -math.Pi / 3, [MirrorCount]bool{true, false, true}},
		{"back", math.Pi, [MirrorCount]bool{}},
	} {
		frustum := NewFrustum(matrix(ahead.Rotated(tt.angle, car), 16.0/9))
		for i, want := range tt.want {
			if got := w.MirrorInSight(i, car, frustum); got != want {
				t.Errorf("looking %s: mirror %d in sight: %v", tt.name, i, got)
			}
		}
	}
	if _, _, ok := w.MirrorView(InnerMirror, w.BonnetEye(car, 0.9), car); ok {
		t.Error("the camera on the bonnet sees the inner mirror from behind")
	}
}

// Each point of a mirror's face is where the picture has the ray through it.
func TestFacesOfMirrorsHoldTheirPictures(t *testing.T) {
	w, car := ovalWorld(t), CarPose(displaytest.OvalFrame(0), 0)
	e := w.CockpitEye(car, [3]float64{}, 0.9)
	mesh := buildMirrorFaces(&w.mirrors)
	for i, span := range mesh.Spans {
		behind, lens, _ := w.MirrorView(i, e, car)
		for _, k := range mesh.Indices[span.First : span.First+span.Count] {
			v := &mesh.Vertices[k]
			x, y := placeThrough(&behind, &lens, car.world(vec64(v.pos)))
			if math.Hypot(x-float64(v.place[0]), y-float64(v.place[1])) > 1e-4 {
				t.Fatalf("mirror %d: a corner shows %.3f of the picture, want %.3f, %.3f", i, v.place, x, y)
			}
		}
	}
}
