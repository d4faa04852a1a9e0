package rig

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/levers"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/tools/watch"
)

// stubWheel, stubFeet and stubPlatform say what a test has them say.
type stubWheel struct {
	steeringWheel
	hands                                    wheel.Sample
	rated, rate, delay, room, headroom, adds float64
}

func (s *stubWheel) Poll(out *wheel.Sample) { *out = s.hands }
func (s *stubWheel) Rated() float64         { return s.rated }
func (s *stubWheel) UpdateRate() float64    { return s.rate }
func (s *stubWheel) Delay() float64         { return s.delay }

type stubOwn struct {
	ownEffects
	of *stubWheel
}

func (s stubOwn) EffectReserve() float64 { return s.of.room }
func (s stubOwn) MaxVibration() float64  { return s.of.headroom }
func (s stubOwn) EffectTorque() float64  { return s.of.adds }

type stubFeet struct{ pedals.Sample }

func (s *stubFeet) Poll(out *pedals.Sample) { *out = s.Sample }

type stubPlatform struct {
	platform
	status motion.Status
}

func (s *stubPlatform) Status() motion.Status { return s.status }

// eight are legs, or a pose, from a value on.
func eight(from float64) (v [8]float64) {
	for i := range v {
		v[i] = from + float64(i)/100
	}
	return v
}

// full is a rig all of whose devices say something, and the inputs that must result.
func full(t *testing.T) (*Rig, drive.Inputs) {
	r := withPage(t, demo(t))
	w := &stubWheel{hands: wheel.Sample{Angle: 0.1, Present: true, Fault: true}, rated: 1.1, rate: 1.2, delay: 1.3, room: 1.4, headroom: 1.5, adds: 1.6}
	r.wheel, r.ownEffects, r.demo = w, stubOwn{of: w}, false
	r.pedals = &stubFeet{pedals.Sample{Throttle: 0.2, Brake: 0.3, Clutch: 0.4, Handbrake: 0.5, Present: true, Fault: true,
		Levers: levers.Sample{ShiftUp: true, ShiftDown: true, HPattern: true, Gear: 3}}}
	r.controls = &fingers{wheel.Edges{Down: 1 << wheel.Handbrake, Pressed: 1 << wheel.Pause, Released: 1 << wheel.Reset}}
	r.page.SetKeys(frame.KeyUp)
	r.estop = &cutout{cause: estop.Opened, relay: estop.RelayFailed}
	r.interlock.Line = &cutout{cause: estop.Opened}
	r.platform = &stubPlatform{status: motion.Status{State: motion.Active, ParkDone: true, Faults: wire.FaultTemperature, Feedback: eight(1), Target: eight(2), FollowError: eight(3),
		Temperature: eight(4), Rate: 2.1, LineShare: 2.2, Latency: 2.3, TargetJumps: 7}}
	r.poseSolver = gaugeOf(t, config.Default().Geometry)
	pose := frame.Pose(eight(5))
	r.poseSolver.pose.Put(&pose)
	r.orders.Start()
	for by, order := range []operator.Order{operator.FadeOutAndPark, operator.EmergencyStop, operator.ClearFault, operator.Pause, operator.Resume} {
		r.orders.Give(order, guard.Origin(by+1))
	}
	r.orders.Tune(drive.Tune{Factor: drive.MotionSway, Share: 0.5})
	slept := time.Duration(0)
	r.gap.Suspended = func() (low, high time.Duration) { slept += time.Second; return slept, slept }
	r.stats.Lateness.Add(0)
	r.gap.Measure(r.stats, false)
	r.stats.Lateness.Add(250 * time.Millisecond)
	r.gap.HeldUp = true
	r.stats.Missed, r.stats.Dropped = 5, 6
	r.stats.Cost.Add(30 * time.Microsecond)
	packet := follow.Sample{Number: 9, Source: 2, Car: 3, Version: 4, Phase: follow.Live, Age: 1e-3, Time: 7, Pos: [3]float64{1, 2, 3}, Att: [4]float64{1, 2, 3, 4}, Vel: [3]float64{4, 5, 6}, Rate: [3]float64{7, 8, 9},
		Acc: [3]float64{1, 1, 2}, RPM: 5, Throttle: 0.1, Brake: 0.2, Clutch: 0.3, Steer: 0.4, Gear: 2, Travel: [4]float64{1, 2, 3, 4}, RearSlip: 0.5, Slip: [4]float64{0.1, 0.2, 0.3, 0.4}, Rumble: [4]float64{0.5, 0.6, 0.7, 0.8}}
	r.source = &stubSource{sample: packet}
	r.presets = &presetSwitcher{}
	r.presets.chainIndex.Store(2)
	return r, drive.Inputs{
		Wheel: drive.Wheel{Present: true, Fault: true, Angle: 0.1, Rated: 1.1, Rate: 1.2, Delay: 1.3, OwnEffectsMax: 1.4, VibrationMax: 1.5, OwnEffectsNow: 1.6},
		Pedals: drive.Pedals{Present: true, Fault: true, Throttle: 0.2, Brake: 0.3, Clutch: 0.4, Handbrake: 0.5,
			ShiftUp: true, ShiftDown: true, HasHPattern: true, Gear: 3},
		Buttons:       drive.Buttons{Down: frame.KeyHandbrake, Pressed: frame.KeyPause},
		Window:        drive.Window{Keys: frame.KeyUp, Pictures: 1},
		Stop:          drive.Stop{Pressed: true, RelayFailed: true, Cause: uint8(estop.Opened)},
		InterlockOpen: true,
		Platform: drive.Platform{Configured: true, Follows: true, Connected: true, ParkDone: true, State: uint64(motion.Active), Faults: uint64(wire.FaultTemperature),
			Feedback: eight(1), Target: eight(2), FollowError: eight(3), Temperature: eight(4), Measured: eight(5), Rate: 2.1, LineShare: 2.2, Latency: 2.3, Warnings: 7},
		Operator: drive.Operator{Start: true, Release: true, Stops: 1, StopBy: 2, Confirmed: 1, ConfirmBy: 3, PauseBy: 4, ResumeBy: 5, Tune: drive.Tune{Factor: drive.MotionSway, Share: 0.5}},
		Source:   packet, StopReady: true,
		Gap: 0.25, Suspended: true, TorqueWithheld: true, ForceChainIndex: 2, FrameWanted: true,
		Loop: drive.Loop{Missed: 5, Dropped: 6, Late: 0.25, LateMax: 0.25, Cost: 30e-6},
	}
}

