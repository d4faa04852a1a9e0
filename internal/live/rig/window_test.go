package rig

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/display"
	"rig.example/rig/display/model"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
)

// looking steps a rig whose display shows a picture every 16 ms, with these keys down.
func looking(t *testing.T, r *Rig, keys uint64, ticks int) {
	t.Helper()
	for i := range ticks {
		if i%16 == 0 {
			r.page.SetKeys(keys)
		}
		run(t, r, 1)
	}
}

// The window's process gets the settings of the window.
func TestTheWindowGetsItsSettings(t *testing.T) {
	r := withPage(t, demo(t))
	cfg := config.Default()
	cfg.Profiles, cfg.Car = "/profiles", filepath.Join(t.TempDir(), "car.toml")
	if err := os.WriteFile(cfg.Car, []byte("[model]\nbody = '/car.glb'\nup_m = 0.1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := &cfg.Display
	d.Quality, d.Camera, d.Width, d.VSync, d.Windows, d.Fullscreen, d.PlatformMovesScreens, d.Screens.Preset, d.Time = "low", "cockpit", 1920, "off", "each", true, false, "triple", "dusk"
	d.HUD = config.HUD{Scale: 0.8, Pages: "left", Page: "tires"}
	command, err := windowCommand(r.page, &cfg, 7200, true)
	if err != nil {
		t.Fatal(err)
	}
	args := command().Args[1:]
	at := slices.Index(args, "--setup") + 1
	var setup display.Setup
	if err := json.Unmarshal([]byte(args[at]), &setup); err != nil || !setup.Fullscreen || !setup.EachScreen || !setup.ScreensOnFloor || len(setup.Screens) != 3 || setup.Time != "dusk" || math.Abs(setup.FOV-0.8727) > 1e-3 || setup.HUDScale != 0.8 || !setup.PagesLeft || setup.Page != "tires" ||
		setup.Model != (model.Config{Body: "/car.glb", Scale: 1, Up: 0.1}) {
		t.Errorf("%+v, %v", setup, err)
	}
	args[at] = "SETUP"
	const want = "display --inherited --width 1920 --height 720 --camera cockpit --vsync off --quality low --max-rpm 7200 --setup SETUP --remember /profiles/display.toml --motion"
	if got := strings.Join(args, " "); got != want {
		t.Errorf("rig %s, want rig %s", got, want)
	}
	cfg.Driver = "anna"
	if command, err = windowCommand(r.page, &cfg, 7200, true); err != nil || !slices.Contains(command().Args, "/profiles/drivers/anna.window.toml") {
		t.Errorf("the window of a driver: %v, %v", command().Args, err)
	}
}

// The window of a rig in a session gets the other cars too, and that of any other rig does not.
func TestTheWindowGetsTheOthersOfASession(t *testing.T) {
	r, cfg := withPage(t, demo(t)), config.Default()
	for _, files := range []int{2, 3} {
		if files == 3 {
			o, err := framepage.NewOthers()
			if err != nil {
				t.Fatal(err)
			}
			r.page.ShareOthers(o)
		}
		command, err := windowCommand(r.page, &cfg, 7200, false)
		if err != nil {
			t.Fatal(err)
		}
		if cmd := command(); len(cmd.ExtraFiles) != files || slices.Contains(cmd.Args, "--others") != (files == 3) {
			t.Errorf("%d files, rig %v", len(cmd.ExtraFiles), cmd.Args)
		}
	}
}

// A drive does not start with a model that its window cannot show.
func TestABrokenModelIsReportedBeforeTheDrive(t *testing.T) {
	folder := t.TempDir()
	car := filepath.Join(folder, "car.toml")
	for name, text := range map[string]string{car: "[model]\ncockpit = 'seat.glb'\n", filepath.Join(folder, "seat.glb"): "glTF"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Config: config.Default()}
	if err := o.checkModel(); err != nil {
		t.Errorf("the built-in car: %v", err)
	}
	o.Config.Car = car
	want := "display: model.cockpit: " + filepath.Join(folder, "seat.glb") + ": 4 bytes: the file is cut off; copy it again"
	if err := o.checkModel(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Who has seen nothing for 2 s does not know where the car goes: torque and motion fade out, the
// platform gets no targets any more and parks. It goes on when the window is back and the
// operator says so.
func TestADriveThatLosesItsWindowEnds(t *testing.T) {
	r := withPage(t, demo(t))
	platform := &following{state: motion.Active}
	r.platform = platform
	looking(t, r, 0, 3000)
	if r.drive.State.Guard.State() != guard.Driving {
		t.Fatalf("%v with a window", r.drive.State.Guard.State())
	}
	ticks := 0
	for ; r.drive.State.Guard.State() == guard.Driving && ticks < 3000; ticks++ {
		run(t, r, 1)
	}
	if r.drive.State.Guard.State() != guard.Releasing || r.drive.State.Guard.LastTransition().Cause != guard.WindowLost || ticks < 1980 || ticks > 2005 {
		t.Fatalf("%v for %v after %d ticks without a picture, want a release for the lost window after 2000", r.drive.State.Guard.State(), r.drive.State.Guard.LastTransition().Cause, ticks)
	}
	run(t, r, 1000)
	targets := platform.pushed
	run(t, r, 1000)
	if r.drive.State.Guard.State() != guard.Ready || r.out.Torque != 0 || platform.pushed != targets || r.out.Frame.Flags&frame.ConfirmWindowLost == 0 {
		t.Errorf("%v, %g N·m, %d targets more, flags %b", r.drive.State.Guard.State(), r.out.Torque, platform.pushed-targets, r.out.Frame.Flags)
	}
	r.orders.Give(operator.ClearFault, guard.ByCommand) // too early
	run(t, r, 100)
	looking(t, r, 0, 3000)
	if r.drive.State.Guard.State() != guard.Ready {
		t.Errorf("went on to %v though nobody confirmed that the window is back", r.drive.State.Guard.State())
	}
	looking(t, r, frame.KeyClear, 20)
	looking(t, r, 0, 3000)
	if r.drive.State.Guard.State() != guard.Driving || r.out.Frame.Flags&frame.ConfirmWindowLost != 0 {
		t.Errorf("%v after the operator's word", r.drive.State.Guard.State())
	}
}

// A frame has the deadline of its tick and the figures that the display gave last; the summary has those of the whole run.
func TestAFrameHasItsTimeAndTheFiguresOfTheDisplay(t *testing.T) {
	r := withPage(t, demo(t))
	if run(t, r, 1); r.summary().Pictures != nil {
		t.Error("figures without a window")
	}
	want := frame.Display{Refresh: 60, P50: 0.016, P99: 0.017, RunP50: 0.018, RunP99: 0.019, Dropped: 3, Age: 0.02}
	r.page.SetDisplay(want)
	r.stats.Due = 1234 * time.Millisecond
	run(t, r, 1)
	var f frame.Frame
	if !r.page.Read(&f) || f.Due != 1_234_000_000 || f.Display != want {
		t.Errorf("a frame of %d ns with %+v", f.Due, f.Display)
	}
	var text strings.Builder
	r.summary().Print(&text)
	if got := r.summary().Pictures; got == nil || *got != (PicturesSummary{60, 18, 19, 3, 20}) || !strings.Contains(text.String(), "every 18.0 ms (p99 19.0), 3 refreshes without a new one, car's state 20.0 ms old") {
		t.Errorf("summary %+v in %s", got, text.String())
	}
}

// Without a window from the beginning nothing is lost.
func TestAHeadlessDriveIsNotBlind(t *testing.T) {
	r := withPage(t, demo(t))
	run(t, r, 6000)
	if r.drive.State.Guard.State() != guard.Driving {
		t.Errorf("%v, %v", r.drive.State.Guard.State(), r.drive.State.Guard.LastTransition())
	}
}

// A driver who closes the window ends the drive, and loses nothing.
func TestAClosedWindowEndsTheDriveAsEver(t *testing.T) {
	r := withPage(t, demo(t))
	platform := &following{state: motion.Active}
	r.platform = platform
	looking(t, r, 0, 3000)
	r.page.SetKeys(frame.KeyClose) // its last word
	run(t, r, 1)
	if r.drive.State.Guard.State() != guard.Releasing || r.drive.State.Guard.LastTransition().Cause != guard.ReleaseRequested {
		t.Fatalf("%v, %v", r.drive.State.Guard.State(), r.drive.State.Guard.LastTransition())
	}
	run(t, r, 3000) // until the platform has parked
	if r.drive.State.Guard.LatchedCause() != guard.None || r.out.Frame.Flags&frame.ConfirmWindowLost != 0 {
		t.Errorf("it waits for %v", r.drive.State.Guard.LatchedCause())
	}
}
