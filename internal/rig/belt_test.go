package rig

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"rig/devices/estop"
	"rig/devices/motion"
	"rig/internal/config"
	"rig/internal/frame"
	"rig/internal/guard"
)

// drivenInTime ticks a rig until reached holds, and gives its devices the time they need.
func drivenInTime(t *testing.T, r *Rig, what string, reached func() bool) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); !reached(); time.Sleep(time.Millisecond) {
		if err := r.Tick(); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if time.Now().After(limit) {
			t.Fatalf("never %s: %v, platform %v", what, r.guard.State(), r.status.State)
		}
	}
}

// A belt that opens in a bend parks a real platform on its own path; the operator's word, and
// nothing before it, homes it again.
func TestABeltParksAPlatformThatIsHomedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as a platform")
	}
	page, err := frame.Create(filepath.Join(t.TempDir(), "page"))
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	o := Options{Config: config.Default(), Demo: true, Headless: true, Log: slog.New(slog.DiscardHandler)}
	r, devices, err := build(o)
	if err != nil {
		t.Fatal(err)
	}
	line := &buckle{}
	r.page, r.belt.line = page, line
	r.orders.start.Store(true)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	devices.start(ctx, &wg)
	watch := &supervisor{rig: r, devices: devices, log: o.Log, orders: make(chan Order)}
	wg.Go(func() { watch.run(ctx) })

	driving := func() bool { return r.guard.State() == guard.Driving && r.status.State == motion.Active }
	drivenInTime(t, r, "driving", driving)
	line.cause = estop.Opened
	drivenInTime(t, r, "parked", func() bool { return r.guard.State() == guard.Ready && r.status.State == motion.Parked })
	line.cause = estop.None
	ticks := 0
	drivenInTime(t, r, "half a second on", func() bool { ticks++; return ticks > 500 })
	if r.status.State != motion.Parked || r.guard.State() != guard.Ready {
		t.Errorf("%v, platform %v before the operator's word", r.guard.State(), r.status.State)
	}
	r.orders.clear.Store(true)
	drivenInTime(t, r, "driving again", driving)

	r.orders.release.Store(true)
	for limit := time.Now().Add(time.Minute); r.Tick() == nil && time.Now().Before(limit); time.Sleep(time.Millisecond) {
	}
	cancel()
	wg.Wait()
	if err := devices.close(); err != nil || r.verdict() != nil {
		t.Errorf("%v, %v", err, r.verdict())
	}
}

// buckle is a line that a test opens.
type buckle struct{ cause estop.Cause }

func (b *buckle) State() (bool, estop.Cause) { return b.cause != estop.None, b.cause }
func (b *buckle) Enable(bool)                {}
func (b *buckle) Relay() (bool, estop.Cause) { return false, estop.None }

func TestAnOpenBeltParksThePlatform(t *testing.T) {
	r := withPage(t, demo(t))
	line, platform := &buckle{}, &following{state: motion.Active}
	r.belt.line, r.platform = line, platform
	run(t, r, 4000)
	line.cause = estop.Opened
	run(t, r, 1)
	if r.guard.State() != guard.Releasing || !platform.unbelted || r.torque == 0 {
		t.Fatalf("%v, platform told %v, %g N·m: want a fade", r.guard.State(), platform.unbelted, r.torque)
	}
	run(t, r, 1000)
	if r.guard.State() != guard.Ready || r.torque != 0 || r.frame.Flags&frame.BeltOpen == 0 {
		t.Errorf("%v, %g N·m", r.guard.State(), r.torque)
	}
	line.cause = estop.None
	if run(t, r, 1000); r.guard.State() != guard.Ready || platform.unbelted || r.frame.Flags&(frame.BeltOpen|frame.Unbelted) != frame.Unbelted {
		t.Errorf("%v before the operator's word, flags %b", r.guard.State(), r.frame.Flags)
	}
	r.orders.clear.Store(true)
	if run(t, r, 2500); r.guard.State() != guard.Driving || r.frame.Flags&frame.Unbelted != 0 {
		t.Errorf("%v after it", r.guard.State())
	}
}

