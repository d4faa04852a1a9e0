//go:build cgo

package display

import (
	"image"
	"os"
	"path/filepath"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/scene"
	"rig.example/rig/internal/core/frame"
)

// lapFrame returns a frame of a car on the oval, in its third lap.
func lapFrame(station float64) *frame.Frame {
	f := displaytest.OvalFrame(station)
	f.Steer, f.ABS, f.Traction, f.Stability = 0.2, 5, 3, 0
	f.Lap = frame.Lap{Number: 3, Count: 2, Time: 15.4, Last: 41.287, Best: 40.916, Delta: -0.23}
	return f
}

// barePicture returns what a camera sees, without the instruments over the picture. The mirrors are up to date.
func barePicture(t *testing.T, r *renderer, name string, p *picture) *image.RGBA {
	t.Helper()
	p.bare = true
	img, err := imageOf(r, p, 1280, 720)
	if err != nil {
		t.Fatal(err)
	}
	if folder := os.Getenv("DISPLAY_PICTURES"); folder != "" {
		if err := writePNG(filepath.Join(folder, name+".png"), img); err != nil {
			t.Fatal(err)
		}
	}
	return img
}

// ghostAt places a ghost in p at a station of the lower straight, moved to the left [m].
func ghostAt(p *picture, station, left float64) {
	g := displaytest.Ghost()
	for i := range g.Points {
		g.Points[i].Y += float32(left)
	}
	pose, distance := scene.GhostPose(&g, (station-displaytest.Oval().Start)/30)
	p.ghost, p.ghostDistance = &pose, distance
}

// innerMirror is a part of the inner mirror in the picture, whose middle is around x = 1047.
var innerMirror = image.Rect(895, 200, 1200, 245)

// Golden pictures, of which each was looked at, and what is in them.
func TestPicturesOfCameras(t *testing.T) {
	_, r := testRenderer(t, 1280, 720)
	r.setScene(displaytest.Oval())
	f := lapFrame(60)
	rain, left := lapFrame(60), lapFrame(60)
	rain.GripLoss, rain.Tick = 0.3, 300
	left.Flags |= frame.LookLeft
	for _, tt := range []struct {
		name   string
		frame  *frame.Frame
		camera string
		ghost  float64 // its station; 0: none
		see    []region
	}{
		{"cockpit-dry", f, Cockpit, 0, []region{
			{"road in the inner mirror", image.Rect(950, 205, 1130, 225), isGray, 0.7, 1},
			{"road in the left mirror", image.Rect(130, 480, 200, 505), isGray, 0.7, 1},
			{"no ghost", innerMirror, isPaleBlue, 0, 0.01},
			{"speed and gear", image.Rect(540, 615, 710, 670), isWhite, 0.1, 0.6},
			{"engine speed", image.Rect(545, 584, 660, 594), isBlue, 0.9, 1},
			{"lap times", image.Rect(1000, 545, 1110, 660), isWhite, 0.04, 0.5},
			{"faster", image.Rect(1000, 575, 1110, 600), isGreen, 0.04, 0.5},
			{"no wipers", image.Rect(480, 400, 600, 480), isDark, 0, 0.02},
		}},
		{"cockpit-ghost", f, Cockpit, 45, []region{{"ghost", innerMirror, isPaleBlue, 0.1, 0.6}}},
		{"cockpit-rain", rain, Cockpit, 0, []region{{"wiper", image.Rect(480, 400, 600, 480), isDark, 0.05, 0.5}}},
		{"cockpit-left", left, Cockpit, 0, []region{{"road in the left mirror", image.Rect(1005, 490, 1065, 512), isGray, 0.6, 1}}},
		{"bonnet", f, Bonnet, 0, []region{
			{"bonnet", image.Rect(300, 660, 980, 720), isRed, 0.95, 1}, {"road", image.Rect(300, 480, 980, 600), isGray, 0.9, 1},
		}},
		{"trackside", f, Trackside, 0, []region{{"car", image.Rect(440, 280, 820, 420), isRed, 0.2, 0.8}}},
	} {
		p := testPicture(r, tt.frame, tt.camera)
		p.eye = p.eye.Rotated(scene.LookAngle(tt.frame.Flags, true), scene.CarPose(tt.frame, 0))
		if tt.ghost > 0 {
			ghostAt(p, tt.ghost, 0)
		}
		r.forgetMirrors()
		img := barePicture(t, r, tt.name, p)
		checkRegions(t, img, tt.see)
		golden(t, tt.name, img)
	}
}

func isDark(r, g, b int) bool { return r < 35 && g < 35 && b < 40 }

// A ghost behind on the left is in the left half of the inner mirror.
func TestTheMirrorShowsLeftAndRight(t *testing.T) {
	_, r := testRenderer(t, 1280, 720)
	r.setScene(displaytest.Oval())
	for name, left := range map[string]float64{"left": 2.5, "right": -2.5} {
		p := testPicture(r, lapFrame(60), Cockpit)
		ghostAt(p, 35, left)
		r.forgetMirrors()
		share, x := shareOf(barePicture(t, r, "mirror-"+name, p), innerMirror, isPaleBlue)
		if share < 0.01 || (x < 1047) != (left > 0) {
			t.Errorf("a ghost on the %s: %.3f of the mirror pale blue, around x = %.0f, its middle is at 1047", name, share, x)
		}
	}
}

// The world is drawn for the mirrors in sight only: one in each picture in turn, at quality high all of them; for none in other cameras.
func TestMirrorsAreDrawnWhileTheyAreInSight(t *testing.T) {
	_, r := testRenderer(t, 1280, 720)
	r.setScene(displaytest.Oval())
	right, back := lapFrame(60), lapFrame(60)
	right.Flags |= frame.LookRight
	back.Flags |= frame.LookLeft | frame.LookRight
	for _, tt := range []struct {
		name, camera, quality string
		frame                 *frame.Frame
		drawn                 [4]int // mirrors drawn for the first pictures
	}{
		{"chase", Chase, Medium, lapFrame(60), [4]int{}}, {"bonnet", Bonnet, High, lapFrame(60), [4]int{}},
		{"cockpit", Cockpit, Medium, lapFrame(60), [4]int{2, 1, 1, 1}}, {"cockpit, low", Cockpit, Low, lapFrame(60), [4]int{2, 0, 1, 0}},
		{"cockpit, high", Cockpit, High, lapFrame(60), [4]int{2, 2, 2, 2}}, {"to the right", Cockpit, Medium, right, [4]int{2, 1, 1, 1}},
		{"back", Cockpit, High, back, [4]int{}},
	} {
		if err := r.setQuality(detailIndex(tt.quality, false)); err != nil {
			t.Fatal(err)
		}
		p := testPicture(r, tt.frame, tt.camera)
		p.eye = p.eye.Rotated(scene.LookAngle(tt.frame.Flags, true), scene.CarPose(tt.frame, 0))
		r.forgetMirrors()
		r.inside.picture = 1
		for i, want := range tt.drawn {
			r.draw(p, 1280, 720)
			got := 0
			for k := range r.inside.mirrors {
				if m := &r.inside.mirrors[k]; m.drawn > 0 && m.drawn == r.inside.picture {
					got++
				}
			}
			if got != want {
				t.Errorf("%s: picture %d drew %d mirrors, want %d", tt.name, i, got, want)
			}
		}
	}
}
