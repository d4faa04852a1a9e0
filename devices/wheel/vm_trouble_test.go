package wheel

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/pidwheel"
	"rig.example/rig/test/vm/uinput"
)

// made makes a device without USB for the length of the test.
func made(t *testing.T, c uinput.Config) *uinput.Device {
	t.Helper()
	inGuest(t)
	dev, err := uinput.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.Close)
	return dev
}

// Two equal wheels are told apart by the links that udev makes.
func TestVMTwins(t *testing.T) {
	first, second := direct(t, pidwheel.Options{Serial: "A"}), direct(t, pidwheel.Options{Serial: "B"})
	node, err := second.Node()
	if err != nil {
		t.Fatal(err)
	}
	link := "/dev/input/by-id/usb-Rig_test_B-event-joystick"
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(node, link); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(link)
	cfg := twoNm()
	cfg.Device = link
	w := start(t, cfg)
	present(t, w, true)
	drive(w, 0.5, 100*time.Millisecond)
	at := mono.Now()
	if a, b := first.Force(at, pidwheel.Motion{}), second.Force(at, pidwheel.Motion{}); a != 0 || math.Abs(math.Abs(b)-0.25) > 0.01 {
		t.Errorf("forces %.3f and %.3f, want 0 and a quarter", a, b)
	}
}

// A twin that is plugged in does not become the wheel when that one is unplugged, and no second program has its force.
func TestVMATwinDoesNotTakeOver(t *testing.T) {
	first, second := direct(t, pidwheel.Options{}), direct(t, pidwheel.Options{})
	w := start(t, twoNm())
	present(t, w, true)
	if node, err := first.Node(); err != nil {
		t.Fatal(err)
	} else if node != w.Status().Path {
		first, second = second, first // it took the other one
	}
	drive(w, 0.5, 100*time.Millisecond)
	if _, err := evdev.OpenForForce(w.Status().Path); !errors.Is(err, evdev.ErrLocked) {
		t.Errorf("a second program has the force: %v", err)
	}
	first.Unplug()
	present(t, w, false)
	for range 3000 { // until it has searched
		if drive(w, 0.5, time.Millisecond); strings.Contains(w.Status().Problem, "is another one than") {
			break
		}
	}
	if problem := w.Status().Problem; !strings.Contains(problem, "is another one than") || second.Force(mono.Now(), pidwheel.Motion{}) != 0 {
		t.Errorf("the twin has force; the problem is %q", problem)
	}
	again := direct(t, pidwheel.Options{})
	present(t, w, true)
	drive(w, 0.5, 100*time.Millisecond)
	if again.Force(mono.Now(), pidwheel.Motion{}) == 0 {
		t.Error("no force though it is back at its port")
	}
}