// plainValues calls do with the path of each plain value inside v.
func plainValues(path string, v reflect.Value, do func(path string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			plainValues(path+"."+v.Type().Field(i).Name, v.Field(i), do)
		}
	case reflect.Array:
		for i := range v.Len() {
			plainValues(fmt.Sprintf("%s[%d]", path, i), v.Index(i), do)
		}
	default:
		do(path, v)
	}
}

// What the devices say is in the inputs, all of it, and no input is left out.
func TestEveryInputIsSensed(t *testing.T) {
	r, want := full(t)
	seen := map[string]bool{}
	check := func(what string, got, want drive.Inputs) {
		t.Helper()
		all := map[string]reflect.Value{}
		plainValues("Inputs", reflect.ValueOf(want), func(path string, v reflect.Value) { all[path] = v; seen[path] = seen[path] || !v.IsZero() })
		plainValues("Inputs", reflect.ValueOf(got), func(path string, v reflect.Value) {
			if !v.Equal(all[path]) {
				t.Errorf("%s: %s is %v, want %v", what, path, v, all[path])
			}
		})
	}
	check("all devices", r.sense(), want)
	o := &want.Operator
	o.Confirmed, o.ConfirmBy, o.PauseBy, o.ResumeBy, o.Tune = 0, guard.Nobody, guard.Nobody, guard.Nobody, drive.Tune{} // they count once
	want.Buttons.Pressed = 0
	want.Gap, want.Suspended = 0, false // no wake-up since
	for state, set := range map[motion.State]func(p *drive.Platform){
		motion.Absent:  func(p *drive.Platform) { p.Unavailable = true },
		motion.Opening: func(p *drive.Platform) { p.Connected = true },
		motion.Homing:  func(p *drive.Platform) { p.Connected = true },
		motion.Ready:   func(p *drive.Platform) { p.Connected, p.Follows = true, true },
		motion.Parking: func(p *drive.Platform) { p.Connected = true },
		motion.Parked:  func(p *drive.Platform) { p.Connected, p.Parked = true, true },
		motion.Fault:   func(p *drive.Platform) { p.Connected, p.Unavailable, p.AwaitsHome = true, true, true },
		motion.Halted:  func(p *drive.Platform) { p.Connected, p.Halted = true, true },
		motion.Waiting: func(p *drive.Platform) { p.Connected, p.AwaitsHome = true, true },
	} {
		r.platform.(*stubPlatform).status.State, r.platform.(*stubPlatform).status.AwaitsHome = state, state == motion.Waiting
		p := &want.Platform
		p.State, p.Follows, p.Unavailable, p.Connected, p.Parked, p.Halted, p.AwaitsHome = uint64(state), false, false, false, false, false, false
		set(p)
		check(state.String(), r.sense(), want)
	}
	for path := range seen {
		if !seen[path] {
			t.Errorf("%s is 0 in every case: nobody would notice that nothing senses it", path)
		}
	}
}

