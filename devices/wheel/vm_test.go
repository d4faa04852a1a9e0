package wheel

import (
	"context"
	"log/slog"
	"math"
	"os"
	"strconv"
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

// pushVariable makes the test binary push this torque for ever instead of testing, and
// shakeVariable lets it vibrate with this peak beside, on a wheel of 2 N·m.
const (
	pushVariable  = "RIG_TEST_PUSH_NM"
	shakeVariable = "RIG_TEST_SHAKE_NM"
)

func TestMain(m *testing.M) {
	if nm, err := strconv.ParseFloat(os.Getenv(pushVariable), 64); err == nil {
		pushForEver(nm)
	}
	if os.Getenv(hogVariable) != "" {
		hog()
		return
	}
	os.Exit(m.Run())
}

func pushForEver(nm float64) {
	cfg := DefaultConfig()
	peak, err := strconv.ParseFloat(os.Getenv(shakeVariable), 64)
	if err == nil {
		cfg = twoNm()
		cfg.Vibration = 1
	}
	w := New(cfg, calib.Store{Dir: os.TempDir()}, slog.New(slog.DiscardHandler))
	w.EnableEffects(true)
	w.LimitEffects(1)
	go w.Run(context.Background())
	for {
		w.Vibrate(peak, 5)
		w.Push(nm)
		time.Sleep(time.Millisecond)
	}
}

// plug plugs in an emulated wheel for the length of the test.
func plug(t *testing.T, o g29.Options) *g29.Wheel {
	t.Helper()
	inGuest(t)
	dev, err := g29.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.Unplug)
	if _, err := dev.Node(); err != nil {
		t.Fatal(err)
	}
	return dev
}

// start runs a wheel for the length of the test.
func start(t *testing.T, cfg Config) *Wheel {
	t.Helper()
	return startWith(t, cfg, calib.Store{Dir: t.TempDir()})
}

func startWith(t *testing.T, cfg Config, store calib.Store) *Wheel {
	t.Helper()
	w := New(cfg, store, slog.New(slog.NewTextHandler(t.Output(), nil)))
	ended := make(chan error, 1)
	go func() { ended <- w.Run(t.Context()) }()
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return w
}

// drive polls and pushes once a millisecond for d and returns the last sample.
func drive(w *Wheel, nm float64, d time.Duration) (s Sample) {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(time.Millisecond) {
		w.Poll(&s)
		w.Push(nm)
	}
	return s
}

