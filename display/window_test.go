//go:build cgo

package display

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
)

func init() { runtime.LockOSThread() } // the child's window needs the main thread

const childEnv = "RIG_DISPLAY_TEST_CHILD"

// childJob is what the test binary shows when it is started as a display.
type childJob struct {
	files []*os.File // that it inherits: of a page
	Setup
	Width      int // 0: 1280 by 720
	Height     int
	Remember   string
	Pattern    bool // show the pattern of the screens
	Camera     string
	Screenshot string
	After      time.Duration
	VSync      string
	Quality    string
	Pictures   uint64 // number after which it exits; 0 for no end
	Force      bool   // with the page of the force
	Motion     bool   // with the page of the motion
	Session    bool   // with the other cars of a session
	Serve      string // serve a page at this path, as a rig that is killed
}

func TestMain(m *testing.M) {
	if job := os.Getenv(childEnv); job != "" {
		if err := runChild(job); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func runChild(text string) error {
	var job childJob
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		return err
	}
	if job.Serve != "" {
		return serve(job.Serve)
	}
	inherit := func() (*framepage.Page, error) { return framepage.Inherit(os.NewFile(3, "3"), os.NewFile(4, "4")) }
	if job.Session {
		inherit = func() (*framepage.Page, error) {
			return framepage.InheritSession(os.NewFile(3, "3"), os.NewFile(4, "4"), os.NewFile(5, "5"))
		}
	}
	p, err := inherit()
	if err != nil {
		return err
	}
	const limit = 5 * time.Minute
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if job.Pictures > 0 {
		go endAfter(job.Pictures, p, cancel)
	}
	var stats Stats
	if job.Pattern {
		err := ShowPattern(ctx, Options{Setup: job.Setup, Width: job.Width, Height: job.Height, Screenshot: job.Screenshot, After: job.After})
		return errors.Join(err, json.NewEncoder(os.Stdout).Encode(stats))
	}
	err = Run(ctx, p, Options{
		Setup: job.Setup, Width: job.Width, Height: job.Height, Remember: job.Remember, Camera: job.Camera, Screenshot: job.Screenshot, After: job.After, VSync: job.VSync, Quality: job.Quality, Force: job.Force, Motion: job.Motion,
		Stats: &stats,
	})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(stats)
}

// serve is a rig that stands still until it is killed.
func serve(path string) error {
	p, err := framepage.New()
	if err != nil {
		return err
	}
	p.Publish(displaytest.OvalFrame(0))
	socket, err := framepage.Reserve(path)
	if err != nil {
		return err
	}
	if err := errors.Join(p.SetScene(displaytest.Oval()), socket.Serve(p)); err != nil {
		return err
	}
	fmt.Println("served")
	select {}
}

// endAfter calls end once a number of pictures have been drawn.
func endAfter(pictures uint64, p *framepage.Page, end func()) {
	for _, beat := p.Keys(); beat < pictures; _, beat = p.Keys() {
		time.Sleep(time.Millisecond)
	}
	end()
}

// testPage returns a page that shows the oval.
func testPage(t *testing.T, f *frame.Frame) *framepage.Page {
	t.Helper()
	return scenePage(t, displaytest.Oval(), f)
}

func scenePage(t *testing.T, s *frame.Scene, f *frame.Frame) *framepage.Page {
	t.Helper()
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	if err := p.SetScene(s); err != nil {
		t.Fatal(err)
	}
	p.Publish(f)
	return p
}

// display runs a display process to its end and returns what it measured.
func display(t *testing.T, x string, job childJob) Stats {
	t.Helper()
	cmd := childCommand(t, x, job)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("display: %v: %s", err, stderr.String())
	}
	var s Stats
	if err := json.Unmarshal(stdout.Bytes(), &s); err != nil {
		t.Fatalf("display printed %q: %v", stdout.String(), err)
	}
	t.Logf("figure: %d pictures in %v, %v of processor, %d triangles, %s", s.Frames, s.Elapsed,
		cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), s.Triangles, s.Renderer)
	return s
}

func childCommand(t *testing.T, x string, job childJob) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.ExtraFiles = job.files
	cmd.Env = append(os.Environ(), childEnv+"="+string(text), "DISPLAY="+x, "WAYLAND_DISPLAY=", "LIBGL_ALWAYS_SOFTWARE=1")
	return cmd
}

// screenshot shows f, which stands still, and returns the picture. Environment
// variable DISPLAY_PICTURES names a folder that keeps it under name.
func screenshot(t *testing.T, x, name, camera string, f *frame.Frame) *image.RGBA {
	t.Helper()
	page := testPage(t, f)
	if strings.Contains(name, "notice") {
		page.SetNotice("wheel unplugged: plug it in again, the car coasts")
	}
	return shoot(t, x, name, childJob{files: page.Files(), Camera: camera})
}

// shoot runs a display process that ends with a picture, and returns it.
func shoot(t *testing.T, x, name string, job childJob) *image.RGBA {
	t.Helper()
	folder := t.TempDir()
	if keep := os.Getenv("DISPLAY_PICTURES"); keep != "" {
		folder = keep
	}
	shot := filepath.Join(folder, name+".png")
	job.Screenshot = shot
	display(t, x, job)
	img := readPicture(t, shot)
	if want := image.Pt(max(job.Width, 1280), max(job.Height, 720)); img.Bounds().Size() != want {
		t.Fatalf("picture of %v, want %v", img.Bounds().Size(), want)
	}
	return img
}
