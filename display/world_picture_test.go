//go:build cgo

package display

import (
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/scene"
	"rig.example/rig/internal/core/frame"
)

// slideTo draws a car that slides over the last part of the lap up to a share of it, so that it leaves tire marks.
func slideTo(t *testing.T, r *renderer, share float64, change func(*frame.Frame)) *picture {
	t.Helper()
	s := r.world.scene
	var f *frame.Frame
	for i := range 60 {
		f = frameAt(s, share-float64(59-i)*1.0/s.LapLength)
		f.Tick = uint64(33 * i)
		for k := range f.Wheels {
			f.Wheels[k].Load = 4000
			if k < 2 {
				f.Wheels[k].SlipEnergy = 2000 * float64(i)
			} else {
				f.Wheels[k].SlipEnergy = 1000 * float64(max(i-30, 0))
			}
		}
		change(f)
		r.draw(testPicture(r, f, Chase), 64, 36)
	}
	return testPicture(r, f, Chase)
}

// duskRenderer returns a renderer in the context of another one, at dusk and at the same quality.
func duskRenderer(t *testing.T, r *renderer) *renderer {
	t.Helper()
	dusk, err := newRenderer(720, r.quality, scene.Dusk)
	if err != nil {
		t.Fatal(err)
	}
	return dusk
}

