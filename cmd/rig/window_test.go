//go:build cgo

package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/replay/replaytest"
	"rig.example/rig/internal/tools/check"
	"rig.example/rig/test/level"
	"rig.example/rig/test/x11"
)

// windowedDrive is a running `rig run --demo` with a window.
type windowedDrive struct {
	t    *testing.T
	cmd  *exec.Cmd
	page *framepage.Page
	path string
	x    string
	xorg *x11.Server
	out  bytes.Buffer
	log  steps
	last frame.Frame // see frame
}

func startDemo(t *testing.T, args ...string) *windowedDrive {
	t.Helper()
	s := &windowedDrive{t: t, xorg: x11.NewServer(t), path: socketPath(t)}
	s.x = s.xorg.Name
	s.begin(append([]string{"run", "--demo", "--json", "--page", s.path}, args...)...)
	return s
}

// begin starts rig and waits for its page.
func (s *windowedDrive) begin(args ...string) {
	t := s.t
	t.Helper()
	s.cmd = s.command(args...)
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		s.cmd.Wait()
		if t.Failed() {
			t.Logf("rig said:\n%s", s.log.String())
		}
	})
	s.await("the page", func() bool {
		p, err := framepage.Open(s.path)
		if err == nil {
			s.page = p
			t.Cleanup(func() { p.Close() })
		}
		return err == nil
	})
}

// command is rig with the session's X server.
func (s *windowedDrive) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asRig+"=1", "DISPLAY="+s.x, "WAYLAND_DISPLAY=", "LIBGL_ALWAYS_SOFTWARE=1")
	return cmd
}

func (s *windowedDrive) await(what string, cond func() bool) {
	s.t.Helper()
	await(s.t, what, cond)
}

// frame returns the newest frame that could be read.
func (s *windowedDrive) frame() frame.Frame {
	s.page.Read(&s.last)
	return s.last
}

// shown waits until the display has drawn n pictures more.
func (s *windowedDrive) shown(n uint64) {
	s.t.Helper()
	first := s.frame().Pictures
	s.await("pictures", func() bool { return s.frame().Pictures >= first+n })
}

// display returns the process ID of the window, or 0.
func (s *windowedDrive) display() int { return childOf(s.cmd.Process.Pid, "display") }

func (s *windowedDrive) finish() map[string]any {
	s.t.Helper()
	s.cmd.Process.Signal(syscall.SIGINT)
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("rig ended with %v", err)
	}
	var sum map[string]any
	if err := json.Unmarshal(s.out.Bytes(), &sum); err != nil {
		s.t.Fatalf("%v in %s", err, s.out.String())
	}
	return sum
}

func TestKilledDisplayComesBackAndTheLoopGoesOn(t *testing.T) {
	s := startDemo(t)
	s.await("driving", func() bool { return s.frame().State == uint64(guard.Driving) })
	for range 2 {
		old := s.display()
		if old == 0 {
			t.Fatal("no display process")
		}
		at := s.page.Seq()
		syscall.Kill(old, syscall.SIGKILL)
		s.await("another display", func() bool { n := s.display(); return n != 0 && n != old })
		if now := s.page.Seq(); now <= at {
			t.Errorf("the loop stood still at frame %d while the display was dead", now)
		}
		s.shown(3)
	}
	s.await("figures of the window", func() bool { d := s.frame().Display; return d.P50 > 0 && d.Age > 0 })
	sum := s.finish()
	if sum["display_restarts"].(float64) < 2 || sum["exit_state"] != "parked" {
		t.Errorf("restarts %v, exit state %v", sum["display_restarts"], sum["exit_state"])
	}
	t.Logf("figure: %v of %v ticks dropped, pictures %v", sum["dropped"], sum["ticks"], sum["pictures"])
	if pictures, ok := sum["pictures"].(map[string]any); !ok || !(pictures["frame_ms_p50"].(float64) > 0.1) || !(pictures["state_age_ms"].(float64) > 0.1) {
		t.Errorf("figures of the window: %v", sum["pictures"])
	}
}

