package pedals

import (
	"log/slog"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/uinput"
)

// inGuest skips the test outside the virtual machine.
func inGuest(t *testing.T) {
	t.Helper()
	if os.Getenv("RIG_VM") == "" {
		t.Skip("needs the virtual machine: see test/vm/README.md")
	}
}

func newDevice(t *testing.T) *uinput.Device {
	t.Helper()
	inGuest(t)
	d, err := uinput.New(uinput.Pedals())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// start runs pedals for the length of the test.
func start(t *testing.T, cfg Config, store calib.Store) *Pedals {
	t.Helper()
	p := New(cfg, store, slog.New(slog.NewTextHandler(t.Output(), nil)))
	ended := make(chan error, 1)
	go func() { ended <- p.Run(t.Context()) }()
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return p
}

// until polls until ok and returns how long it took.
func until(t *testing.T, p *Pedals, what string, ok func(Sample) bool) time.Duration {
	t.Helper()
	from := time.Now()
	var s Sample
	for time.Since(from) < 5*time.Second {
		if p.Poll(&s); ok(s) {
			return time.Since(from)
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("not within 5 s: %s; %+v, %+v", what, s, p.Status())
	return 0
}

func is(s Sample) bool  { return s.Present }
func not(s Sample) bool { return !s.Present }

// set reports values, and leaves the time that a pedal takes for its whole travel.
func set(t *testing.T, d *uinput.Device, axis uint16, values ...int32) {
	t.Helper()
	for _, v := range values {
		if err := d.Set(axis, v); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(11 * time.Millisecond)
}

// letGo moves each pedal a little and lets go, and waits until they count.
func letGo(t *testing.T, d *uinput.Device, p *Pedals, axes ...uint16) {
	t.Helper()
	for _, a := range axes {
		set(t, d, a, 100)
		set(t, d, a, 0)
	}
	until(t, p, "present", is)
}

func TestVMPedalsOfTheirOwn(t *testing.T) {
	d := newDevice(t)
	p := start(t, Config{Throttle: "ABS_X", Brake: "ABS_Y"}, calib.Store{Dir: t.TempDir()})
	until(t, p, "connected", func(Sample) bool { return p.Status().Present })
	var s Sample
	if p.Poll(&s); s != absent {
		t.Errorf("before the first report %+v, want %+v", s, absent)
	}
	letGo(t, d, p, uinput.AbsX, uinput.AbsY)
	if p.Poll(&s); s != (Sample{Present: true}) {
		t.Errorf("at rest %+v, want all released", s)
	}
	set(t, d, uinput.AbsX, 100)
	p.Poll(&s)
	set(t, d, uinput.AbsX, 2048)
	if p.Poll(&s); math.Abs(s.Throttle-0.5001) > 1e-3 || s.Brake != 0 {
		t.Errorf("throttle half way %+v, want 0.5", s)
	}
}

func TestVMCalibrationIsUsed(t *testing.T) {
	d := newDevice(t)
	store := calib.Store{Dir: t.TempDir()}
	_, err := store.SavePedals(calib.PedalsProfile{
		Version: calib.ProfileVersion,
		Device:  calib.IdentityOf(evdev.Describe(d.Node())),
		Brake:   &calib.Axis{Code: "ABS_Z", Rest: 4000, Press: 2000},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, DefaultConfig(), store)
	until(t, p, "connected", func(Sample) bool { return p.Status().Present })
	var s Sample
	if p.Poll(&s); s != absent {
		t.Errorf("%+v from the kernel's initial 0, want %+v", s, absent)
	}
	set(t, d, uinput.AbsZ, 4000)
	until(t, p, "present", is)
	set(t, d, uinput.AbsZ, 3000)
	set(t, d, uinput.AbsX, 4000) // the profile has no pedal there
	if p.Poll(&s); s != (Sample{Brake: 0.5, Present: true}) {
		t.Errorf("got %+v, want brake 0.5 alone", s)
	}
}

func TestVMPedalHeldAtStartStaysReleased(t *testing.T) {
	d := newDevice(t)
	p := start(t, DefaultConfig(), calib.Store{Dir: t.TempDir()})
	until(t, p, "connected", func(Sample) bool { return p.Status().Present })
	for _, v := range []int32{4095, 2048, 0, 4095} {
		set(t, d, uinput.AbsX, v)
		var s Sample
		if p.Poll(&s); s != absent {
			t.Errorf("at %d: %+v, want it released", v, s)
		}
	}
	until(t, p, "notes", func(Sample) bool { return len(p.Status().Notes) > 0 })
	if n := p.Status().Notes; !strings.Contains(n[0], "throttle") {
		t.Errorf("notes %q, want the first of the throttle", n)
	}
}

func TestVMVanishedPedalsBrakeAndComeBack(t *testing.T) {
	d := newDevice(t)
	p := start(t, DefaultConfig(), calib.Store{Dir: t.TempDir()})
	until(t, p, "connected", func(Sample) bool { return p.Status().Present })
	letGo(t, d, p, uinput.AbsX, uinput.AbsY)
	set(t, d, uinput.AbsX, 200, 2048, 4095)
	until(t, p, "full throttle", func(s Sample) bool { return s.Throttle == 1 })
	d.Close()
	t.Logf("absent after %v", until(t, p, "absent", not))
	var s Sample
	if p.Poll(&s); s != (Sample{Brake: 0.2}) {
		t.Errorf("vanished: %+v, want brake 0.2 alone", s)
	}
	d = newDevice(t)
	t.Logf("back after %v", until(t, p, "connected again", func(Sample) bool { return p.Status().Present }))
	letGo(t, d, p, uinput.AbsX, uinput.AbsY)
}

func TestVMPedalsOnTheWheel(t *testing.T) {
	inGuest(t)
	w, err := g29.New(g29.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Unplug)
	if _, err := w.Node(); err != nil {
		t.Fatal(err)
	}
	p := start(t, DefaultConfig(), calib.Store{Dir: t.TempDir()})
	until(t, p, "connected", func(Sample) bool { return p.Status().Present })
	var s Sample
	if p.Poll(&s); s != absent {
		t.Errorf("before the first report %+v, want %+v", s, absent)
	}
	in := g29.AtRest()
	w.SetInput(in)
	until(t, p, "present", is)
	if p.Poll(&s); s != (Sample{Present: true}) {
		t.Errorf("at rest %+v, want all released", s)
	}
	in.Gas, in.Brake, in.Clutch = 0, 128, 255
	w.SetInput(in)
	time.Sleep(20 * time.Millisecond)
	if p.Poll(&s); s.Throttle != 1 || math.Abs(s.Brake-0.498) > 1e-2 || s.Clutch != 0 {
		t.Errorf("got %+v, want throttle 1, brake 0.5, clutch 0", s)
	}
	if n := testing.AllocsPerRun(100, func() { p.Poll(&s) }); n != 0 {
		t.Errorf("%v allocations a poll, want 0", n)
	}
}
