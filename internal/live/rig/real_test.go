package rig

import (
	"bytes"
	"errors"
	"log/slog"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/internal/live/loopback/loopbacktest"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// loose is a real wheel whose rim nobody holds, and which moves by itself.
type loose struct{ *wheel.Sim }

func (l *loose) Poll(out *wheel.Sample) {
	l.Sim.Step()
	l.Sim.Poll(out)
}

// hold has somebody hold the rim where the driver model does not want it, or let go.
func (l *loose) hold(on bool) {
	if !on {
		l.Hands(0, 0)
		return
	}
	l.Hands(2.5, 100)
}

// faulty is a wheel whose sensor is at fault.
type faulty struct{ *loose }

func (f faulty) Poll(out *wheel.Sample) {
	f.loose.Poll(out)
	out.Fault = true
}

// realDemoOf is a demo that turns a real rim and moves a real platform.
func realDemoOf(t *testing.T) (*Rig, *loose, *following) {
	t.Helper()
	cfg := config.Default()
	cfg.Guard.Engage = 0.2
	r := withPage(t, demoOf(t, cfg))
	rim, platform := &loose{wheel.NewSim(wheel.DefaultSimConfig())}, &following{state: motion.Active}
	r.wheel, r.rim, r.demo, r.platform = rim, nil, false, platform
	r.drive.Setup.AnyKeyStops = true
	r.drive.UseRimServo()
	return r, rim, platform
}

// A key of the window, a button and an order each stop a demo that moves real devices, and the operator's word ends
// that.
func TestAnythingStopsARealDemo(t *testing.T) {
	for name, press := range map[string]func(r *Rig, f *fingers){
		"an arrow":                  func(r *Rig, _ *fingers) { r.page.SetKeys(frame.KeyLeft) },
		"a key without a function":  func(r *Rig, _ *fingers) { r.page.SetKeys(frame.KeyOther) },
		"a button":                  func(_ *Rig, f *fingers) { f.next.Pressed = 1 << wheel.ShiftUp },
		"a button without function": func(_ *Rig, f *fingers) { f.next.Other = true },
		"a line in the terminal":    func(r *Rig, _ *fingers) { r.orders.Give(operator.EmergencyStop, guard.ByCommand) },
	} {
		r, _, platform := realDemoOf(t)
		f := &fingers{}
		r.controls = f
		hold(t, r, 0, 3000)
		if r.out.State != guard.Driving || platform.halted != 0 {
			t.Fatalf("%s: %v before it, halted %d times", name, r.out.State, platform.halted)
		}
		press(r, f)
		run(t, r, 1)
		if r.out.State != guard.Stopped || r.out.Torque != 0 || platform.halted != 1 {
			t.Errorf("%s: %v, %g N·m, platform halted %d times in that tick", name, r.out.State, r.out.Torque, platform.halted)
		}
		f.next = wheel.Edges{}
		if hold(t, r, 0, 500); r.out.State != guard.Stopped {
			t.Errorf("%s: %v without a confirmation", name, r.out.State)
		}
		r.orders.Give(operator.ClearFault, guard.ByCommand)
		if hold(t, r, 0, 1000); r.out.State != guard.Driving {
			t.Errorf("%s: %v after it", name, r.out.State)
		}
	}
}

// A button without a function is nothing where a person or nothing real drives.
func TestAButtonWithoutAFunctionIsNothingElsewhere(t *testing.T) {
	r, f := handed(t)
	f.next.Other = true
	if run(t, r, 10); r.out.State != guard.Driving || r.in.Buttons.Pressed != 0 {
		t.Errorf("%v", r.out.State)
	}
}

// The rim of a real demo turns as the driver model steers, with what a wheel of 2.2 N·m gets: 2 at most.
func TestARealDemoTurnsTheRim(t *testing.T) {
	r, rim, _ := realDemoOf(t)
	most, worst := 0.0, 0.0
	for range 20_000 {
		hold(t, r, 0, 1)
		if r.drive.State.Car.Speed > 5 {
			most = max(most, math.Abs(r.drive.State.Input.Steer))
			worst = max(worst, math.Abs(r.drive.State.Input.Steer-r.in.Wheel.Angle))
		}
	}
	if most < 0.4 || worst > 0.4 || r.extremes.totalTorque > 2 || r.extremes.torque < 0.3 {
		t.Errorf("steered up to %.2f rad, the rim was up to %.2f away, %.2f N·m at most", most, worst, r.extremes.totalTorque)
	}
	rim.hold(true)
	for ticks := 0; r.out.State == guard.Driving && ticks < 3000; ticks++ {
		hold(t, r, 0, 1)
	}
	if r.out.State != guard.Fault || r.out.Torque != 0 {
		t.Fatalf("%v with %g N·m at a rim that is held", r.out.State, r.out.Torque)
	}
	said := &bytes.Buffer{}
	s := &supervisor{rig: r, devices: &deviceSet{}, log: slog.New(slog.NewTextHandler(said, nil))}
	s.logTransitions(t.Context())
	set := deviceSet{demo: true, real: true, rimStuck: r.rimStuck.Load}
	if n := set.notice(&r.out.Frame); !strings.Contains(said.String(), "a device reports a fault: "+rimStuckText) || !strings.Contains(n, rimStuckText) {
		t.Errorf("told %q, logged %s", n, said)
	}
	rim.hold(false)
	r.orders.Give(operator.ClearFault, guard.ByCommand)
	if hold(t, r, 0, 1000); r.out.State != guard.Driving {
		t.Errorf("%v after the confirmation", r.out.State)
	}
	r.wheel = faulty{rim}
	if hold(t, r, 0, 1); r.out.State != guard.Fault || strings.Contains(set.notice(&r.out.Frame), rimStuckText) {
		t.Errorf("%v by a faulty sensor, told %q", r.out.State, set.notice(&r.out.Frame))
	}
}

// A gap counts in a demo that moves real devices, as it does with a person.
func TestAGapCountsInARealDemo(t *testing.T) {
	r, _, _ := realDemoOf(t)
	hold(t, r, 0, 3000)
	r.stats.Lateness.Add(0)
	hold(t, r, 0, 1)
	r.stats.Lateness.Add(guard.DriveEndingGap*1e9 + 1e8)
	if hold(t, r, 0, 1); r.out.State != guard.Releasing || r.out.LatchedCause != guard.LoopStalled {
		t.Errorf("%v, %v after a gap", r.out.State, r.out.LatchedCause)
	}
}

// The recorded inputs of a demo that turns a real rim, is stopped by a key and has its rim held drive it again to
// the last bit.
func TestARealDemoReplaysFromItsRecording(t *testing.T) {
	level.SkipIfQuick(t)
	cfg := config.Default()
	cfg.Guard.Engage = 0.2
	r, rim, _ := realDemoOf(t)
	rec, path := recorderOf(t, r, cfg, true)
	states := map[guard.State]bool{}
	for tick := range 16_000 {
		keys := uint64(0)
		if tick > 5000 && tick < 5050 {
			keys = frame.KeyRight
		}
		r.page.SetKeys(keys)
		if tick == 6000 || tick == 13_000 {
			r.orders.Give(operator.ClearFault, guard.ByCommand)
		}
		rim.hold(tick > 8000 && tick < 12_500)
		r.in = r.sense()
		rec.Before(&r.in, &r.drive.State)
		r.out = r.drive.Step(&r.in)
		rec.After(&r.drive.State, r.out)
		states[r.out.State] = true
		if r.act(&r.in, r.out); tick%500 == 0 {
			rec.Pack()
			rec.Wait()
		}
	}
	if err := rec.Close(&r.drive.State, ""); err != nil {
		t.Fatal(err)
	}
	if !states[guard.Stopped] || !states[guard.Fault] || r.out.State != guard.Driving {
		t.Errorf("met %v, ended %v", states, r.out.State)
	}
	file, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if s := file.Header.Setup; !s.Demo || !s.RimServo || !s.AnyKeyStops {
		t.Errorf("the header has %+v", s)
	}
	p, err := replay.NewPlayer(file, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Verify(func(float64) {})
	if err != nil || !v.Equal || v.Ticks != 16_000 || p.Drive.State != r.drive.State {
		t.Errorf("%+v, %v, %+v", v, err, drive.Differences(&p.Drive.State, &r.drive.State, 3))
	}
}

// realConfig is the configuration of an SMC3 platform on a line in memory.
func realConfig(t *testing.T) config.Config {
	t.Helper()
	cfg := config.Default()
	cfg.Track, cfg.Profiles = "skidpad", t.TempDir()
	cfg.Motion.Protocol, cfg.Motion.Port, cfg.Motion.BootWait = motion.ProtocolSMC3, "memory", 0.1
	return cfg
}

// A demo with a real platform reads its switches, says so beforehand, moves that platform within its limits, and a
// demo without --real never does.
func TestARealPlatformIsMovedByTheDriverModel(t *testing.T) {
	level.SkipIfQuick(t)
	synctest.Test(t, func(t *testing.T) {
		cfg := realConfig(t)
		cfg.Buttons.Interlock = "BTN_TOP"
		o := Options{Config: cfg, Demo: true, Real: Real{Platform: true}}
		door, buttons := &buckle{cause: estop.Opened}, &fingers{}
		r, d, end := supervisedOn(t, o, func(r *Rig) {
			if !r.drive.Setup.InterlockButton || !r.drive.Setup.AnyKeyStops || r.demo || r.drive.HasRimServo() || r.rim == nil {
				t.Errorf("interlock %v, any key stops %v, gaps count %v, turns the rim %v", r.drive.Setup.InterlockButton, r.drive.Setup.AnyKeyStops, !r.demo, r.drive.HasRimServo())
			}
			r.drive.Setup.InterlockButton, r.interlock.Line, r.controls = false, door, buttons
		}, &loopbacktest.Line{})
		for _, want := range []string{"until you end it", "smc3 platform on memory", "between 10 % of the stroke and 90 % of the stroke", "0.8 strokes/s and 4 strokes/s²",
			"Nobody may be on the seat", "fasten the belt on the empty seat", "Emergency stop: Enter in this terminal, any key in the window, any button", "Ctrl-C"} {
			if text := o.realText(r, d); !strings.Contains(text, want) || strings.Contains(text, "rim") {
				t.Errorf("%q lacks %q", text, want)
			}
		}
		ticks := 0
		drivenInTime(t, r, "a while on", func() bool { ticks++; return ticks > 3000 })
		if s := platformOf(r); s.Follows() {
			t.Errorf("%v behind an open door", s)
		}
		door.cause = estop.None
		drivenInTime(t, r, "closed", func() bool { return !r.out.Platform.InterlockOpen })
		r.orders.Give(operator.ClearFault, guard.ByCommand)
		drivenInTime(t, r, "driving", func() bool { return engaged(r, nil) })
		buttons.next.Other = true
		drivenInTime(t, r, "halted", func() bool { return r.out.State == guard.Stopped && platformOf(r) == motion.Halted })
		buttons.next.Other = false
		r.orders.Give(operator.ClearFault, guard.ByCommand)
		drivenInTime(t, r, "driving again", func() bool { return engaged(r, nil) })
		r.orders.Give(operator.FadeOutAndPark, guard.BySignal)
		for r.Tick() == nil {
			time.Sleep(time.Millisecond)
		}
		if err := end(); err != nil || r.endError() != nil || platformOf(r) != motion.Parked {
			t.Errorf("%v, %v, platform %v", err, r.endError(), platformOf(r))
		}
	})
}

// What is built for a real demo depends on what is to be real, and nothing moves before somebody agreed.
func TestARealDemoIsConfirmed(t *testing.T) {
	level.SkipIfQuick(t)
	said := &bytes.Buffer{}
	log := slog.New(slog.NewTextHandler(said, nil))
	cfg := realConfig(t)
	cfg.Buttons.Interlock = "BTN_TOP"
	o := Options{Config: cfg, Demo: true, Headless: true, Page: filepath.Join(t.TempDir(), "page"), Log: log, Real: Real{Platform: true, IgnoreInterlock: true}}
	if sum, err := Run(o); err == nil || !strings.Contains(err.Error(), "nobody was asked") || sum.ExitState != "" {
		t.Errorf("without a question: %+v, %v", sum, err)
	}
	no := errors.New("no")
	o.Confirm = func(text string) error {
		if !strings.Contains(text, "switches are ignored") {
			t.Errorf("asked %q", text)
		}
		return no
	}
	if sum, err := Run(o); !errors.Is(err, no) || sum.ExitState != "" {
		t.Errorf("refused: %+v, %v", sum, err)
	}
	o.Real = Real{Wheel: true}
	if _, err := Run(o); err == nil || !strings.Contains(err.Error(), "wheel") {
		t.Errorf("without a wheel: %v", err)
	}
	o.Real, o.Duration = Real{}, 1e8
	if _, err := Run(o); err != nil || strings.Count(said.String(), "the configured platform does not move") != 1 {
		t.Errorf("plain: %v, logged %s", err, said)
	}
}
