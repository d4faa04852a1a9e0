package rig

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/loopback/loopbacktest"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// platformOf returns what a rig's platform said in the last tick.
func platformOf(r *Rig) motion.State { return motion.State(r.in.Platform.State) }

// drivenInTime ticks a rig until reached holds, a millisecond of its bubble's time for each tick,
// which is what its devices have.
func drivenInTime(t *testing.T, r *Rig, what string, reached func() bool) {
	t.Helper()
	const most = 120_000
	for ticks := 0; !reached(); ticks++ {
		if err := r.Tick(); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if ticks > most {
			t.Fatalf("never %s: %v, platform %v", what, r.drive.State.Guard.State(), platformOf(r))
		}
		time.Sleep(time.Millisecond)
	}
}

// supervised builds a rig and runs its platform, over a line in memory, and what supervises it,
// all in the bubble that it is called in; edit comes before. No wheel or pedals run: they ask the
// kernel. end waits for everything.
func supervised(t *testing.T, o Options, edit func(*Rig)) (r *Rig, d *deviceSet, end func() error) {
	t.Helper()
	return supervisedOn(t, o, edit, &loopbacktest.Line{})
}

// supervisedOn is supervised with a line that a test breaks, or the platform as it was built if line is nil.
func supervisedOn(t *testing.T, o Options, edit func(*Rig), line *loopbacktest.Line) (r *Rig, d *deviceSet, end func() error) {
	t.Helper()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r, d, err := build(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	edit(r)
	w, p := d.wheel, d.pedals
	d.wheel, d.pedals, d.controls, d.demo, r.page = nil, nil, nil, true, shared
	if line != nil {
		d.connect(t, r, line)
	}
	r.orders.Start()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	d.start(ctx, &wg)
	watch := &supervisor{rig: r, devices: d, log: o.Log}
	wg.Go(func() { watch.run(ctx) })
	return r, d, func() error {
		cancel()
		wg.Wait()
		d.wheel, d.pedals = w, p
		return errors.Join(d.close(), shared.Close())
	}
}

// connect replaces the platform by one whose simulated controller is at the other end of a line, which a test breaks.
func (d *deviceSet) connect(t *testing.T, r *Rig, line *loopbacktest.Line) {
	t.Helper()
	dial := line.Dial(t, &d.motion, r.drive.Setup.Platform.Axes())
	p, isReal := d.platform.(*motion.Platform)
	if !isReal {
		var err error
		if p, err = motion.New(d.motion, d.log); err != nil {
			t.Fatal(err)
		}
		d.platform, r.platform = p, p
	}
	p.Dial(dial)
	d.controller = line.Serve
}

// A belt that opens in a bend parks a real platform on its own path; the operator's word, and
// nothing before it, homes it again.
func TestABeltParksAPlatformThatIsHomedAgain(t *testing.T) {
	level.SkipIfQuick(t)
	synctest.Test(t, func(t *testing.T) {
		line := &buckle{}
		r, _, end := supervised(t, Options{Config: config.Default(), Demo: true}, func(r *Rig) { r.interlock.Line = line })
		driving := func() bool { return engaged(r, nil) }
		drivenInTime(t, r, "driving", driving)
		line.cause = estop.Opened
		drivenInTime(t, r, "parked", func() bool {
			return r.drive.State.Guard.State() == guard.Ready && platformOf(r) == motion.Parked
		})
		line.cause = estop.None
		ticks := 0
		drivenInTime(t, r, "half a second on", func() bool { ticks++; return ticks > 500 })
		if platformOf(r) != motion.Parked || r.drive.State.Guard.State() != guard.Ready {
			t.Errorf("%v, platform %v before the operator's word", r.drive.State.Guard.State(), platformOf(r))
		}
		r.orders.Give(operator.ClearFault, guard.ByCommand)
		drivenInTime(t, r, "driving again", driving)

		r.orders.Give(operator.FadeOutAndPark, guard.BySignal)
		for r.Tick() == nil {
			time.Sleep(time.Millisecond)
		}
		if err := end(); err != nil || r.endError() != nil {
			t.Errorf("%v, %v", err, r.endError())
		}
	})
}

// buckle is a line that a test opens.
type buckle struct{ cause estop.Cause }

func (b *buckle) State() (bool, estop.Cause) { return b.cause != estop.None, b.cause }
func (b *buckle) Enable(bool)                {}
func (b *buckle) Relay() (bool, estop.Cause) { return false, estop.None }

func TestAnOpenBeltParksThePlatform(t *testing.T) {
	r := withPage(t, demo(t))
	line, platform := &buckle{}, &following{state: motion.Active}
	r.interlock.Line, r.platform = line, platform
	run(t, r, 4000)
	line.cause = estop.Opened
	run(t, r, 1)
	if r.drive.State.Guard.State() != guard.Releasing || !platform.unbelted || r.out.Torque == 0 {
		t.Fatalf("%v, platform told %v, %g N·m: want a fade", r.drive.State.Guard.State(), platform.unbelted, r.out.Torque)
	}
	run(t, r, 1000)
	if r.drive.State.Guard.State() != guard.Ready || r.out.Torque != 0 || r.out.Frame.Flags&frame.InterlockOpen == 0 {
		t.Errorf("%v, %g N·m", r.drive.State.Guard.State(), r.out.Torque)
	}
	line.cause = estop.None
	if run(t, r, 1000); r.drive.State.Guard.State() != guard.Ready || platform.unbelted || r.out.Frame.Flags&(frame.InterlockOpen|frame.ConfirmInterlock) != frame.ConfirmInterlock {
		t.Errorf("%v before the operator's word, flags %b", r.drive.State.Guard.State(), r.out.Frame.Flags)
	}
	r.orders.Give(operator.ClearFault, guard.ByCommand)
	if run(t, r, 2500); r.drive.State.Guard.State() != guard.Driving || r.out.Frame.Flags&frame.ConfirmInterlock != 0 {
		t.Errorf("%v after it", r.drive.State.Guard.State())
	}
}

// A platform does not wait for the first tick to find its center: it must not before anybody
// has looked at the belt.
func TestAPlatformIsHomedOnlyOnceTheBeltIsSeenClosed(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		name   string
		begins estop.Cause
	}{{"open", estop.Opened}, {"closed", estop.None}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { homedBehind(t, &buckle{tt.begins}) })
		})
	}
}