// pictureOf draws a picture of 1280 by 720 pixels, and keeps it if that is asked for.
func pictureOf(t *testing.T, r *renderer, name string, p *picture) *image.RGBA {
	t.Helper()
	img, err := imageOf(r, p, 1280, 720)
	if folder := os.Getenv("DISPLAY_PICTURES"); err == nil && folder != "" {
		err = writePNG(filepath.Join(folder, name+".png"), img)
	}
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// The world in three kinds of light and weather. Each picture is compared with one that was looked at.
func TestPicturesOfTheWorld(t *testing.T) {
	s := clubScene(t)
	_, r := testRenderer(t, 1280, 720)
	dusk := duskRenderer(t, r)
	sky, road, grass := image.Rect(300, 10, 980, 60), image.Rect(420, 330, 520, 380), image.Rect(40, 330, 300, 380)
	means := map[string][3]float64{}
	for _, tt := range []struct {
		name     string
		r        *renderer
		quality  string
		gripLoss float64
	}{{"world-day", r, High, 0}, {"world-wet", r, Medium, 0.4}, {"world-dusk", dusk, Medium, 0}} {
		tt.r.setScene(s)
		if err := tt.r.setQuality(detailIndex(tt.quality, true)); err != nil {
			t.Fatal(err)
		}
		img := pictureOf(t, tt.r, tt.name, slideTo(t, tt.r, 0.13, func(f *frame.Frame) { f.GripLoss = tt.gripLoss }))
		golden(t, tt.name, img)
		means[tt.name] = [3]float64{mean(img, sky), mean(img, road), mean(img, grass)}
	}
	day, wet, dark := means["world-day"], means["world-wet"], means["world-dusk"]
	if !(dark[0] < 0.7*day[0] && dark[1] < 0.9*day[1] && dark[2] < 0.7*day[2]) {
		t.Errorf("means of sky, road and grass: at dusk %v, by day %v", dark, day)
	}
	if !(wet[2] < 0.85*day[2]) {
		t.Errorf("means of sky, road and grass: in rain %v, by day %v", wet, day)
	}
}

// Where tires slide they leave marks on the road, and the ring of marks starts at the car of a new scene.
func TestSlidingTiresLeaveMarks(t *testing.T) {
	s := clubScene(t)
	_, r := testRenderer(t, 1280, 720)
	var behind [2]float64
	for i, energy := range []float64{0, 1} {
		r.setScene(s)
		p := slideTo(t, r, 0.13, func(f *frame.Frame) {
			for k := range f.Wheels {
				f.Wheels[k].SlipEnergy *= energy
			}
		})
		p.bare = true
		img := pictureOf(t, r, "marks-"+string(rune('0'+i)), p)
		behind[i] = mean(img, image.Rect(485, 595, 495, 605))
		if marks := r.world.marks.Count; (marks > 0) != (i > 0) {
			t.Errorf("%d segments of marks", marks)
		}
	}
	if behind[1] > 0.75*behind[0] {
		t.Errorf("the road behind a wheel has a mean of %.0f without a mark and %.0f with one", behind[0], behind[1])
	}
}

// Rain darkens the road before the car, makes it mirror the sky far ahead, and raises spray.
func TestRainChangesThePicture(t *testing.T) {
	_, r := testRenderer(t, 1280, 720)
	r.setScene(displaytest.Oval())
	var near, far, spray [3]float64
	for i, loss := range []float64{0, 0.15, 0.5} {
		f := displaytest.OvalFrame(30)
		f.GripLoss, f.Tick = loss, 700
		p := testPicture(r, f, Chase)
		p.bare = true
		img := pictureOf(t, r, "rain-"+string(rune('0'+i)), p)
		near[i], far[i] = mean(img, image.Rect(250, 590, 350, 690)), mean(img, image.Rect(600, 250, 632, 262))
		spray[i], _ = shareOf(img, image.Rect(420, 480, 860, 620), func(r, g, b int) bool { return r > 75 && abs(r-g) < 25 })
	}
	if !(near[1] < 0.95*near[0] && near[2] < 0.85*near[0]) {
		t.Errorf("means of the road near by: %v, want it darker the more it rains", near)
	}
	if !(far[2]-near[2] > far[0]-near[0]+15) {
		t.Errorf("means of the road near by %v and far ahead %v, want the wet one to mirror the sky", near, far)
	}
	if !(spray[2] > spray[0]+0.02) {
		t.Errorf("shares of spray: %v", spray)
	}
}

// At dusk the headlamps light the road before the car, and not behind it.
func TestHeadlampsLightTheRoad(t *testing.T) {
	_, r := testRenderer(t, 640, 360)
	r = duskRenderer(t, r)
	r.setScene(displaytest.Oval())
	f := displaytest.OvalFrame(-100)
	ahead, behind := testPicture(r, f, Chase), testPicture(r, f, Chase)
	car := mgl64.Vec3(f.Pos)
	for p, away := range map[*picture]float64{ahead: 12, behind: -12} { // both look down at the road
		p.bare, p.racingLine = true, false
		p.eye = scene.Eye{Pos: car.Add(mgl64.Vec3{away, -2.5, 6}), Target: car.Add(mgl64.Vec3{away, -2.5, 0}), Up: mgl64.Vec3{1, 0, 0}, FOV: 0.3, Near: 0.3}
	}
	all := image.Rect(0, 0, 1280, 720)
	lit, dark := mean(pictureOf(t, r, "lamps-ahead", ahead), all), mean(pictureOf(t, r, "lamps-behind", behind), all)
	if lit < 1.4*dark {
		t.Errorf("the road has a mean of %.0f ahead and %.0f behind", lit, dark)
	}
}

// By day the car casts a shadow away from the sun, in the best quality in its shape.
func TestTheCarCastsAShadow(t *testing.T) {
	_, r := testRenderer(t, 1280, 720)
	r.setScene(displaytest.Oval())
	f := displaytest.OvalFrame(-100)
	p, car := testPicture(r, f, Chase), mgl64.Vec3(f.Pos)
	p.bare, p.racingLine = true, false
	p.eye = scene.Eye{Pos: car.Add(mgl64.Vec3{0, 0, 12}), Target: car, Up: mgl64.Vec3{1, 0, 0}, FOV: 0.6, Near: 0.3}
	sunny, away := image.Rect(400, 450, 440, 520), image.Rect(738, 450, 748, 520) // to the left and the right of the car; the sun is on the left
	for quality, d := range details {
		if err := r.setQuality(quality); err != nil {
			t.Fatal(err)
		}
		img := pictureOf(t, r, "shadow-"+d.name, p)
		if got := mean(img, away) < 0.7*mean(img, sunny); got != d.sunShadow {
			t.Errorf("%s: road with a mean of %.0f on the side of the sun, %.0f on the other", d.name, mean(img, sunny), mean(img, away))
		}
	}
}
