//go:build cgo

package display

import (
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/scene"
	"rig.example/rig/display/screens"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/x11"
)

func triple() []screens.Screen {
	c := screens.DefaultConfig()
	c.Preset = screens.Triple
	return c.Screens()
}

// wallAt returns a wall of 1 m by 0.2 m that stands across the line of sight at an angle to the left of straight ahead [rad], 20 m away.
func wallAt(eye mgl64.Vec3, angle float64) (w frame.Wall, edges [2]mgl64.Vec3) {
	sin, cos := math.Sincos(angle)
	point := func(away, left float64) [2]float64 {
		return [2]float64{eye[0] + away*cos - left*sin, eye[1] + away*sin + left*cos}
	}
	w = frame.Wall{Corners: [4][2]float64{point(20, 0.5), point(20, -0.5), point(20.2, -0.5), point(20.2, 0.5)}, Foot: eye[2] - 3, Top: eye[2] + 3}
	for i, left := range []float64{0.5, -0.5} {
		p := point(20, left)
		edges[i] = mgl64.Vec3{p[0], p[1], eye[2] + 0.3}
	}
	return w, edges
}

// The edges of a wall of the world are, on each of three screens at angles, in the column where the line of sight crosses the
// screen, to half a pixel.
func TestAWallStandsWhereGeometryDemands(t *testing.T) {
	x := x11.Start(t)
	list := triple()
	const width, height = 1280, 720 // of a screen
	s := displaytest.Hill()
	s.Points, s.Guides, s.Walls = nil, nil, nil
	f := &frame.Frame{Att: [4]float64{1}, Pos: [3]float64{0, 0, 30}}
	for i := range f.Wheels {
		f.Wheels[i].Pos = [3]float64{0, 0, -100} // out of sight
	}
	world, _ := scene.Build(s)
	eye := world.CockpitEye(scene.CarPose(f, 0), [3]float64{}, 0.9)
	shot := func(name string) *image.RGBA {
		return shoot(t, x, name, childJob{files: scenePage(t, s, f).Files(), Camera: Cockpit, Setup: Setup{Screens: list}, Width: 3 * width, Height: height})
	}
	without := shot("triple-open")
	var edges [3][2]mgl64.Vec3
	for i, angle := range []float64{58, 12, -36} {
		w, e := wallAt(eye.Pos, angle*math.Pi/180)
		s.Walls, edges[i] = append(s.Walls, w), e
	}
	with := shot("triple-walls")
	for i := range list {
		facet := &screens.Facets(list)[i]
		var want [2]float64
		row := 0
		for k, edge := range edges[i] {
			px, py := crossing(facet, edge.Sub(eye.Pos))
			want[k], row = float64(i*width)+px*width, int(math.Round((1-py)*height))
		}
		first, last := 3*width, 0
		for column := i * width; column < (i+1)*width; column++ {
			if change(with, without, column, row) > 30 {
				first, last = min(first, column), max(last, column)
			}
		}
		// The share of an edge's pixel that the wall covers is how much it has changed, compared with its neighbor.
		left := float64(first) + 1 - min(change(with, without, first, row)/change(with, without, first+1, row), 1)
		right := float64(last) + min(change(with, without, last, row)/change(with, without, last-1, row), 1)
		if math.Abs(left-want[0]) > 0.5 || math.Abs(right-want[1]) > 0.5 {
			t.Errorf("screen %d, row %d: the wall is in columns %.2f to %.2f, want %.2f to %.2f", i, row, left, right, want[0], want[1])
		}
	}
}

// crossing returns where the line of sight in a direction crosses a facet: shares of its width and height.
func crossing(f *screens.Facet, sight mgl64.Vec3) (x, y float64) {
	low, right, top := mgl64.Vec3(f.At(0, 0)), mgl64.Vec3(f.At(1, 0)), mgl64.Vec3(f.At(0, 1))
	m := mgl64.Mat3FromCols(right.Sub(low), top.Sub(low), sight.Mul(-1))
	at := m.Inv().Mul3x1(low.Mul(-1))
	return at[0], at[1]
}

// change returns how much a pixel differs between two pictures.
func change(a, b *image.RGBA, x, y int) float64 {
	p, q := a.RGBAAt(x, y), b.RGBAAt(x, y)
	return float64(abs(int(p.R)-int(q.R)) + abs(int(p.G)-int(q.G)) + abs(int(p.B)-int(q.B)))
}

