package motion

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
)

// newDemo returns the platform of a demo, and what it logs.
func newDemo(t testing.TB) (*Demo, *bytes.Buffer) {
	t.Helper()
	cfg, said := DefaultConfig(), &bytes.Buffer{}
	cfg.Protocol, cfg.BootWait = ProtocolSMC3, 0.1
	v, err := NewVirtual(cfg, smc3.NewSimulator(smc3.DefaultSimulatorConfig()), slog.New(slog.NewTextHandler(said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	d := NewDemo(v)
	d.OrderHome()
	return d, said
}

// loopTick is what a loop does in a tick in which the platform follows.
func (d *Demo) loopTick(l wire.Legs) {
	d.Interlock(false)
	d.Push(l)
	d.Tick()
}

// wave is the target in a tick: it sways for ever, so that a gap would show.
func wave(tick int) wire.Legs { return wire.AllAt(0.5 + 0.1*float64(tick%400)/400) }

// A thread that is held up for seconds, at any moment, leaves no trace: the platform homes, follows and
// parks as one that is stepped in each tick, and nothing is a fault.
func TestADemoWhoseThreadIsHeldUpShowsNoFault(t *testing.T) {
	for _, held := range [][2]int{{0, 7000}, {100, 5000}, {3000, 8000}, {6000, 9900}} {
		steady, _ := newDemo(t)
		late, said := newDemo(t)
		for tick := range 10_000 {
			steady.loopTick(wave(tick))
			steady.catchUp()
			if late.loopTick(wave(tick)); tick < held[0] || tick >= held[1] {
				late.catchUp()
			}
		}
		got, want := fmt.Sprintf("%+v", late.Status()), fmt.Sprintf("%+v", steady.Status()) // as text, for NaN is no NaN
		if s := late.Status(); s.State != Active || s.Faults != 0 || got != want {
			t.Errorf("held up from tick %d to %d: %s, want %s", held[0], held[1], got, want)
		}
		late.v.Leave()
		for !late.v.Left() {
			if err := late.v.Step(virtualTick); err != nil {
				t.Error(err)
			}
		}
		if log := said.String(); late.Status().State != Parked || strings.Contains(log, "WARN") || !strings.Contains(log, "state=parked") {
			t.Errorf("ended %s; said %s", late.Status().State, log)
		}
	}
}

// A loop that does not wait, and a thread that comes when it likes.
func TestADemoParksOnceItsLoopHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, said := newDemo(t)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		var err error
		wg.Go(func() { err = d.Run(ctx) })
		for tick := 0; d.Status().State != Active; tick++ {
			d.loopTick(wave(tick))
			time.Sleep(time.Millisecond)
		}
		for range 3000 { // all at once
			d.loopTick(wire.AllAt(0.7))
		}
		cancel()
		wg.Wait()
		if s := d.Status(); err != nil || s.State != Parked || s.LastTarget[0] > 0.55 || strings.Contains(said.String(), "WARN") {
			t.Errorf("%v, %s at %v: %s", err, s.State, s.LastTarget, said)
		}
	})
}

// Orders act in the platform's time: an order to home comes after a belt that the loop saw closed before it, a halt
// of one tick is not lost, and each waits until it is carried out.
func TestOrdersToADemoComeAfterTheTicksBeforeThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := newDemo(t)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _ = d.Run(ctx) })
		defer func() { cancel(); wg.Wait() }()
		done := make(chan error, 1)
		order := func(f func(context.Context) error) {
			t.Helper()
			go func() { done <- f(ctx) }()
			for tick := 0; len(done) == 0; tick++ {
				if tick > 60_000 {
					t.Fatalf("%s a minute after an order", d.Status().State)
				}
				d.loopTick(wave(tick))
				time.Sleep(time.Millisecond)
			}
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		home := func() {
			t.Helper()
			if !d.OrderHome() {
				t.Error("a belt is open")
			}
			for tick := 0; tick < 20_000 && !(tick > 100 && d.Status().State.Follows()); tick++ {
				d.loopTick(wave(tick))
				time.Sleep(time.Millisecond)
			}
		}
		home()
		d.Halt()
		d.loopTick(wave(0))
		for range 1000 {
			d.loopTick(wave(0))
		}
		time.Sleep(10 * time.Millisecond)
		if s := d.Status().State; s != Halted {
			t.Errorf("%s after a halt", s)
		}
		for _, open := range []bool{true, false} { // not looked at yet when the order comes
			d.Interlock(open)
			d.Tick()
		}
		home()
		if s := d.Status(); s.InterlockLatched || !s.State.Follows() {
			t.Errorf("%s after an order to home, latched %v", s.State, s.InterlockLatched)
		}
		d.Halt() // not looked at yet either: the order to park ends it
		d.Tick()
		order(d.Park)
		if s := d.Status().State; s != Parked {
			t.Errorf("%s after an order to park", s)
		}
	})
}