// A button that is named must be held; one that is not named is not asked for.
func TestAButtonForTheBelt(t *testing.T) {
	for _, tt := range []struct {
		name        string
		named, held bool
		line        estop.Cause
		want        bool
	}{
		{"none named", false, false, estop.None, false},
		{"held", true, true, estop.None, false},
		{"let go", true, false, estop.None, true},
		{"held, and the line open", true, true, estop.Opened, true},
	} {
		i := interlock{button: tt.named, line: &buckle{tt.line}}
		if got := i.ask(tt.held); got != tt.want || i.open != tt.want {
			t.Errorf("%s: open %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A platform does not wait for the first tick to find its centre: it must not before anybody
// has looked at the belt.
func TestAPlatformIsHomedOnlyOnceTheBeltIsSeenClosed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as a platform")
	}
	for _, tt := range []struct {
		name   string
		begins estop.Cause
	}{{"open", estop.Opened}, {"closed", estop.None}} {
		t.Run(tt.name, func(t *testing.T) { homedBehind(t, &buckle{tt.begins}) })
	}
}

func homedBehind(t *testing.T, line *buckle) {
	cfg := config.Default()
	cfg.Motion.Protocol, cfg.Motion.BootWait, cfg.Buttons.Interlock, cfg.Profiles = motion.ProtocolSMC3, 0.1, "BTN_TOP", t.TempDir()
	serve, err := simulateController(&cfg.Motion, 2)
	if err != nil {
		t.Fatal(err)
	}
	r, devices, err := build(Options{Config: cfg, Headless: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	page, err := frame.Create(filepath.Join(t.TempDir(), "page"))
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	r.page, r.belt.button, r.belt.line = page, false, line
	r.orders.start.Store(true)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	alone, unplug := context.WithCancel(context.Background())
	var far sync.WaitGroup
	far.Go(func() { _ = serve(alone) })
	devices.start(ctx, &wg)
	watch := &supervisor{rig: r, devices: devices, log: slog.New(slog.DiscardHandler), orders: make(chan Order)}
	wg.Go(func() { watch.run(ctx) })
	defer func() { cancel(); wg.Wait(); _ = devices.close(); unplug(); far.Wait() }()

	for limit := time.Now().Add(time.Minute); devices.platform.Status().State < motion.Homing && time.Now().Before(limit); {
		time.Sleep(time.Millisecond)
	}
	if s := devices.platform.Status().State; s != motion.Halted {
		t.Fatalf("%v before the first tick", s)
	}
	homed := func() bool { return r.status.State == motion.Ready || r.status.State == motion.Active }
	if line.cause != estop.None {
		ticks := 0
		drivenInTime(t, r, "a while on", func() bool { ticks++; return ticks > 300 })
		if r.status.State != motion.Halted {
			t.Errorf("%v behind an open belt", r.status.State)
		}
		line.cause = estop.None
		drivenInTime(t, r, "seen closed", func() bool { return !r.belt.open })
		r.orders.clear.Store(true)
	}
	drivenInTime(t, r, "homed", homed)
}

// A belt that opens right after the operator's word takes it back, also when it is closed
// again before the platform is ordered home.
func TestAWordBeforeTheBeltOpenedHomesNothing(t *testing.T) {
	cfg := motion.DefaultConfig()
	cfg.Protocol, cfg.Port = motion.ProtocolSMC3, "/dev/serial/by-id/nothing"
	p, err := motion.New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := demo(t)
	s := &supervisor{rig: r, devices: &deviceSet{platform: p, log: slog.New(slog.DiscardHandler)}, log: slog.New(slog.DiscardHandler)}
	p.Interlock(true)
	p.Interlock(false)
	word := guard.Transition{From: guard.Ready, To: guard.Homing, Cause: guard.Cleared}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	r.belt.latched.Store(true)
	r.log.put(word, estop.None)
	s.logTransitions(ctx)
	time.Sleep(20 * time.Millisecond) // for what must not happen
	if !p.Status().Locked {
		t.Error("homed by a word from before the belt opened")
	}
	r.belt.latched.Store(false)
	r.log.put(word, estop.None)
	s.logTransitions(ctx)
	for limit := time.Now().Add(time.Minute); p.Status().Locked; time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("not homed by the operator's word")
		}
	}
}