// present waits until the wheel is or is not there and returns how long it took.
func present(t *testing.T, w *Wheel, want bool) time.Duration {
	t.Helper()
	from := time.Now()
	var s Sample
	for time.Since(from) < 5*time.Second {
		if w.Poll(&s); s.Present == want {
			return time.Since(from)
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("present is %v after 5 s: %+v", s.Present, w.Status())
	return 0
}

// force waits for a report that satisfies ok and returns it.
func force(t *testing.T, dev *g29.Wheel, what string, ok func(g29.Report) bool) g29.Report {
	t.Helper()
	for range 2000 {
		for _, r := range dev.Reports() {
			if (r.Kind == g29.ConstantForce || r.Kind == g29.Stop) && ok(r) {
				return r
			}
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("no report within 2 s: %s", what)
	return g29.Report{}
}

// atMost fails if d is longer than limit. Only in virtual time is the limit
// exact: else a busy host stretches everything.
func atMost(t *testing.T, d, limit time.Duration) {
	t.Helper()
	if !vmVirtual() {
		limit += 100 * time.Millisecond
	}
	if d > limit {
		t.Errorf("took %v, want at most %v", d, limit)
	}
}

func pushing(r g29.Report) bool { return r.Kind == g29.ConstantForce && r.Force != g29.NoForce }
func resting(r g29.Report) bool { return r.Force == g29.NoForce }

func now() time.Duration { return monotonic() }

func TestVMDiscoverySeesTheWheel(t *testing.T) {
	dev := plug(t, g29.Options{})
	node, _ := dev.Node()
	time.Sleep(300 * time.Millisecond) // the driver adds force after the node
	i := evdev.Describe(node)
	if i.Err != nil || i.Kind != evdev.KindWheel || !i.HasForce() || i.Driver != "logitech" {
		t.Errorf("got %+v, want a wheel with force on driver logitech", i)
	}
	for _, c := range []uint16{evdev.AbsY, evdev.AbsZ, evdev.AbsRZ} {
		if a, ok := i.Axis(c); !ok || a.Min != 0 || a.Max != 255 {
			t.Errorf("pedal axis %s: %+v, want 0..255", evdev.AbsName(c), a)
		}
	}
	t.Logf("%s %s:%s buttons %d effects %v phys %q", i.Name, i.Vendor, i.Product, len(i.Buttons), i.FFEffects, i.Phys)
}

func TestVMAngleIsPositiveLeft(t *testing.T) {
	dev := plug(t, g29.Options{})
	w := start(t, DefaultConfig())
	present(t, w, true)
	var s Sample
	if w.Poll(&s); s.Angle != 0 {
		t.Errorf("angle %g rad before the first report, want 0", s.Angle)
	}
	tests := []struct {
		name  string
		steer uint16
		want  float64 // [rad]
	}{
		{"full left", 0, 7.853982},
		{"straight", 0x8000, 0},
		{"half right", 0xc000, -3.927051},
		{"full right", 0xffff, -7.853862},
	}
	in := g29.AtRest()
	for _, c := range tests {
		for in.Steer != c.steer { // no rim jumps there
			in.Steer = uint16(min(max(int(c.steer), int(in.Steer)-3000), int(in.Steer)+3000))
			dev.SetInput(in)
			w.Poll(&s)
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(170 * time.Millisecond) // 8.5 rad at the highest speed of a rim
		if w.Poll(&s); math.Abs(s.Angle-c.want) > 2e-4 {
			t.Errorf("%s: angle %.6f rad, want %.6f", c.name, s.Angle, c.want)
		}
	}
}

// listen hears the wheel's buttons for the length of the test, and waits for edges.
func listen(t *testing.T, b Buttons) func(done func(Edges) bool) Edges {
	t.Helper()
	c := NewControls(b, "", slog.New(slog.NewTextHandler(t.Output(), nil)))
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { ended <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return func(done func(Edges) bool) Edges {
		t.Helper()
		for range 2000 {
			if e := c.Poll(); done(e) {
				return e
			}
			time.Sleep(time.Millisecond)
		}
		t.Fatal("nothing came from the buttons for 2 s")
		return Edges{}
	}
}

func TestVMPaddles(t *testing.T) {
	dev := plug(t, g29.Options{})
	wait := listen(t, Buttons{})
	w := start(t, DefaultConfig()) // reads the same node
	present(t, w, true)
	for _, c := range []struct {
		name   string
		button int
		want   Action
	}{{"right paddle", 4, ShiftUp}, {"left paddle", 5, ShiftDown}} {
		in := g29.AtRest()
		in.Buttons = 1 << c.button
		dev.SetInput(in)
		if e := wait(func(e Edges) bool { return e.Pressed != 0 }); e.Pressed != 1<<c.want || e.Down != 1<<c.want {
			t.Errorf("%s gives %+v, want %s", c.name, e, c.want)
		}
		dev.SetInput(g29.AtRest())
		wait(func(e Edges) bool { return e.Released.Has(c.want) && e.Down == 0 })
	}
	in := g29.AtRest()
	in.Buttons = 1 << 4
	dev.SetInput(in)
	wait(func(e Edges) bool { return e.Down.Has(ShiftUp) })
	dev.Unplug()
	wait(func(e Edges) bool { return e.Down == 0 })
}

func TestVMUnplugAndReplugWhilePushing(t *testing.T) {
	dev := plug(t, g29.Options{})
	w := start(t, DefaultConfig())
	present(t, w, true)
	drive(w, 1, 100*time.Millisecond)
	dev.Unplug()
	gone := present(t, w, false)
	t.Logf("absent %v after the unplug", gone)
	if w.Rated() != 0 {
		t.Errorf("rated %g N·m without a wheel, want 0", w.Rated())
	}
	drive(w, 1, 100*time.Millisecond) // must not crash
	again := plug(t, g29.Options{})
	took := present(t, w, true)
	t.Logf("present %v after the new node", took)
	atMost(t, took, 1500*time.Millisecond)
	drive(w, 1, 50*time.Millisecond)
	force(t, again, "force on the new device", pushing)
}

func TestVMUnknownWheelIsHandledWithCare(t *testing.T) {
	inGuest(t)
	dev, err := uinput.New(uinput.Wheel())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.Close)
	w := start(t, DefaultConfig())
	present(t, w, true)
	if got := w.Rated(); got != 1 || len(w.Status().Notes) != 2 {
		t.Errorf("rated %g N·m, notes %q; want 1 and two reasons", got, w.Status().Notes)
	}
	drive(w, 50, 100*time.Millisecond)
	most := 0
	for _, r := range dev.Requests() {
		if r.Kind == uinput.UploadEffect {
			most = max(most, int(r.Effect.Level()))
		}
	}
	if most != 1638 { // 1 N·m of a full force taken for 20
		t.Errorf("level %d, want 1638", most)
	}
}

func TestVMCalibrationTurnsTheSign(t *testing.T) {
	dev := plug(t, g29.Options{})
	node, _ := dev.Node()
	store := calib.Store{Dir: t.TempDir()}
	_, err := store.SaveWheel(calib.WheelProfile{
		Version: calib.ProfileVersion, Device: calib.IdentityOf(evdev.Describe(node)),
		Axis: "ABS_X", Left: 1000, Right: 61000, Center: 31000, RangeDeg: 600, Force: -1,
	})
	if err != nil {
		t.Fatal(err)
	}
	w := startWith(t, DefaultConfig(), store)
	present(t, w, true)
	in := g29.AtRest()
	in.Steer = 1000
	dev.SetInput(in)
	time.Sleep(120 * time.Millisecond) // 6 rad at the highest speed of a rim
	var s Sample
	if w.Poll(&s); math.Abs(s.Angle-5.235988) > 1e-6 { // 300 degrees
		t.Errorf("left lock at %.6f rad, want 5.235988", s.Angle)
	}
	drive(w, 1, 60*time.Millisecond)
	if r := force(t, dev, "force", pushing); r.Force >= g29.NoForce {
		t.Errorf("force byte %#x for a push to the left, want it below 0x80", r.Force)
	}
}

func TestVMRangeIsSet(t *testing.T) {
	dev := plug(t, g29.Options{})
	cfg := DefaultConfig()
	cfg.RangeDeg = 540
	w := start(t, cfg)
	present(t, w, true)
	node, _ := dev.Node()
	if got, err := evdev.Attr(evdev.DeviceFolder("/sys", node), "range"); err != nil || got != "540" {
		t.Errorf("range attribute %s, %v; want 540", got, err)
	}
	time.Sleep(50 * time.Millisecond) // the wheel takes a report each 2 ms
	found := false
	for _, r := range dev.Reports() {
		found = found || r.Kind == g29.Range && r.Degrees == 540
	}
	if !found {
		t.Error("the wheel was not told 540 degrees")
	}
	in := g29.AtRest()
	in.Steer = 0
	dev.SetInput(in)
	time.Sleep(120 * time.Millisecond) // 6 rad at the highest speed of a rim
	var s Sample
	if w.Poll(&s); math.Abs(s.Angle-4.712389) > 1e-4 {
		t.Errorf("left lock at %.5f rad, want 4.71239", s.Angle)
	}
}

// Calibrated at 900 degrees and driven at 450: the rim that stood straight at
// 2000 counts from the middle now stands so at 4000.
func TestVMRangeMovesTheCalibratedCenter(t *testing.T) {
	dev := plug(t, g29.Options{})
	node, _ := dev.Node()
	store := calib.Store{Dir: t.TempDir()}
	_, err := store.SaveWheel(calib.WheelProfile{
		Version: calib.ProfileVersion, Device: calib.IdentityOf(evdev.Describe(node)),
		Axis: "ABS_X", Left: 0, Right: 65535, Center: 34768, RangeDeg: 900, Force: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	cfg := DefaultConfig()
	cfg.RangeDeg = 450
	w := startWith(t, cfg, store)
	present(t, w, true)
	in := g29.AtRest()
	in.Steer = 36768
	dev.SetInput(in)
	time.Sleep(20 * time.Millisecond)
	var s Sample
	if w.Poll(&s); math.Abs(s.Angle) > 1e-3 {
		t.Errorf("straight ahead is %.4f rad, want 0", s.Angle)
	}
}

func TestVMRangeTheDriverCannotDo(t *testing.T) {
	plug(t, g29.Options{})
	cfg := DefaultConfig()
	cfg.RangeDeg = 1080
	w := start(t, cfg)
	present(t, w, true)
	if st := w.Status(); st.RangeDeg != 900 || len(st.Notes) != 1 {
		t.Errorf("range %g degrees, notes %q; want the driver's 900 and a note", st.RangeDeg, st.Notes)
	}
}

func TestVMLoopCallsAllocateNothing(t *testing.T) {
	dev := plug(t, g29.Options{})
	w := start(t, DefaultConfig())
	present(t, w, true)
	dev.SetInput(g29.AtRest())
	var s Sample
	n := testing.AllocsPerRun(200, func() { w.Poll(&s); w.Push(0.5) })
	if n != 0 || !s.Present {
		t.Errorf("%v allocations a tick (present %v), want 0", n, s.Present)
	}
}

// vmVirtual tells that the guest's clock counts instructions.
func vmVirtual() bool { return os.Getenv("RIG_VM_CLOCK") == "virtual" }
