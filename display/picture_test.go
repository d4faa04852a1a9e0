//go:build cgo

package display

import (
	"bytes"
	"context"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/test/x11"
)

// Colours by what an eye would call them, with room for shading and drivers.
func isBlue(r, g, b int) bool   { return b > 170 && b > r+25 && b > g+10 }
func isGray(r, g, b int) bool   { return r > 40 && r < 130 && abs(r-g) < 14 && abs(g-b) < 18 }
func isGreen(r, g, b int) bool  { return g > r+15 && g > b+25 }
func isRed(r, g, b int) bool    { return r > 100 && r > 2*g && r > 2*b }
func isWhite(r, g, b int) bool  { return r > 200 && abs(r-g) < 20 && abs(g-b) < 20 }
func isYellow(r, g, b int) bool { return r > 90 && g > 60 && b < g/2 && r < 2*g }

func abs(v int) int { return max(v, -v) }

// shareOf returns which part of an area of img has a colour, and the mean x of it.
func shareOf(img *image.RGBA, area image.Rectangle, is func(r, g, b int) bool) (share, x float64) {
	n, sum := 0, 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if c := img.RGBAAt(x, y); is(int(c.R), int(c.G), int(c.B)) {
				n++
				sum += x
			}
		}
	}
	return float64(n) / float64(area.Dx()*area.Dy()), float64(sum) / float64(max(n, 1))
}

// region says how much of an area must have, and may have, a colour.
type region struct {
	name      string
	area      image.Rectangle
	is        func(r, g, b int) bool
	low, high float64 // share of the area
}

func checkRegions(t *testing.T, img *image.RGBA, regions []region) {
	t.Helper()
	for _, r := range regions {
		if got, _ := shareOf(img, r.area, r.is); got < r.low || got > r.high {
			t.Errorf("%s: %.4f of %v has its colour, want %.4f to %.4f", r.name, got, r.area, r.low, r.high)
		}
	}
}

// clipArea is where the instruments may say CLIP.
var clipArea = image.Rect(30, 596, 180, 620)

func TestChasePicture(t *testing.T) {
	x := x11.Start(t)
	img := screenshot(t, x, "chase", Chase, displaytest.OvalFrame(30))
	checkRegions(t, img, []region{
		{"sky", image.Rect(300, 0, 980, 60), isBlue, 0.95, 1},
		{"road", image.Rect(300, 420, 460, 540), isGray, 0.9, 1},
		{"grass on the left", image.Rect(0, 290, 120, 380), isGreen, 0.85, 1},
		{"grass on the right", image.Rect(1160, 290, 1280, 380), isGreen, 0.85, 1},
		{"red car", image.Rect(520, 320, 760, 480), isRed, 0.25, 0.9},
		{"kerb's red", image.Rect(760, 260, 1280, 520), isRed, 0.01, 0.2},
		{"kerb's white", image.Rect(760, 260, 1280, 520), isWhite, 0.01, 0.2},
		{"no kerb on the left", image.Rect(0, 240, 480, 520), isRed, 0, 0.002},
		{"speed", image.Rect(540, 630, 650, 690), isWhite, 0.15, 0.6},
		{"names of the platform", image.Rect(950, 590, 1260, 700), isWhite, 0.01, 0.3},
		{"no CLIP", clipArea, isRed, 0, 0},
	})
}

func TestTurnPictureSaysClip(t *testing.T) {
	f := displaytest.OvalFrame(190)
	f.Flags |= frame.Clipping
	f.RimTorque = -8
	img := screenshot(t, x11.Start(t), "clip", Chase, f)
	checkRegions(t, img, []region{
		{"CLIP", clipArea, isRed, 0.1, 0.5},
		{"kerb in the turn, red", image.Rect(0, 230, 480, 520), isRed, 0.01, 0.2},
		{"kerb in the turn, white", image.Rect(0, 230, 480, 520), isWhite, 0.01, 0.2},
	})
	// The driver pushes right, so the bar's red is right of its middle at x = 128.
	if share, x := shareOf(img, image.Rect(28, 627, 228, 638), isRed); share < 0.4 || x < 132 {
		t.Errorf("torque bar: %.2f of it red, around x = %.0f, want the right half", share, x)
	}
}

