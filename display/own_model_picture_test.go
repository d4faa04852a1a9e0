//go:build cgo

package display

import (
	"image"
	"os"
	"strings"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/model"
	"rig.example/rig/display/model/modeltest"
)

// The user's body and cockpit are in the picture in place of the built-in ones, each alone and both, and nothing of them
// without files. The body is yellow, with a white roof and a red nose.
func TestPicturesOfAnOwnModel(t *testing.T) {
	_, r := testRenderer(t, 1280, 720)
	car, bonnet, wheel := image.Rect(560, 330, 720, 470), image.Rect(900, 500, 1100, 520), image.Rect(400, 490, 880, 560)
	walls := ownCar(t, false, true)
	double := strings.Replace(modeltest.Document, `"materials":[{`, `"materials":[{"doubleSided":true,`, 1)
	if err := os.WriteFile(walls.Cockpit, modeltest.GLB(double, modeltest.Buffer()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		c      model.Config
		camera string
		see    []region
	}{
		{"own-body", ownCar(t, true, false), Chase, []region{
			{"yellow body", car, isYellow, 0.3, 0.9}, {"no red body", car, isRed, 0, 0.03},
		}},
		{"own-built-in", model.DefaultConfig(), Chase, []region{{"no yellow body", car, isYellow, 0, 0.02}, {"red body", car, isRed, 0.15, 0.9}}},
		{"own-cockpit", ownCar(t, true, true), Cockpit, []region{
			{"steering wheel's mark", wheel, isYellow, 0.005, 0.2}, {"speed and gear", image.Rect(540, 615, 710, 670), isWhite, 0.1, 0.6},
			{"road in the inner mirror", image.Rect(950, 205, 1130, 225), isGray, 0.7, 1}, {"road in the left mirror", image.Rect(150, 480, 200, 505), isGray, 0.7, 1},
			{"road, no bonnet", bonnet, isGray, 0.9, 1}, {"red nose ahead", image.Rect(630, 450, 870, 495), isRed, 0.9, 1},
		}},
		{"own-walls", walls, Cockpit, []region{{"yellow walls around the driver", image.Rect(300, 440, 560, 480), isYellow, 0.9, 1}}},
	} {
		own, err := loadModel(tt.c)
		if err != nil {
			t.Fatal(err)
		}
		r.ownModel = own
		r.setScene(displaytest.Oval())
		img := barePicture(t, r, tt.name, testPicture(r, lapFrame(60), tt.camera))
		checkRegions(t, img, tt.see)
		if tt.name == "own-body" {
			golden(t, tt.name, img)
		}
	}
}
