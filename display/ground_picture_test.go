//go:build cgo

package display

import (
	"image"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/x11"
)

// onHill returns a car at station s of the hill.
func onHill(s float64) *frame.Frame {
	f := displaytest.OvalFrame(s)
	up := displaytest.HillHeight(f.Pos[1])
	f.Pos[2] += up
	for i := range f.Wheels {
		w := &f.Wheels[i]
		w.Pos[2] += displaytest.HillHeight(w.Pos[1])
	}
	return f
}

func isOrange(r, g, b int) bool { return r > 140 && g > 30 && g < r*2/3 && b < g }

// hillShot shows the hill with a car at station s.
func hillShot(t *testing.T, x, name, camera string, s *frame.Scene, f *frame.Frame) *image.RGBA {
	t.Helper()
	page := scenePage(t, s, f)
	return shoot(t, x, name, childJob{files: page.Files(), Camera: camera})
}

// The hill rises to the left: the ground hides the sky there and falls away on the right.
// Its start line is 15 m ahead of the car's first place; the line to drive is drawn from there.
func TestPictureOfAHill(t *testing.T) {
	x := x11.Start(t)
	img := hillShot(t, x, "hill", Chase, displaytest.Hill(), onHill(5))
	checkRegions(t, img, []region{
		{"grass that rises on the left", image.Rect(0, 180, 11, 230), isGreen, 0.6, 1},
		{"nothing as high on the right", image.Rect(1220, 180, 1280, 230), isGreen, 0, 0.2},
		{"road", image.Rect(300, 460, 420, 540), isGray, 0.85, 1},
		{"grass beside it", image.Rect(0, 290, 60, 380), isGreen, 0.85, 1},
		{"red car", image.Rect(520, 320, 760, 500), isRed, 0.2, 0.9},
		{"start line", image.Rect(480, 270, 800, 310), isWhite, 0.02, 0.6},
		{"cones on the left", image.Rect(300, 200, 640, 300), isOrange, 0.0002, 0.1},
	})
}

func TestPictureOfAWetPart(t *testing.T) {
	x := x11.Start(t)
	wet := hillShot(t, x, "wet", Chase, displaytest.Hill(), onHill(190))
	dry := hillShot(t, x, "dry", Chase, displaytest.Hill(), onHill(120))
	ahead := image.Rect(450, 520, 500, 570)
	if in, out := mean(wet, ahead), mean(dry, ahead); in > 0.8*out {
		t.Errorf("the wet road's mean is %.0f of 255, the dry one's %.0f: want it darker by a fifth", in, out)
	}
}

// Ground without a line: the field alone, the car on it, and nothing else.
func TestPictureOfOpenGround(t *testing.T) {
	s := displaytest.Hill()
	s.Points, s.Guides = nil, nil
	for k := range s.Field.Materials {
		s.Field.Materials[k] = displaytest.Tarmac
	}
	img := hillShot(t, x11.Start(t), "open", Cockpit, s, onHill(5))
	checkRegions(t, img, []region{
		{"tarmac", image.Rect(500, 410, 800, 480), isGray, 0.85, 1},
		{"bonnet", image.Rect(760, 494, 1000, 506), isRed, 0.8, 1},
	})
}

// mean returns the mean green of an area.
func mean(img *image.RGBA, area image.Rectangle) float64 {
	sum := 0.0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			sum += float64(img.RGBAAt(x, y).G)
		}
	}
	return sum / float64(area.Dx()*area.Dy())
}