// Without devices a drive gets nothing from them, and what nobody measures is NaN.
func TestADemoSensesNoDevices(t *testing.T) {
	r := demo(t)
	r.platform = nil
	in := r.sense()
	for _, v := range []float64{in.Platform.Feedback[0], in.Platform.Target[1], in.Platform.FollowError[2], in.Platform.Temperature[3], in.Platform.Measured[4]} {
		if !math.IsNaN(v) {
			t.Errorf("%g, want NaN", v)
		}
	}
	if !in.Wheel.Present || !in.Pedals.Present || in.Platform.Configured || in.FrameWanted || in.Wheel.OwnEffectsMax != 0 {
		t.Errorf("%+v", in)
	}
}

// What is there is said to be there: a platform that an emergency stop halted, or that parks.
func TestAPlatformThatStandsIsConnected(t *testing.T) {
	r := withPage(t, demo(t))
	p := r.platform.(*following)
	for _, tt := range []struct {
		state     motion.State
		faults    wire.Faults
		connected bool
		says      string
	}{
		{motion.Active, 0, true, ""},
		{motion.Halted, 0, true, "the platform does not follow targets: halted"},
		{motion.Parked, 0, true, "the platform does not follow targets: parked"},
		{motion.Opening, 0, true, "the platform does not follow targets: opening"},
		{motion.Fault, wire.FaultTemperature, true, "the platform does not follow targets: fault"},
		{motion.Fault, wire.FaultSilent, false, "no platform is connected"},
		{motion.Absent, 0, false, "no platform is connected"},
	} {
		p.state, p.faults = tt.state, tt.faults
		run(t, r, 2)
		f := r.out.Frame
		if got := f.Flags&frame.PlatformPresent != 0; got != tt.connected || strings.Contains(string(watch.Status(&f, nil)), `"platform_present":true`) != tt.connected {
			t.Errorf("%s, %s: connected %t", tt.state, tt.faults, got)
		}
		if f.Motion.Limits, f.Motion.Scale = 0, 1; careOf(&f) != tt.says {
			t.Errorf("%s, %s: %q, want %q", tt.state, tt.faults, careOf(&f), tt.says)
		}
	}
}

// careOf is what who watches the platform is warned of.
func careOf(f *frame.Frame) string {
	lines := (&watch.Motion{}).Lines(f)
	return lines[len(lines)-1]
}