// The X server dies in a drive. The driver sees nothing any more: the drive ends with the
// platform parked, says why, and waits, until there is a window again and the operator says so.
func TestALostWindowEndsTheDriveUntilItIsBack(t *testing.T) {
	s := startDemo(t)
	s.shown(3)
	s.await("driving", func() bool { return s.frame().State == uint64(guard.Driving) })
	s.xorg.Kill()
	s.await("the end of the drive", func() bool {
		f := s.frame()
		return f.State == uint64(guard.Ready) && f.Flags&frame.ConfirmWindowLost != 0 && f.RimTorque == 0
	})
	s.await("the platform's park position", func() bool { return s.frame().Motion.State == uint64(motion.Parked) })
	if said := s.log.String(); !strings.Contains(said, `cause="the window is lost"`) {
		t.Errorf("it does not say why")
	}
	tick := s.frame().Tick
	s.xorg.Begin(t)
	s.shown(3)
	if f := s.frame(); f.State != uint64(guard.Ready) || f.Tick != tick {
		t.Errorf("%v, %d ticks driven before the operator's word", guard.State(f.State), f.Tick-tick)
	}
	s.cmd.Process.Signal(syscall.SIGUSR1)
	s.await("driving again", func() bool { return s.frame().State == uint64(guard.Driving) })
	if sum := s.finish(); sum["exit_state"] != "parked" {
		t.Errorf("ended %v", sum["exit_state"])
	}
}

// A display that hangs is as good as dead, and is replaced while nothing moves.
func TestAHangingWindowEndsTheDriveAndIsReplaced(t *testing.T) {
	level.SkipUnlessAll(t, "TestAHangingDisplayIsReplacedOnceTheRigIsReleased of internal/live/rig")
	s := startDemo(t)
	s.shown(3)
	s.await("driving", func() bool { return s.frame().State == uint64(guard.Driving) })
	old := s.display()
	syscall.Kill(old, syscall.SIGSTOP)
	s.await("the end of the drive", func() bool {
		f := s.frame()
		return f.State == uint64(guard.Ready) && f.Flags&frame.ConfirmWindowLost != 0
	})
	s.await("another display", func() bool { n := s.display(); return n != 0 && n != old })
	s.shown(3)
	s.finish()
}

// What cannot be shown is known before anything moves.
func TestAWindowThatCannotOpenIsKnownBeforeTheDrive(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct{ name, env, want string }{
		{"no X server", "DISPLAY=:9999", "Failed to open display :9999"},
		{"nonsense", "DISPLAY=no\tsense", `Failed to open display no\tsense`},
		{"Wayland alone", "WAYLAND_DISPLAY=wayland-0", "install Xwayland"},
		{"OpenGL too old", "MESA_GL_VERSION_OVERRIDE=2.1", "install a driver for OpenGL 3.3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &windowedDrive{t: t}
			if strings.HasPrefix(tt.env, "MESA") {
				s.x = x11.Start(t)
			}
			cmd := s.command("run", "--demo", "--duration", "3s", "--page", socketPath(t))
			cmd.Env = append(cmd.Env, tt.env)
			out, err := cmd.CombinedOutput()
			said := string(out)
			if cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(said, tt.want) || !strings.Contains(said, "--headless") {
				t.Errorf("%v: %s", err, said)
			}
			if strings.Contains(said, "from=parked") || strings.Contains(said, "drove") {
				t.Errorf("it began all the same: %s", said)
			}
			if faultLines(said) != 1 || strings.Count(said, tt.want) != 1 || foreignDate.MatchString(said) {
				t.Errorf("it is not told in one line without a foreign date: %s", said)
			}
		})
	}
}

// foreignDate is one that a library puts before its lines.
var foreignDate = regexp.MustCompile(`\d{4}/\d\d/\d\d`)