func homedBehind(t *testing.T, line *buckle) {
	cfg := config.Default()
	cfg.Motion.Protocol, cfg.Motion.Port, cfg.Motion.BootWait = motion.ProtocolSMC3, "memory", 0.1
	cfg.Buttons.Interlock, cfg.Profiles = "BTN_TOP", t.TempDir()
	r, d, end := supervised(t, Options{Config: cfg}, func(r *Rig) { r.drive.Setup.InterlockButton, r.interlock.Line = false, line })
	for d.platform.Status().State < motion.Homing {
		time.Sleep(time.Millisecond)
	}
	if s := d.platform.Status().State; s != motion.Halted {
		t.Errorf("%v before the first tick", s)
	}
	if line.cause != estop.None {
		ticks := 0
		drivenInTime(t, r, "a while on", func() bool { ticks++; return ticks > 300 })
		if platformOf(r) != motion.Halted {
			t.Errorf("%v behind an open belt", platformOf(r))
		}
		line.cause = estop.None
		drivenInTime(t, r, "seen closed", func() bool { return !r.out.Platform.InterlockOpen })
		r.orders.Give(operator.ClearFault, guard.ByCommand)
	}
	drivenInTime(t, r, "homed", func() bool { return platformOf(r).Follows() })
	if err := end(); err != nil {
		t.Error(err)
	}
}
