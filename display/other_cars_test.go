//go:build cgo

package display

import (
	"fmt"
	"image"
	"math"
	"testing"
	"time"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/hud"
	"rig.example/rig/display/scene"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/test/x11"
)

// inSession adds other cars to a picture, as the window does, and builds their meshes.
func inSession(r *renderer, p *picture, o *frame.Others) *picture {
	v := &session{newest: *o}
	v.newest.Clean()
	v.cars.Update(&v.newest, time.Duration(o.Due), scene.CarPose(p.frame, 0))
	p.others, p.status.Others = &v.cars, &v.newest
	p.status.Labels = v.label(p, 16.0/9)
	for range v.cars.Count {
		r.prepareOthers(p.others)
	}
	return p
}

func isOtherBlue(r, g, b int) bool { return b > 110 && b > r+50 && b > g+15 }

// Golden pictures of a session, of which each was looked at, and what is in them.
func TestPicturesOfASession(t *testing.T) {
	s := displaytest.Oval()
	_, r := testRenderer(t, 1280, 720)
	r.setScene(s)
	ahead, behind := displaytest.Session(s, 30, 12, 10, 3), displaytest.Session(s, 30, -14, -12, 2)
	ahead.Cars[0].Brake, ahead.Cars[1].Flash = 1, 1
	busy := displaytest.Session(s, 30, 10, 7, 15)
	busy.Session.Flag = frame.FlagYellow
	busy.Session.SetNotice("Oil in turn 1")
	for _, tt := range []struct {
		name, camera string
		others       *frame.Others
		page         hud.Page
		see          []region
	}{
		{"session-ahead", Chase, ahead, hud.DrivePage, []region{{"blue car", image.Rect(380, 250, 640, 420), isOtherBlue, 0.01, 0.5}}},
		{"session-cockpit", Cockpit, ahead, hud.DrivePage, []region{{"blue car", image.Rect(380, 250, 700, 460), isOtherBlue, 0.01, 0.5}}},
		{"session-mirror", Cockpit, behind, hud.DrivePage, []region{{"blue car", innerMirror, isOtherBlue, 0.01, 0.5}}},
		{"session-busy", Chase, busy, hud.MapPage, []region{{"yellow flag", image.Rect(300, 112, 900, 150), isYellow, 0.3, 1}}},
	} {
		r.forgetMirrors()
		img := pictureOf(t, r, tt.name, func() *picture {
			p := testPicture(r, lapFrame(30), tt.camera)
			p.status.Page = tt.page
			return inSession(r, p, tt.others)
		}())
		checkRegions(t, img, tt.see)
		golden(t, tt.name, img)
	}
}

// The window shows the other cars that a session's process leaves, and once that writes nothing more, none and that the session is lost.
func TestTheWindowShowsASession(t *testing.T) {
	x := x11.Start(t)
	p := testPage(t, lapFrame(30))
	o, err := framepage.NewOthers()
	if err != nil {
		t.Fatal(err)
	}
	p.ShareOthers(o)
	cars := displaytest.Session(displaytest.Oval(), 30, 12, 10, 3)
	for name, due := range map[string]int64{"session-window": math.MaxInt64, "session-lost": 1} {
		cars.Due = due
		o.Put(cars)
		img := shoot(t, x, name, childJob{files: p.Files(), Session: true})
		see := []region{
			{"blue car", image.Rect(480, 240, 640, 310), isOtherBlue, 0.1, 0.6}, {"no alarm", image.Rect(12, 114, 200, 154), isRed, 0, 0.02},
		}
		if due == 1 {
			see = []region{{"no car", image.Rect(480, 240, 640, 310), isOtherBlue, 0, 0.01}, {"session lost", image.Rect(12, 114, 200, 154), isRed, 0.4, 1}}
		}
		checkRegions(t, img, see)
	}
}

// A car that fades is seen through, and one that is not seen any more is not drawn.
func TestOtherCarsFade(t *testing.T) {
	s := displaytest.Oval()
	_, r := testRenderer(t, 1280, 720)
	r.setScene(s)
	o := displaytest.Session(s, 30, 12, 10, 1)
	area, last := image.Rect(520, 250, 610, 310), 2.0
	for _, opacity := range []float64{1, 0.5, 0.1} {
		o.Cars[0].Opacity = opacity
		p := inSession(r, testPicture(r, lapFrame(30), Chase), o)
		p.bare = true
		blue := 0.0
		img := pictureOf(t, r, fmt.Sprintf("session-fade-%g", opacity), p)
		for y := area.Min.Y; y < area.Max.Y; y++ {
			for x := area.Min.X; x < area.Max.X; x++ {
				c := img.RGBAAt(x, y)
				blue += (float64(c.B) - float64(c.R)) / 255 / float64(area.Dx()*area.Dy())
			}
		}
		if !(blue < last-0.05) {
			t.Errorf("opacity %g: %.3f blue, before %.3f", opacity, blue, last)
		}
		last = blue
	}
}

// A car that comes into a slot, or becomes another one, gets its mesh, and the one before leaves graphics memory.
func TestMeshesOfOtherCarsAreReplaced(t *testing.T) {
	s := displaytest.Oval()
	_, r := testRenderer(t, 320, 240)
	r.setScene(s)
	o := displaytest.Session(s, 30, 12, 10, 3)
	p := inSession(r, testPicture(r, lapFrame(30), Chase), o)
	for range 10 { // until all timers are in use
		r.draw(p, 320, 240)
	}
	before := liveObjects()
	for i := range 5 {
		o.Cars[1].Length = 3 + 0.3*float64(i)
		r.draw(inSession(r, p, o), 320, 240)
		if got := r.others[1].look.Length; got != o.Cars[1].Length {
			t.Errorf("the mesh is %g m long, the car %g m", got, o.Cars[1].Length)
		}
	}
	if now := liveObjects(); now != before {
		t.Errorf("%d objects in graphics memory, %d before", now, before)
	}
}

// What the window does for a session in each picture allocates nothing: it places the nearest cars' labels in its part of the window.
func TestLabelsOfOtherCars(t *testing.T) {
	s := displaytest.Oval()
	_, r := testRenderer(t, 320, 240)
	r.setScene(s)
	v := &session{newest: *displaytest.Session(s, 30, 10, 12, 30)}
	p := testPicture(r, lapFrame(30), Chase)
	update := func() []hud.Label {
		v.cars.Update(&v.newest, 0, scene.CarPose(p.frame, 0))
		return v.label(p, 16.0/9)
	}
	labels := update()
	if len(labels) != hud.MaxLabels {
		t.Fatalf("%d labels", len(labels))
	}
	for i, l := range labels {
		if l.Car.Slot != uint64(i) || l.X < 0.2 || l.X > 0.8 || l.Y < 0.2 || l.Y > 0.6 {
			t.Errorf("label %d of slot %d is at %.2f, %.2f", i, l.Car.Slot, l.X, l.Y)
		}
	}
	if n := testing.AllocsPerRun(10, func() { update() }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