// A window that is lost and does not come back is told of once while the drive waits for it,
// and is the failure of the drive that the operator ends then.
func TestALostWindowIsToldOnceAndIsAFailure(t *testing.T) {
	s := startDemo(t)
	s.shown(3)
	s.await("driving", func() bool { return s.frame().State == uint64(guard.Driving) })
	s.xorg.Kill()
	s.await("the end of the drive", func() bool {
		f := s.frame()
		return f.State == uint64(guard.Ready) && f.Flags&frame.ConfirmWindowLost != 0
	})
	s.await("a vain try", func() bool { return strings.Contains(s.log.String(), "Failed to open display") })
	again := s.page.Seq() + 2000 // ticks, for further ones
	s.await("further tries", func() bool { return s.page.Seq() > again })
	s.cmd.Process.Signal(syscall.SIGINT)
	s.cmd.Wait()
	said := s.log.String()
	if s.cmd.ProcessState.ExitCode() != exitFailed || strings.Count(said, "\nrig: ") != 1 || !strings.Contains(said, "\nrig: the window was lost and did not come back: display: no window: X11: Failed to open display") {
		t.Errorf("status %d", s.cmd.ProcessState.ExitCode())
	}
	if n := strings.Count(said, "Failed to open display"); n != 2 || foreignDate.MatchString(said) { // in the log, and at the end
		t.Errorf("told %d times", n)
	}
}

func TestArrowKeysTakeOverInTheWindow(t *testing.T) {
	s := startDemo(t)
	s.shown(3)
	k := x11.NewKeyboard(t, s.x)
	s.await("15 km/h", func() bool { return s.frame().Speed > 4 })
	k.Press(t, x11.KeyDown, true)
	s.await("the keys to drive", func() bool { return s.frame().Flags&frame.KeysDrive != 0 })
	s.await("the brake", func() bool { f := s.frame(); return f.Brake > 0.9 || f.Gear < 0 })
	k.Press(t, x11.KeyDown, false)
	k.Press(t, x11.KeySpace, true)
	s.await("the stop", func() bool { f := s.frame(); return f.RimTorque == 0 && f.State == stopped })
	k.Press(t, x11.KeySpace, false)
	k.Press(t, x11.KeyEnter, true)
	s.await("driving again", func() bool { return s.frame().State != stopped })
	k.Press(t, x11.KeyEnter, false)
	for range 2 { // the first asks
		k.Press(t, x11.KeyEscape, true)
		time.Sleep(100 * time.Millisecond)
		k.Press(t, x11.KeyEscape, false)
		time.Sleep(100 * time.Millisecond)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("closing the window ended rig with %v", err)
	}
	if !strings.Contains(s.out.String(), `"exit_state":"parked"`) {
		t.Errorf("ended with %s", s.out.String())
	}
}

// A recorded drive is shown in the window, and its keys pause it, step it and end it.
func TestARecordingIsShownInTheWindow(t *testing.T) {
	file := replaytest.Demo(t, replaytest.Config(t, replaytest.Round), 20_000, func(tick int, in *drive.Inputs) {
		if tick == 12_000 {
			in.Window.Keys = frame.KeyMark
		}
	})
	s := &windowedDrive{t: t, x: x11.Start(t), path: socketPath(t)}
	s.begin("replay", file, "--display", "--page", s.path)
	var r frame.Replay
	replay := func() frame.Replay { s.page.Replay(&r); return r }
	s.await("the replay", func() bool { return replay().Position > 0.3 })
	k := x11.NewKeyboard(t, s.x)
	tap := func(key byte, what string, done func() bool) {
		t.Helper()
		k.Press(t, key, true)
		s.await(what, done)
		k.Press(t, key, false)
		s.await("the key to be let go", func() bool { before := s.page.Seq(); time.Sleep(300 * time.Millisecond); return s.page.Seq() > before })
	}
	const keyY, keyUp = 29, x11.KeyUp
	tap(keyUp, "twice real time", func() bool { return replay().Speed == 2 })
	tap(x11.KeySpace, "the pause", func() bool { return replay().Paused == 1 })
	tap(keyY, "the mark", func() bool { return math.Abs(replay().Position-12.001) < 1e-9 })
	if f := s.frame(); f.Tick != 12_001-2 || f.Speed < 5 { // the first two ticks move no car
		t.Errorf("tick %d at %.1f m/s", f.Tick, f.Speed)
	}
	path := filepath.Join(t.TempDir(), "replay.png")
	if keep := os.Getenv("RIG_REPLAY_PICTURE"); keep != "" {
		path = keep
	}
	if out, err := s.command("display", "--page", s.path, "--screenshot", path, "--after", "300ms").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	img := screenshot(t, path)
	blue := func(r, g, b int) bool { return b > 170 && b > r+25 }
	if played, rest := share(img, 40, 563, 600, 567, blue), share(img, 780, 563, 1240, 567, blue); played < 0.9 || rest > 0.1 {
		t.Errorf("scrub bar: %.2f of what was played is blue, %.2f of the rest", played, rest)
	}
	k.Press(t, x11.KeyEscape, true)
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("closing the window ended rig with %v", err)
	}
}

