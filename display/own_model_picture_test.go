//go:build cgo

package display

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/model"
	"rig.example/rig/display/model/modeltest"
	"rig.example/rig/road/gltfmesh/gltfmeshtest"
	"rig.example/rig/test/x11"
)

// The user's body and cockpit are in the picture in place of the built-in ones, each alone and both, and nothing of them
// without files. The body is yellow, with a white roof and a red nose.
func TestPicturesOfAnOwnModel(t *testing.T) {
	_, r := testRenderer(t, 1280, 720)
	car, bonnet, wheel := image.Rect(560, 330, 720, 470), image.Rect(900, 500, 1100, 520), image.Rect(400, 490, 880, 560)
	walls := ownCar(t, false, true)
	double := strings.Replace(modeltest.Document, `"materials":[{`, `"materials":[{"doubleSided":true,`, 1)
	if err := os.WriteFile(walls.Cockpit, gltfmeshtest.GLB(double, modeltest.Buffer()), 0o600); err != nil {
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

// The window's process reads the file. If it cannot, it says so in one line and shows the built-in car.
func TestTheWindowShowsTheBuiltInCarForABrokenModel(t *testing.T) {
	x := x11.Start(t)
	car := image.Rect(560, 330, 720, 470)
	c := ownCar(t, true, false)
	for _, broken := range []bool{false, true} {
		want, said := region{"yellow body", car, isYellow, 0.3, 0.9}, ""
		if broken {
			if err := os.Truncate(c.Body, 100); err != nil {
				t.Fatal(err)
			}
			want, said = region{"red body", car, isRed, 0.15, 0.9}, "display: model.body: "+c.Body+": 100 bytes of "
		}
		shot := filepath.Join(t.TempDir(), "car.png")
		cmd := childCommand(t, x, childJob{files: testPage(t, lapFrame(60)).Files(), Camera: Chase, Screenshot: shot, Setup: Setup{Model: c}})
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, stderr.String())
		}
		if got := stderr.String(); (got != "") != broken || !strings.HasPrefix(got, said) || broken && !strings.HasSuffix(got, "; the built-in car is shown\n") {
			t.Errorf("it says %q, want %q", got, said)
		}
		checkRegions(t, readPicture(t, shot), []region{want})
	}
}

func readPicture(t *testing.T, path string) *image.RGBA {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return img.(*image.RGBA) // as a picture without transparency is read
}