func TestPictureOfBusyAssists(t *testing.T) {
	f := displaytest.OvalFrame(30)
	f.ABS, f.Traction, f.Stability, f.Charge, f.Fuel = 5, 3, 7, 0.06, 3.6
	f.Flags |= frame.ABSActive | frame.PitLimiterOn | frame.LaunchOn
	f.Flags &^= frame.EngineRunning
	img := screenshot(t, x11.Start(t), "assists", Chase, f)
	checkRegions(t, img, []region{
		{"ABS lit", image.Rect(40, 252, 98, 276), isYellow, 0.3, 1},
		{"traction control not lit", image.Rect(40, 288, 98, 312), isYellow, 0, 0.01},
		{"PIT", image.Rect(212, 288, 260, 312), isWhite, 0.02, 0.4},
		{"nothing below", image.Rect(16, 360, 98, 380), isWhite, 0, 0.02},
		{"engine off", image.Rect(496, 616, 600, 636), isYellow, 0.02, 0.5},
		{"tank is low", image.Rect(496, 686, 690, 704), isYellow, 0.01, 0.3},
	})
}

func TestCockpitPicture(t *testing.T) {
	x := x11.Start(t)
	mark := image.Rect(400, 490, 880, 560) // of the steering wheel
	for name, steer := range map[string]float64{"cockpit-notice": 0.6, "cockpit-right": -0.6} {
		f := displaytest.OvalFrame(120)
		f.Steer = steer
		img := screenshot(t, x, name, Cockpit, f)
		checkRegions(t, img, []region{
			{"sky", image.Rect(450, 100, 860, 150), isBlue, 0.8, 1},
			{"road", image.Rect(500, 410, 800, 480), isGray, 0.8, 1},
			{"bonnet", image.Rect(760, 494, 1000, 506), isRed, 0.8, 1},
			{"steering wheel's mark", mark, isYellow, 0.005, 0.1},
		})
		if _, at := shareOf(img, mark, isYellow); (at < 640) != (steer > 0) {
			t.Errorf("steered by %+.1f rad the mark is around x = %.0f, the middle is 640", steer, at)
		}
		notice, _ := shareOf(img, image.Rect(400, 58, 880, 90), isWhite)
		if (notice > 0.03) != strings.Contains(name, "notice") {
			t.Errorf("%s: %.3f of the notice's place is white", name, notice)
		}
	}
}

// The window reports whether its camera is the driver's eye.
func TestTheWindowReportsWhetherItsCameraIsTheDriversEye(t *testing.T) {
	x := x11.Start(t)
	for camera, want := range map[string]uint64{Chase: 0, Cockpit: 1, Bonnet: 0} {
		page := testPage(t, displaytest.OvalFrame(30))
		display(t, x, childJob{files: page.Files(), Camera: camera, Pictures: 5})
		if got := page.Display().Cockpit; got != want {
			t.Errorf("%s: %d, want %d", camera, got, want)
		}
	}
}

// A car that drives through the turn stays in the picture, and the camera swings after it: the car's nose points into the
// turn.
func TestPictureOfAMovingCar(t *testing.T) {
	const speed = 30
	x := x11.Start(t)
	page := testPage(t, displaytest.OvalFrame(150))
	stop, stopped := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(stop); <-stopped })
	go func() {
		defer close(stopped)
		for start := monotonicNow(); ; time.Sleep(time.Millisecond) {
			select {
			case <-stop:
				return
			default:
			}
			due := monotonicNow()
			if _, pictures := page.Keys(); pictures == 0 {
				start = due // it drives off with the first picture
			}
			at := (due - start).Seconds()
			f := displaytest.OvalFrame(150 + speed*at)
			f.Tick, f.Due = uint64(1+1000*at), int64(due)
			f.Rate = [3]float64{0, 0, speed / displaytest.OvalRadius}
			page.Publish(f)
		}
	}()
	img := shoot(t, x, "moving", childJob{files: page.Files(), After: 1500 * time.Millisecond})
	checkRegions(t, img, []region{
		{"red car", image.Rect(480, 300, 800, 500), isRed, 0.12, 0.9}, // less where the camera lags most
		{"road ahead or grass inside", image.Rect(0, 300, 400, 500), isBlue, 0, 0.01},
	})
	keys, beat := page.Keys()
	if keys&^frame.WindowFocused != 0 {
		t.Errorf("keys %b", keys)
	}
	d := page.Display()
	t.Logf("figure: %d pictures in 1.5 s, %+v", beat, d)
	if !(d.P50 > 1e-3 && d.P99 >= d.P50 && d.RunP99 >= d.RunP50 && d.Age > 0 && d.Age < 1) {
		t.Errorf("figures of the pictures: %+v", d)
	}
}