// Where there is no room for more ticks the platform's time waits. The loop does not, and no halt is lost.
func TestADemoWithoutRoomWaits(t *testing.T) {
	d, said := newDemo(t)
	for range demoTicks {
		d.loopTick(wire.AllAt(0.5))
	}
	d.Halt()
	d.loopTick(wire.AllAt(0.5))
	d.loopTick(wire.AllAt(0.5))
	d.catchUp()
	if d.Status().State != Active {
		t.Fatalf("%s", d.Status().State)
	}
	for range 1000 {
		d.loopTick(wire.AllAt(0.5))
		d.catchUp()
	}
	if s := d.Status().State; s != Halted || d.delayed.Load() != 2 || strings.Contains(said.String(), "WARN") {
		t.Errorf("%s, %d ticks had no room: %s", s, d.delayed.Load(), said)
	}
}

func TestTheLoopsPartOfADemoAllocatesNothing(t *testing.T) {
	d, _ := newDemo(t)
	l := wire.AllAt(0.5)
	if n := testing.AllocsPerRun(2*demoTicks, func() {
		d.Interlock(false)
		d.Push(l)
		d.Halt()
		d.Tick()
		_ = d.Status()
	}); n != 0 {
		t.Errorf("%g allocations in a tick", n)
	}
}

func BenchmarkDemoTick(b *testing.B) {
	d, _ := newDemo(b)
	for i := range b.N {
		d.loopTick(wave(i))
		d.catchUp()
	}
}

// A platform awaits no order from the moment on in which one is given, however late its period or its thread: a drive
// that begins would take it for one that nobody wants, and go off without it.
func TestAnOrderToHomeCountsAtOnce(t *testing.T) {
	for _, late := range []int{0, 100, -1} { // ticks; -1 for a platform that had a fault
		d, _ := newDemo(t)
		d.next.home = false
		d.homed.Store(0)
		for range 1000 {
			d.loopTick(wire.AllAt(0.5))
			d.catchUp()
		}
		if s := d.Status(); s.State != Waiting || !s.AwaitsHome {
			t.Fatalf("%s, awaits an order: %v", s.State, s.AwaitsHome)
		}
		if late < 0 {
			d.v.p.trajectory.state, d.v.p.trajectory.faultCause = Fault, wire.FaultTarget
			for range 10 {
				d.loopTick(wire.AllAt(0.5))
				d.catchUp()
			}
			if s := d.Status(); s.State != Fault {
				t.Fatalf("%s, not at a fault", s.State)
			}
		}
		d.OrderHome()
		for tick := 0; !d.Status().State.Follows(); tick++ {
			if s := d.Status(); s.AwaitsHome || s.State == Fault || tick > 20_000 {
				t.Fatalf("%s in tick %d after the order, with a thread that is late by %d", s.State, tick, late)
			}
			if d.loopTick(wire.AllAt(0.5)); tick >= late {
				d.catchUp()
			}
		}
	}
}

// An order that a stop has overtaken is none.
func TestAPlatformAwaitsTheOrderThatAStopHasOvertaken(t *testing.T) {
	for name, overtake := range map[string]func(*Virtual){"stop": (*Virtual).Halt, "belt": func(v *Virtual) { v.Interlock(true) }} {
		d, _ := newDemo(t)
		for range 1000 {
			d.loopTick(wire.AllAt(0.5))
			d.catchUp()
		}
		d.v.sim.Reset()
		for range 1000 {
			d.loopTick(wire.AllAt(0.5))
			d.catchUp()
		}
		d.v.OrderHome()
		overtake(d.v)
		if s := d.Status(); !s.AwaitsHome {
			t.Errorf("%s: %s awaits nothing", name, s.State)
		}
	}
}