const stopped = uint64(guard.Stopped)

// The picture of the real program on the real circuit, which README shows. With -write it is README's new picture.
func TestTheViewShowsRoadCarAndInstruments(t *testing.T) {
	path, after := filepath.Join(t.TempDir(), "view.png"), "300ms"
	if *write {
		path, after = filepath.Join(docFolder, "view.png"), "1500ms" // until the rate of pictures is known
	}
	s := startDemo(t)
	s.await("a bend", func() bool { f := s.frame(); return f.Speed > 9 && f.Acc[1]*f.Acc[1] > 4 })
	if out, err := s.command("display", "--page", s.path, "--screenshot", path, "--after", after).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.finish()
	img := screenshot(t, path)
	for _, region := range []struct {
		name           string
		x0, y0, x1, y1 int
		is             func(r, g, b int) bool
		share          float64
	}{
		{"sky", 400, 60, 900, 140, func(r, g, b int) bool { return b > r && b > 120 }, 0.7},
		{"road", 560, 540, 720, 580, func(r, g, b int) bool { return r < 130 && abs(r-g) < 25 && abs(g-b) < 25 }, 0.6},
		{"grass", 0, 250, 1280, 330, func(r, g, b int) bool { return g > r && g > b+20 }, 0.2},
		{"car", 480, 280, 800, 520, func(r, g, b int) bool { return r > 110 && r > 2*g && r > 2*b }, 0.1},
		{"instruments", 16, 588, 336, 704, func(r, g, b int) bool { return r > 200 && g > 200 && b > 200 }, 0.01},
	} {
		if got := share(img, region.x0, region.y0, region.x1, region.y1, region.is); got < region.share {
			t.Errorf("%s: only %.1f %% of its region has its colour, want %.1f %%", region.name, got*100, region.share*100)
		}
	}
}

func screenshot(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func share(img image.Image, x0, y0, x1, y1 int, is func(r, g, b int) bool) float64 {
	n := 0
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			if is(int(r>>8), int(g>>8), int(b>>8)) {
				n++
			}
		}
	}
	return float64(n) / float64((x1-x0)*(y1-y0))
}

func abs(v int) int { return max(v, -v) }

// A window that the processor draws is no problem, and is told.
func TestCheckSaysWhatDrawsTheWindow(t *testing.T) {
	s := &windowedDrive{t: t, x: x11.Start(t)}
	out, err := s.command("check", "--json", "--config", onSkidpad(t)).Output()
	var got struct {
		Problems []check.Finding
		Summary  []check.SummaryLine
	}
	if e := json.Unmarshal(out, &got); e != nil {
		t.Fatalf("%v, %v: %s", err, e, out)
	}
	told := slices.ContainsFunc(got.Problems, func(f check.Finding) bool {
		return f.Check == "software-rendering" && f.Level == check.Note && strings.Contains(f.What, "llvmpipe")
	})
	drawn := slices.ContainsFunc(got.Summary, func(l check.SummaryLine) bool {
		return l.Part == check.Window && l.Problems == 0 && strings.Contains(l.Text, ", drawn by llvmpipe")
	})
	if !told || !drawn {
		t.Errorf("%s", out)
	}
}

// A recording is drawn into a picture, also where the moment that is asked for lies behind its end.
func TestWindowDrawsAPictureOfARecording(t *testing.T) {
	s := &windowedDrive{t: t, x: x11.NewServer(t).Name}
	path := filepath.Join(t.TempDir(), "lap.png")
	if out, err := s.command("replay", recordedDrive(t), "--picture", path, "--at", "1e6").CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil || img.Bounds().Dx() != 1280 || img.Bounds().Dy() != 720 {
		t.Errorf("%v, %v", err, img.Bounds())
	}
}