// The window keeps its promises to the page: its heart beats, it draws few
// enough triangles, and it leaves without an error when it is told to.
func TestWindowBeatsAndLeaves(t *testing.T) {
	page := testPage(t, displaytest.OvalFrame(30))
	s := display(t, x11.Start(t), childJob{files: page.Files(), Pictures: 5})
	keys, beat := page.Keys()
	if keys&^frame.WindowFocused != 0 || beat < uint64(s.Frames) || s.Frames < 5 {
		t.Errorf("%d pictures, %d beats, keys %b", s.Frames, beat, keys)
	}
	if s.Triangles < 2000 || s.Triangles > 15000 {
		t.Errorf("%d triangles, want 2000 to 15000", s.Triangles)
	}
}

// Each way to wait for a refresh shows pictures. The server here has none to wait for, so that adaptive is not supported.
func TestWindowShowsPicturesHoweverItWaits(t *testing.T) {
	x := x11.Start(t)
	for _, vsync := range []string{VSyncOn, VSyncOff, VSyncAdaptive} {
		page := testPage(t, displaytest.OvalFrame(30))
		if s := display(t, x, childJob{files: page.Files(), VSync: vsync, Pictures: 40}); s.Frames < 40 {
			t.Errorf("vsync %s: %d pictures", vsync, s.Frames)
		}
	}
}

// A fixed quality stays, however late the pictures are; auto begins with medium where no graphics card draws.
func TestWindowDrawsInItsQuality(t *testing.T) {
	x := x11.Start(t)
	for _, quality := range []string{Low, High, Auto} {
		page := testPage(t, displaytest.OvalFrame(30))
		want := quality
		if quality == Auto {
			want = Medium
		}
		s := display(t, x, childJob{files: page.Files(), Quality: quality, VSync: VSyncOff, Pictures: 3})
		if isLate := quality == Auto && s.Quality == Low; s.Quality != want && !isLate { // a machine with other work may be late for a second
			t.Errorf("quality %q: drew in %q, want %q", quality, s.Quality, want)
		}
	}
}

func TestWindowLeavesADeadRig(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page")
	x := x11.Start(t)
	cmd := childCommand(t, x, childJob{Serve: path})
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, err = said.Read(make([]byte, 1))
	p, failed := framepage.Open(path)
	cmd.Process.Kill()
	cmd.Wait()
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	defer p.Close()
	keys := testPage(t, displaytest.OvalFrame(0)).Files()[1]
	start := time.Now()
	out, err := childCommand(t, x, childJob{files: []*os.File{p.Files()[0], keys}}).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "has ended; start it again") || bytes.Count(out, []byte("\n")) != 1 {
		t.Errorf("%v: %q, want one line that says that the rig has ended", err, out)
	}
	if took := time.Since(start); took < staleAfter {
		t.Errorf("it left after %v, want %v or more", took, staleAfter)
	}
}

func TestAnXServerThatIsNotThere(t *testing.T) {
	page := testPage(t, displaytest.OvalFrame(0))
	out, err := childCommand(t, ":9999", childJob{files: page.Files()}).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "Failed to open display :9999") || bytes.Count(out, []byte("\n")) != 1 {
		t.Errorf("%v: %q, want an error in one line, no panic", err, out)
	}
}

// Options that make no sense are refused before a window flickers up.
func TestRunRefusesBadOptions(t *testing.T) {
	t.Setenv("DISPLAY", ":9999")
	page := testPage(t, displaytest.OvalFrame(0))
	if err := Run(context.Background(), page, Options{Camera: "roof"}); err == nil || !strings.Contains(err.Error(), `must be "chase" or "cockpit"`) {
		t.Errorf("got %v", err)
	}
}