// The instruments are on the screen straight ahead, the road goes on over all three, and the pattern has its card in true size.
func TestPicturesOfScreens(t *testing.T) {
	x := x11.Start(t)
	f := displaytest.OvalFrame(120)
	curved := screens.DefaultConfig()
	curved.Preset, curved.Width = screens.Ultrawide, 1.2
	for name, tt := range map[string]struct {
		list  []screens.Screen
		width int
	}{"triple": {triple(), 3840}, "curved": {curved.Screens(), 2560}} {
		img := shoot(t, x, name, childJob{files: testPage(t, f).Files(), Camera: Cockpit, Setup: Setup{Screens: tt.list}, Width: tt.width, Height: 720})
		middle := image.Rect(tt.width/2-200, 410, tt.width/2+200, 470)
		checkRegions(t, img, []region{
			{"sky", image.Rect(tt.width/2-300, 100, tt.width/2+300, 150), isBlue, 0.8, 1}, {"road", middle, isGray, 0.8, 1},
			{"sky on the left", image.Rect(240, 40, 420, 100), isBlue, 0.5, 1},
		})
		golden(t, name, img)
	}
	list := triple()
	img := shoot(t, x, "pattern", childJob{files: testPage(t, f).Files(), Pattern: true, Setup: Setup{Screens: list}, Width: 3840, Height: 720})
	golden(t, "pattern", img)
	left, right := 3840, 0
	for column := 1280; column < 2560; column++ {
		if c := img.RGBAAt(column, 180); isYellow(int(c.R), int(c.G), int(c.B)) {
			left, right = min(left, column), max(right, column)
		}
	}
	if got, want := float64(right-left), 1280*0.0856/list[1].Width; math.Abs(got-want) > 3 {
		t.Errorf("the card is %g pixels wide, want %.1f", got, want)
	}
}

// `go test ./display -run PicturesOf -write` keeps new pictures. Look at them first.
var write = flag.Bool("write", false, "keep new pictures in testdata")

// golden compares a picture, an eighth as large, with the one that was looked at. Drivers differ a little in each texel.
func golden(t *testing.T, name string, img *image.RGBA) {
	t.Helper()
	path, small := filepath.Join("testdata", name+".png"), shrunk(img)
	if *write {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), writePNG(path, small)); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	decoded, err := png.Decode(file)
	if err != nil || decoded.Bounds() != small.Bounds() {
		t.Fatalf("%s: %v of %v, want %v", path, err, decoded.Bounds(), small.Bounds())
	}
	sum, n := 0, 0
	for y := range small.Bounds().Dy() {
		for x := range small.Bounds().Dx() {
			r, g, b, _ := decoded.At(x, y).RGBA()
			c := small.RGBAAt(x, y)
			sum, n = sum+abs(int(c.R)-int(r>>8))+abs(int(c.G)-int(g>>8))+abs(int(c.B)-int(b>>8)), n+3
		}
	}
	if mean := float64(sum) / float64(n); mean > 2 {
		t.Errorf("%s: differs by %.2f of 255 in the mean from testdata", name, mean)
	}
}

// shrunk returns a picture in an eighth of its width and height, of means.
func shrunk(img *image.RGBA) *image.RGBA {
	const k = 8
	size := img.Bounds().Size()
	small := image.NewRGBA(image.Rect(0, 0, size.X/k, size.Y/k))
	for y := range size.Y / k {
		for x := range size.X / k {
			var sum [3]int
			for i := range k * k {
				c := img.RGBAAt(x*k+i%k, y*k+i/k)
				sum[0], sum[1], sum[2] = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B)
			}
			small.SetRGBA(x, y, color.RGBA{uint8(sum[0] / k / k), uint8(sum[1] / k / k), uint8(sum[2] / k / k), 255})
		}
	}
	return small
}

// Each screen has a window of its own if that is wanted: what is drawn in all of them is more than in the first alone.
func TestEachScreenIsDrawnInItsWindow(t *testing.T) {
	x, list := x11.Start(t), triple()
	draw := func(list []screens.Screen, each bool) Stats {
		return display(t, x, childJob{files: testPage(t, displaytest.OvalFrame(120)).Files(), Camera: Cockpit, Setup: Setup{Screens: list, EachScreen: each}, Width: 640, Height: 360, Pictures: 10})
	}
	three, one := draw(list, true), draw(list[1:2], false)
	if three.Frames < 10 || three.Triangles < one.Triangles*3/2 {
		t.Errorf("%d pictures of %d triangles; the middle screen alone has %d", three.Frames, three.Triangles, one.Triangles)
	}
	list[0].Monitor = "DP-9"
	cmd := childCommand(t, x, childJob{files: testPage(t, displaytest.OvalFrame(120)).Files(), Pattern: true, Setup: Setup{Screens: list, Fullscreen: true}})
	if text, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(text), `monitor "DP-9" is not connected; choose screen`) {
		t.Errorf("a monitor that is not there: %v, %q", err, text)
	}
}
