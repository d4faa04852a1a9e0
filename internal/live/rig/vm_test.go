package rig

import (
	"context"
	"log/slog"
	"math"
	"os"
	"sync"
	"testing"
	"time"

	"rig.example/rig/devices/levers"
	"rig.example/rig/internal/files/config"
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

// seatedAt returns a rig behind real devices that run for the length of the test.
func seatedAt(t *testing.T, cfg config.Config) *Rig {
	t.Helper()
	if cfg.Profiles == "" {
		cfg.Profiles = t.TempDir()
	}
	r := assembled(t, cfg)
	d := &deviceSet{log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	if err := d.useReal(r, cfg); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	d.start(ctx, &wg)
	t.Cleanup(func() {
		cancel()
		wg.Wait()
		if err := d.close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// awaitDevices ticks until the wheel and its pedals are there, which count once they were seen at rest, and a while
// longer.
func awaitDevices(t *testing.T, r *Rig, w *g29.Wheel) {
	t.Helper()
	for i := range 5000 {
		if i%1000 == 0 { // a foot touches the throttle and lets go
			touched := g29.AtRest()
			touched.Gas -= touched.Gas / 10
			w.SetInput(touched)
			time.Sleep(10 * time.Millisecond)
			w.SetInput(g29.AtRest())
		}
		if in := r.sense(); in.Wheel.Present && in.Pedals.Present {
			time.Sleep(300 * time.Millisecond)
			r.sense()
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("wheel and pedals did not come within 5 s")
}

// A wheel with pedals, a shifter on a node of its own and a box of buttons.
func TestVMDevicesCostLittle(t *testing.T) {
	inGuest(t)
	dev, _ := plugG29(t)
	box := uinput.Pedals()
	box.Name, box.Keys = "Shifter box", []uint16{uinput.BtnTrigger}
	shifter, err := uinput.New(box)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shifter.Close)
	cfg := config.Default()
	cfg.Buttons.Pause, cfg.Buttons.LookLeft = "shifter:BTN_TRIGGER", "hat0-left"
	cfg.Pedals.Device = "G29"
	cfg.Pedals.Extra = append(cfg.Pedals.Extra, extra("handbrake", "Shifter", "ABS_X"))
	r := seatedAt(t, cfg)
	awaitDevices(t, r, dev)
	allocations := testing.AllocsPerRun(1000, func() { r.sense() })
	if allocations != 0 {
		t.Errorf("%v allocations a tick", allocations)
	}
	const ticks = 5000
	began := time.Now()
	for range ticks {
		r.sense()
	}
	idle := time.Since(began) / ticks
	t.Logf("figure: all devices read with nothing new: %v and %v allocations a tick", idle, allocations)
	// In virtual time each instruction counts 2 ns: half of this judges what rim and feet can do.
	if os.Getenv("RIG_VM_CLOCK") == "virtual" && idle > 30*time.Microsecond {
		t.Errorf("%v a tick, want 30 µs at most", idle)
	}
}

// plugG29 plugs an emulated wheel in until the test ends, and returns its node too.
func plugG29(t *testing.T) (*g29.Wheel, string) {
	t.Helper()
	dev, err := g29.New(g29.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.Unplug)
	node, err := dev.Node()
	if err != nil {
		t.Fatal(err)
	}
	return dev, node
}

// What the kernel has told is in the input of the very next tick.
func TestVMEventIsInTheNextInput(t *testing.T) {
	inGuest(t)
	dev, node := plugG29(t)
	r := seatedAt(t, config.Default())
	awaitDevices(t, r, dev)
	witness := open(t, node)
	const events = 20
	for i := range events {
		time.Sleep(2 * time.Millisecond)
		in := g29.AtRest()
		in.Steer = uint16(0x8000 - 100*(i+1)) // at most 12 rad/s: a faster rim is not believed
		dev.SetInput(in)
		for heard := false; !heard; time.Sleep(100 * time.Microsecond) {
			heard = witness()
		}
		got := r.sense().Wheel.Angle
		want := 100 * float64(i+1) / 0xffff * 900 * math.Pi / 180
		if math.Abs(got-want) > 2e-4 {
			t.Fatalf("steer %.4f rad in the tick after the event, want %.4f", got, want)
		}
	}
	t.Logf("figure: %d of %d events are in the input of the very next tick", events, events)
}

// extra is a pedal or lever on a node of its own.
func extra(axis, device, code string) levers.ExtraAxis {
	return levers.ExtraAxis{Axis: axis, Device: device, Code: code}
}

// open opens the node once more; the function reports whether it has new events.
func open(t *testing.T, path string) func() bool {
	t.Helper()
	node, err := evdev.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { node.Close() })
	var buf [64]evdev.Event
	return func() bool {
		n, err := node.Read(buf[:])
		if err != nil {
			t.Fatal(err)
		}
		return n > 0
	}
}
