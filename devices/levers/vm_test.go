package levers

import (
	"log/slog"
	"math"
	"os"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
	"rig.example/rig/test/vm/uinput"
)

const tenBits = 1023

// lever makes a device of its own, with eight buttons from BTN_TRIGGER on.
func lever(t *testing.T, name string, axes ...uint16) *uinput.Device {
	t.Helper()
	if os.Getenv("RIG_VM") == "" {
		t.Skip("needs the virtual machine: see test/vm/README.md")
	}
	c := uinput.Config{Name: name, Vendor: 0x1209, Product: 0x0001}
	for _, a := range axes {
		c.Axes = append(c.Axes, uinput.Axis{Code: a, Max: tenBits})
	}
	for i := range uint16(8) {
		c.Keys = append(c.Keys, uinput.BtnTrigger+i)
	}
	d, err := uinput.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// cockpit is levers, looked at once a tick.
type cockpit struct {
	t     *testing.T
	set   *Set
	start time.Time
	c     axis.Readings
	l     Sample
}

func run(t *testing.T, cfg Config, shapes axis.Shapes) *cockpit {
	t.Helper()
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	set, err := New(cfg, shapes, calib.Store{Dir: t.TempDir()}, 0.001, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- set.Run(t.Context()) }()
	t.Cleanup(func() {
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	return &cockpit{t: t, set: set, start: time.Now()}
}

func (c *cockpit) tick() {
	c.c = axis.Readings{}
	c.set.Read(&c.c, &c.l, time.Since(c.start))
}

// until ticks until ok, for 5 s at most.
func (c *cockpit) until(what string, ok func() bool) {
	c.t.Helper()
	for from := time.Now(); time.Since(from) < 5*time.Second; time.Sleep(time.Millisecond) {
		if c.tick(); ok() {
			c.t.Logf("%s after %v", what, time.Since(from))
			return
		}
	}
	c.t.Fatalf("not within 5 s: %s; %+v, %+v, %q", what, c.c, c.l, c.set.Problems())
}

func (c *cockpit) found() bool {
	return len(c.set.Problems()) == 0 && c.set.nodes[0].active != nil
}

func press(t *testing.T, d *uinput.Device, key uint16, down bool) {
	t.Helper()
	if err := d.Press(uinput.BtnTrigger+key, down); err != nil {
		t.Fatal(err)
	}
}

var gateConfig = Shifter{
	Kind: "h", Device: "Test gate", Debounce: 0.005,
	Gears:   []string{"BTN_TRIGGER", "BTN_THUMB", "BTN_THUMB2"},
	Reverse: "BTN_TOP",
}

func TestVMGate(t *testing.T) {
	d := lever(t, "Test gate", uinput.AbsX)
	c := run(t, Config{Shifter: gateConfig}, axis.Shapes{})
	c.until("found", c.found)
	if c.l != (Sample{HPattern: true}) {
		t.Errorf("at rest %+v, want neutral", c.l)
	}
	press(t, d, 1, true)
	if c.tick(); c.l.Gear != 2 {
		t.Errorf("one tick after the contact %+v, want second", c.l)
	}
	press(t, d, 1, false)
	press(t, d, 3, true)
	c.tick()
	if c.tick(); c.l.Gear != -1 {
		t.Errorf("got %+v, want reverse", c.l)
	}
	if n := testing.AllocsPerRun(100, c.tick); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
	d.Close()
	c.until("neutral when it is unplugged", func() bool { return c.l == Sample{HPattern: true} })
	d = lever(t, "Test gate", uinput.AbsX)
	c.until("found again", c.found)
	press(t, d, 0, true)
	c.until("first again", func() bool { return c.l.Gear == 1 })
}

func TestVMSequentialAndHandbrakeOnOneNode(t *testing.T) {
	d := lever(t, "Test lever", uinput.AbsX, uinput.AbsY)
	c := run(t, Config{
		Shifter: Shifter{Kind: "sequential", Device: "Test lever", Up: "BTN_TRIGGER", Down: "BTN_THUMB", Debounce: 0.002},
		Extra: Extras{
			{Axis: "handbrake", Device: "Test lever", Code: "ABS_X"},
			{Axis: "clutch", Device: "Test lever", Code: "ABS_Y", Rest: 100, Press: 900},
		},
	}, axis.Shapes{Handbrake: axis.Config{Invert: true}})
	const owned = 1<<axis.Handbrake | 1<<axis.Clutch
	c.until("found", c.found)
	if c.c != (axis.Readings{Assigned: owned}) {
		t.Errorf("before the first report %+v, want all released", c.c)
	}
	set(t, d, uinput.AbsX, 500)
	set(t, d, uinput.AbsY, 200)
	if c.tick(); c.c.Position[axis.Handbrake] != 0 {
		t.Errorf("handbrake %g before it was seen at rest, want 0", c.c.Position[axis.Handbrake])
	}
	set(t, d, uinput.AbsX, tenBits)
	set(t, d, uinput.AbsY, 100)
	c.until("seen at rest", func() bool { return c.c.Valid == owned })
	set(t, d, uinput.AbsX, 0)
	set(t, d, uinput.AbsY, 500)
	press(t, d, 0, true)
	if c.tick(); c.c.Position[axis.Handbrake] != 1 || math.Abs(c.c.Position[axis.Clutch]-0.5) > 1e-9 || !c.l.ShiftUp || c.l.ShiftDown {
		t.Errorf("got %+v, %+v", c.c, c.l)
	}
	d.Close()
	c.until("all released when it is unplugged", func() bool { return c.c == axis.Readings{Assigned: owned} && c.l == Sample{} })
}

func TestVMThrottleAndBrakeOnOneAxis(t *testing.T) {
	d := lever(t, "Test combined", uinput.AbsY)
	c := run(t, Config{Shifter: DefaultShifter(), Extra: Extras{{Axis: throttleBrake, Device: "Test combined", Code: "ABS_Y", Dead: 0.05}}}, axis.Shapes{})
	const owned = 1<<axis.Throttle | 1<<axis.Brake
	c.until("found", c.found)
	if c.c != (axis.Readings{Assigned: owned}) {
		t.Errorf("before the first report %+v, want all released", c.c)
	}
	set(t, d, uinput.AbsY, tenBits/2)
	c.until("seen in the middle", func() bool { return c.c.Valid == owned })
	set(t, d, uinput.AbsY, tenBits)
	if c.tick(); c.c != (axis.Readings{Assigned: owned, Valid: owned, Position: [axis.Count]float64{axis.Throttle: 1}}) {
		t.Errorf("at the top %+v, want full throttle", c.c)
	}
	set(t, d, uinput.AbsY, 0)
	if c.tick(); c.c != (axis.Readings{Assigned: owned, Valid: owned, Position: [axis.Count]float64{axis.Brake: 1}}) {
		t.Errorf("at the bottom %+v, want full braking", c.c)
	}
	d.Close()
	c.until("lost when it is unplugged", func() bool { return c.c == axis.Readings{Assigned: owned} })
}

// set reports a value, and leaves the time that a pedal takes for its whole travel.
func set(t *testing.T, d *uinput.Device, code uint16, v int32) {
	t.Helper()
	if err := d.Set(code, v); err != nil {
		t.Fatal(err)
	}
	time.Sleep(11 * time.Millisecond)
}