// A wheel whose effects another program holds steers without a force and says so; the force
// comes when they are free.
func TestVMAllSlotsTaken(t *testing.T) {
	dev := direct(t, pidwheel.Options{Slots: 1})
	path, err := dev.Node()
	if err != nil {
		t.Fatal(err)
	}
	other, err := evdev.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	c := evdev.NewConstant(0)
	for range 100 { // until its driver has asked what it can do
		if err = other.Upload(&c); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	w := start(t, twoNm())
	present(t, w, true)
	if p := w.Status().NoForce; !strings.Contains(p, "all its effects are taken: close other programs") || w.Rated() != 0 {
		t.Errorf("the problem is told as %q, with %g N·m", p, w.Rated())
	}
	other.Close()
	at := now()
	for range 8000 {
		if w.Rated() >= 2 {
			break
		}
		drive(w, 0, time.Millisecond)
	}
	t.Logf("figure: effects let go of by another program: all of the force after %v", now()-at)
	drive(w, 0.5, 100*time.Millisecond)
	if f := dev.Force(mono.Now(), pidwheel.Motion{}); math.Abs(math.Abs(f)-0.25) > 0.01 {
		t.Errorf("force %.3f, want a quarter", f)
	}
}

// Where an upload takes 20 ms it is the writer that waits, never the loop.
func TestVMSlowUploads(t *testing.T) {
	c := uinput.Wheel()
	c.UploadTime = 20 * time.Millisecond
	made(t, c)
	w := start(t, twoNm())
	present(t, w, true)
	var s Sample
	worst := time.Duration(0)
	for i := range 1000 {
		began := now()
		w.Poll(&s)
		w.Push(0.5 * math.Sin(float64(i)/20))
		worst = max(worst, now()-began)
		time.Sleep(time.Millisecond)
	}
	t.Logf("figure: uploads of 20 ms: a poll and a push take %v at worst; %d forces in 1 s, %.1f ms each", worst, w.Status().Writes, w.Status().UpdateMs)
	atMost(t, worst, time.Millisecond)
	if n := w.Status().Writes; n < 30 || n > 60 {
		t.Errorf("%d forces in a second, want about 45", n)
	}
}

// Events that are lost while uploads take 20 ms hold up nobody: the kernel tells the state
// only between two of them, and the loop does not wait for that. A query is of several requests, each of
// which may wait for an upload.
func TestVMSlowUploadsInAStorm(t *testing.T) {
	c := uinput.Wheel()
	c.UploadTime = 20 * time.Millisecond
	dev := made(t, c)
	w := start(t, twoNm())
	present(t, w, true)
	input := w.current.Load().input.(*evdev.Input)
	var s Sample
	worst := time.Duration(0)
	const every = 200
	for i := range 10 * every {
		storm := 1 + i/every
		if i%every == 0 { // the kernel keeps 64 events or so
			for v := range int32(200) {
				if err := dev.Set(uinput.AbsX, 1000+v*300); err != nil {
					t.Fatal(err)
				}
				if v == 50 { // lost
					dev.Set(uinput.AbsY, int32(storm))
				}
			}
		}
		began := now()
		w.Poll(&s)
		w.Push(0.5 * math.Sin(float64(i)/20))
		worst = max(worst, now()-began)
		if y := input.Abs(uinput.AbsY); i%every == every-1 && y != int32(storm) {
			t.Errorf("%d ms after storm %d the axis whose event was lost is at %d", every, storm, y)
		}
		time.Sleep(time.Millisecond)
	}
	t.Logf("figure: uploads of 20 ms and %d losses: a poll and a push take %v at worst", input.Resyncs(), worst)
	atMost(t, worst, c.UploadTime/4) // the kernel gives other threads slices of 2 ms
	if input.Resyncs() < 10 {
		t.Errorf("%d losses, want 10: the test tests nothing", input.Resyncs())
	}
}

// A device without any way is no wheel, and says so.
func TestVMAxisWithoutTravel(t *testing.T) {
	dev := made(t, uinput.PedalsWithoutTravel())
	cfg := DefaultConfig()
	cfg.Device = dev.Node()
	w := start(t, cfg)
	for range 1000 {
		if w.Status().Problem != "" {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if p := w.Status().Problem; !strings.Contains(p, "no steering axis") {
		t.Errorf("the problem is told as %q", p)
	}
}

// However many events are lost, a button that is down is down, one that was let go is up.
func TestVMButtonsInAStorm(t *testing.T) {
	dev := made(t, uinput.Wheel())
	wait := listen(t, Buttons{Reset: "BTN_TRIGGER", Stop: "BTN_THUMB"})
	if err := dev.Press(uinput.BtnTrigger, true); err != nil {
		t.Fatal(err)
	}
	wait(func(e Edges) bool { return e.Down.Has(Reset) })
	for v := range int32(3000) {
		if v == 1500 {
			dev.Press(uinput.BtnTrigger, false)
			dev.Press(uinput.BtnTrigger+1, true)
		}
		if err := dev.Set(uinput.AbsX, v+1); err != nil {
			t.Fatal(err)
		}
	}
	var all Edges
	wait(func(e Edges) bool {
		all.Pressed, all.Released = all.Pressed|e.Pressed, all.Released|e.Released
		return e.Down == 1<<Stop
	})
	if !all.Pressed.Has(Stop) || !all.Released.Has(Reset) {
		t.Errorf("edges %+v, want the stop pressed and the reset released", all)
	}
}

// A wheel in its compatibility mode is switched by its driver, comes back under its own
// number, and is used then with all that is known of it.
func TestVMCompatibilityMode(t *testing.T) {
	for _, c := range []struct {
		name  string
		model g29.Model
	}{{"G29", g29.G29}, {"G27", g29.G27}} {
		t.Run(c.name, func(t *testing.T) {
			inGuest(t)
			w := start(t, DefaultConfig())
			at := now()
			dev, err := g29.New(g29.Options{Model: c.model, Compat: true})
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Unplug()
			for range 6000 {
				if s := w.Status(); s.Present && strings.Contains(s.Name, c.name) {
					break
				}
				drive(w, 0, time.Millisecond)
			}
			s := w.Status()
			if !s.Present || !strings.Contains(s.Name, c.name) || s.RangeDeg != 900 || s.RatedNm != 2.2 {
				t.Fatalf("%+v", s)
			}
			t.Logf("figure: %s in compatibility mode: ready %v after the plug", c.name, now()-at)
			drive(w, 1, 100*time.Millisecond)
			force(t, dev, "force", pushing)
		})
	}
}
