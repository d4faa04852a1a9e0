package display

import (
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAvailableSaysWhatIsMissing(t *testing.T) {
	tests := []struct {
		name, x, wayland, want string
	}{
		{"a desktop", ":0", "", ""},
		{"none", "", "", "display: no DISPLAY or WAYLAND_DISPLAY; log in to a desktop, or run with --headless"},
		{"no Xwayland", "", "wayland-0", "display: the window needs X11: WAYLAND_DISPLAY is set, DISPLAY is not; install Xwayland (Debian: xwayland) and log in anew, or run with --headless"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("DISPLAY", tt.x)
			t.Setenv("WAYLAND_DISPLAY", tt.wayland)
			err := Available()
			if screen := tt.x+tt.wayland != ""; errors.Is(err, ErrNoDisplay) == screen {
				t.Errorf("got %v where there is a screen: %t", err, screen)
			} else if screen && !hasWindow {
				if err == nil || !strings.Contains(err.Error(), "built without cgo") {
					t.Errorf("got %v, want that the binary was built without cgo", err)
				}
				return
			}
			if (err == nil) != (tt.want == "") || err != nil && (err.Error() != tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestOptionsReportEveryFieldOutOfRange(t *testing.T) {
	_, err := Options{Width: 10, Height: 9000, Camera: "roof", MaxRPM: -1, VSync: "half", Quality: "best"}.withDefaults()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{"width = 10: must be 320 to 30720", "height = 9000", `camera "roof"`, `vsync "half": must be "on" or "off" or "adaptive"`, `quality "best"`, "engine speed = -1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
	o, err := Options{}.withDefaults()
	if err != nil || o.Width != 1280 || o.Height != 720 || o.Camera != Chase || o.VSync != VSyncOn || o.Quality != Auto {
		t.Errorf("defaults %+v, %v", o, err)
	}
}

func TestWriterMonitorWaitsForALivingWriter(t *testing.T) {
	lives := func() bool { return true }
	dead := func() bool { return false }
	for _, tt := range []struct {
		name  string
		at    time.Duration
		seq   uint64
		alive func() bool
		want  bool
	}{
		{"first look", 0, 5, dead, false},
		{"still for a moment", time.Second, 5, dead, false},
		{"still for long, alive", 3 * time.Second, 5, lives, false},
		{"still for long, dead", 3 * time.Second, 5, dead, true},
		{"it moves again", 3 * time.Second, 6, dead, false},
	} {
		v := writerMonitor{seq: 5}
		if got := v.isDead(tt.at, tt.seq, tt.alive); got != tt.want {
			t.Errorf("%s: dead is %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestPictureRateSettles(t *testing.T) {
	r := smoothRate(0, 0.02)
	if r != 50 {
		t.Errorf("first picture in 20 ms: %g/s, want 50/s", r)
	}
	for range 1000 {
		r = smoothRate(r, 0.01)
	}
	if r < 99.9 || r > 100.1 {
		t.Errorf("pictures of 10 ms: %g/s, want 100/s", r)
	}
}

func TestRowsFromBelowBecomeAnImage(t *testing.T) {
	below, above := []uint8{1, 2, 3, 0, 4, 5, 6, 0}, []uint8{7, 8, 9, 0, 10, 11, 12, 0}
	img := imageFromRows(append(below, above...), 2, 2)
	if got, want := img.At(0, 0), (color.RGBA{7, 8, 9, 255}); got != want {
		t.Errorf("upper left is %v, want %v", got, want)
	}
	if got, want := img.At(1, 1), (color.RGBA{4, 5, 6, 255}); got != want {
		t.Errorf("lower right is %v, want %v", got, want)
	}
}

func TestPNGIsReplacedAtomically(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shot.png")
	for _, width := range []int{3, 5} {
		if err := writePNG(path, image.NewRGBA(image.Rect(0, 0, width, 2))); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(f)
		f.Close()
		if err != nil || img.Bounds().Dx() != width {
			t.Fatalf("read back %v, %v", img, err)
		}
	}
	if err := writePNG(filepath.Join(path, "x.png"), image.NewRGBA(image.Rect(0, 0, 1, 1))); err == nil {
		t.Error("wrote into a file as if it were a folder")
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("%d files are left, want the picture alone (%v)", len(left), err)
	}
}

// A display whose context is lost must end, because the driver no longer sees the road.
func TestALostContextIsAnError(t *testing.T) {
	for code, want := range map[uint32]bool{0: false, 0x0500: false, 0x0502: false, 0x0505: true, 0x0506: true, 0x0507: true} {
		if err := contextError(code); (err != nil) != want {
			t.Errorf("%#x: %v", code, err)
		}
	}
}
