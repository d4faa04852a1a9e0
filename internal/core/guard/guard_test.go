package guard

import (
	"math"
	"slices"
	"testing"
)

const dt = 1e-3

// well is a rig without trouble whose operator wants to drive.
var well = Inputs{Start: true, WheelPresent: true, PlatformReady: true, PlatformHomed: true, StateOK: true}

var deflected = [8]float64{1, 0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}

func steps(g *Guard, n int, in Inputs) {
	for range n {
		g.Step(in)
	}
}

func driving(t *testing.T) *Guard {
	t.Helper()
	g := New(DefaultConfig(), dt)
	steps(g, 2100, well)
	if g.State() != Driving {
		t.Fatalf("state %v after two seconds, want driving", g.State())
	}
	return g
}

func TestADriveFromParkedToParked(t *testing.T) {
	g := New(DefaultConfig(), dt)
	var got []Transition
	run := func(n int, in Inputs) {
		for range n {
			if g.Step(in) {
				got = append(got, g.LastTransition())
			}
		}
	}
	run(3, Inputs{StateOK: true})
	waiting := well
	waiting.PlatformHomed = false
	run(100, waiting)
	run(2100, well)
	end := well
	end.Release = true
	run(600, end)
	end.PlatformParked = true
	run(10, end)
	want := []Transition{
		{Parked, Homing, StartRequested}, {Homing, Ready, Homed}, {Ready, Engaging, WheelReady}, {Engaging, Driving, FadeInDone},
		{Driving, Releasing, ReleaseRequested}, {Releasing, Ready, FadeOutDone}, {Ready, Parked, PlatformParked},
	}
	if !slices.Equal(got, want) {
		t.Errorf("transitions\n%v, want\n%v", got, want)
	}
}

func TestFaultsStopsAndRecovery(t *testing.T) {
	with := func(change func(*Inputs)) Inputs { in := well; change(&in); return in }
	tests := []struct {
		name  string
		in    Inputs
		state State
		cause Cause
	}{
		{"NaN in the car's state", with(func(i *Inputs) { i.StateOK = false }), Fault, BadState},
		{"device fault", with(func(i *Inputs) { i.DeviceFault = true }), Fault, DeviceFault},
		{"emergency stop", with(func(i *Inputs) { i.Stop = true }), Stopped, EmergencyStop},
		{"emergency stop beats a fault", with(func(i *Inputs) { i.Stop, i.DeviceFault = true, true }), Stopped, EmergencyStop},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := driving(t)
			g.Step(tt.in)
			if g.State() != tt.state || g.LastTransition().Cause != tt.cause {
				t.Fatalf("%v by %v, want %v by %v", g.State(), g.LastTransition().Cause, tt.state, tt.cause)
			}
			if torque, _ := g.Gate(5, deflected); torque != 0 {
				t.Errorf("%g N·m in the tick of the fault", torque)
			}
			held := tt.in
			held.Clear = true
			steps(g, 5, held)
			if g.State() != tt.state {
				t.Errorf("cleared to %v while the cause was there", g.State())
			}
			stillHeld := well
			stillHeld.Clear = true
			steps(g, 5, stillHeld)
			if g.State() != tt.state {
				t.Errorf("cleared to %v by a key held from before", g.State())
			}
			steps(g, 5, well)
			if g.State() != tt.state {
				t.Errorf("went to %v by itself when the cause had ended", g.State())
			}
			cleared := well
			cleared.Clear, cleared.Start = true, false
			steps(g, 2, cleared)
			if g.State() != Ready {
				t.Errorf("%v after clearing, want ready", g.State())
			}
		})
	}
}

// A pause ends in Ready, whatever the platform does, and the drive continues by itself. A pause does not end a
// stop.
func TestPause(t *testing.T) {
	g := driving(t)
	paused := well
	paused.Pause, paused.PlatformParked = true, true
	g.Step(paused)
	if g.State() != Releasing || g.LastTransition().Cause != PauseRequested {
		t.Fatalf("%v by %v, want releasing by the pause", g.State(), g.LastTransition().Cause)
	}
	steps(g, 1000, paused)
	if torque, _ := g.Gate(5, deflected); g.State() != Ready || torque != 0 {
		t.Errorf("%v with %g N·m in the pause", g.State(), torque)
	}
	steps(g, 2100, well)
	if g.State() != Driving {
		t.Errorf("%v after the pause", g.State())
	}
	stopped := well
	stopped.Stop = true
	g.Step(stopped)
	steps(g, 5, paused)
	if g.State() != Stopped {
		t.Errorf("%v: a pause ended a stop", g.State())
	}
}

func TestNaNAndInfNeverPass(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		g := driving(t)
		if torque, _ := g.Gate(bad, deflected); torque != 0 {
			t.Errorf("torque %g passed as %g", bad, torque)
		}
		g.Step(well)
		if g.State() != Fault || g.LastTransition().Cause != BadTorque {
			t.Errorf("torque %g left %v by %v", bad, g.State(), g.LastTransition().Cause)
		}
		g = driving(t)
		legs := deflected
		legs[1] = bad
		torque, out := g.Gate(3, legs)
		if out[1] != 0.5 || torque != 0 {
			t.Errorf("leg %g passed as %g with %g N·m", bad, out[1], torque)
		}
		if g.Step(well); g.State() != Fault || g.LastTransition().Cause != BadMotion {
			t.Errorf("leg %g left %v by %v", bad, g.State(), g.LastTransition().Cause)
		}
	}
}

func TestTorqueFadesInAndOutWithoutAStep(t *testing.T) {
	g := New(DefaultConfig(), dt)
	last, biggest := 0.0, 0.0
	sweep := func(n int, in Inputs) {
		for range n {
			g.Step(in)
			torque, _ := g.Gate(8, deflected)
			biggest, last = max(biggest, math.Abs(torque-last)), torque
		}
	}
	sweep(2100, well)
	if last != 8 {
		t.Errorf("%g N·m when driving, want 8", last)
	}
	end := well
	end.Release = true
	sweep(600, end)
	if last != 0 {
		t.Errorf("%g N·m after the release", last)
	}
	if limit := 8 * 1.5 * dt / 0.5; biggest > limit*1.0001 {
		t.Errorf("torque stepped by %g N·m in a tick, want at most %g", biggest, limit)
	}
}

func TestGateLimitsTheTorque(t *testing.T) {
	g := driving(t)
	if torque, _ := g.Gate(-100, deflected); torque != -8 {
		t.Errorf("-100 N·m passed as %g, want -8", torque)
	}
}

func TestAWheelThatReturnsFadesIn(t *testing.T) {
	g := driving(t)
	gone := well
	gone.WheelPresent = false
	g.Step(gone)
	if torque, legs := g.Gate(5, deflected); torque != 0 || legs[0] != 1 {
		t.Errorf("without a wheel %g N·m and leg %g, want 0 and 1", torque, legs[0])
	}
	if g.State() != Driving {
		t.Errorf("%v without a wheel, want driving: the car coasts", g.State())
	}
	g.Step(well)
	if torque, _ := g.Gate(5, deflected); torque <= 0 || torque > 0.01 {
		t.Errorf("%g N·m one tick after the wheel came back", torque)
	}
}

func TestAPlatformThatReturnsFadesIn(t *testing.T) {
	g := driving(t)
	gone := well
	gone.PlatformReady = false
	g.Step(gone)
	if torque, legs := g.Gate(5, deflected); torque != 5 || legs[0] != 0.5 {
		t.Errorf("without a platform %g N·m and leg %g, want 5 and 0.5", torque, legs[0])
	}
	g.Step(well)
	if _, legs := g.Gate(5, deflected); legs[0] <= 0.5 || legs[0] > 0.51 {
		t.Errorf("leg %g one tick after the platform came back", legs[0])
	}
}

func TestReleaseEndsEveryState(t *testing.T) {
	end := well
	end.Release, end.PlatformParked = true, true
	for _, start := range []func(*Guard){
		func(g *Guard) {},
		func(g *Guard) { g.Step(well) },
		func(g *Guard) { steps(g, 500, well) },
		func(g *Guard) { steps(g, 2500, well) },
		func(g *Guard) { steps(g, 2500, well); in := well; in.DeviceFault = true; g.Step(in); g.Step(well) },
	} {
		g := New(DefaultConfig(), dt)
		start(g)
		from := g.State()
		steps(g, 1000, end)
		if g.State() != Parked {
			t.Errorf("release from %v ended in %v", from, g.State())
		}
	}
}

// A release after an emergency stop does not confirm that anything may move again.
func TestAReleaseDoesNotClearAStop(t *testing.T) {
	g := driving(t)
	end, stop := well, well
	end.Release, end.PlatformParked, stop.Stop = true, true, true
	g.Step(stop)
	g.Step(well)
	steps(g, 1000, end)
	if g.State() != Stopped {
		t.Errorf("%v after a release", g.State())
	}
}

func TestAReleaseFromBeforeAStopDoesNotClearIt(t *testing.T) {
	g := driving(t)
	end := well
	end.Release = true
	g.Step(end)
	stop := end
	stop.Stop = true
	g.Step(stop)
	steps(g, 5000, end)
	if g.State() != Stopped {
		t.Errorf("%v after a stop that nobody confirmed", g.State())
	}
	end.Clear = true
	g.Step(end)
	if g.State() != Ready {
		t.Errorf("%v after it was confirmed", g.State())
	}
}

func TestAWheelLostWhileFadingInIsReported(t *testing.T) {
	g := New(DefaultConfig(), dt)
	steps(g, 100, well)
	gone := well
	gone.WheelPresent = false
	g.Step(gone)
	if want := (Transition{Engaging, Driving, WheelLost}); g.LastTransition() != want {
		t.Errorf("transition %v, want %v", g.LastTransition(), want)
	}
}

func TestStepAndGateAllocateNothing(t *testing.T) {
	g := driving(t)
	if n := testing.AllocsPerRun(100, func() { g.Step(well); g.Gate(3, deflected) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func FuzzGate(f *testing.F) {
	f.Add(1.0, 0.5, uint16(0), uint16(3000))
	f.Add(math.Inf(1), math.NaN(), uint16(7), uint16(10))
	f.Fuzz(func(t *testing.T, torque, leg float64, flags, n uint16) {
		g := New(DefaultConfig(), dt)
		bit := func(i int) bool { return flags>>i&1 == 1 }
		in := Inputs{bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7), bit(8), bit(9), bit(10), bit(11), bit(12), bit(13), bit(14), bit(15), n&1 == 1, leg, leg, torque}
		for i := range n {
			g.Step(in)
			if i%7 == 0 {
				g.Step(well)
			}
			got, legs := g.Gate(torque, [8]float64{leg})
			if !(math.Abs(got) <= 8) || !(legs[0] >= 0 && legs[0] <= 1) {
				t.Fatalf("passed %g N·m and leg %g", got, legs[0])
			}
			if got != 0 && g.State() != Engaging && g.State() != Driving && g.State() != Releasing {
				t.Fatalf("%g N·m in %v", got, g.State())
			}
		}
	})
}

func TestNamesAndValidate(t *testing.T) {
	for s := Parked; s <= Stopped; s++ {
		if s.String() == "unknown" {
			t.Errorf("state %d has no name", s)
		}
	}
	for c := None; c <= WindowLost; c++ {
		if c.String() == "unknown" {
			t.Errorf("cause %d has no name", c)
		}
	}
	const want = "engage_s = 0: must be 0.2 to 10\nrelease_s = 9: must be 0.1 to 5\nmax_torque_nm = 40: must be 0 to 25\nhands_off_s = 0.1: must be 0 (off) or 0.5 to 60"
	if err := (Config{Engage: 0, Release: 9, MaxTorque: 40, HandsOff: 0.1}).Validate(); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// Torque and the wheel's own vibration together stay within the limit, and fade together.
func TestVibrationCountsAgainstTheLimit(t *testing.T) {
	for _, c := range []struct {
		name               string
		room, torque, peak float64
		wantTorque, want   float64
	}{
		{"room for 2 N·m", 2, 100, 100, 6, 2},
		{"to the right", 2, -100, 1, -6, 1},
		{"no room", 0, 100, 100, 8, 0},
		{"more than there is", 50, 100, 100, 0, 8},
		{"negative", -3, 100, 100, 8, 0},
		{"room that is NaN", math.NaN(), 100, 100, 8, 0},
		{"peak that is NaN", 2, 1, math.NaN(), 1, 0},
		{"torque that is NaN", 2, math.NaN(), 1, 0, 0},
	} {
		g := driving(t)
		g.ReserveTorque(c.room)
		torque, _ := g.Gate(c.torque, deflected)
		if peak := g.GateOwnEffects(c.peak); torque != c.wantTorque || peak != c.want {
			t.Errorf("%s: %g and %g N·m, want %g and %g", c.name, torque, peak, c.wantTorque, c.want)
		}
	}
}

func TestVibrationNeedsACarThatMoves(t *testing.T) {
	with := func(edit func(*Inputs)) Inputs { in := well; edit(&in); return in }
	for _, c := range []struct {
		name string
		in   Inputs
	}{
		{"emergency stop", with(func(in *Inputs) { in.Stop = true })},
		{"a fault", with(func(in *Inputs) { in.DeviceFault = true })},
		{"a pause", with(func(in *Inputs) { in.Pause = true })},
		{"the end", with(func(in *Inputs) { in.Release = true })},
		{"no wheel", with(func(in *Inputs) { in.WheelPresent = false })},
	} {
		g := driving(t)
		g.ReserveTorque(2)
		g.Step(c.in)
		g.Gate(1, deflected)
		if peak := g.GateOwnEffects(2); peak != 0 {
			t.Errorf("%s: %g N·m", c.name, peak)
		}
	}
	g := New(DefaultConfig(), dt)
	g.ReserveTorque(2)
	for range 2000 {
		g.Step(well)
		torque, _ := g.Gate(8, deflected)
		if peak := g.GateOwnEffects(2); peak > torque/3+1e-12 { // faded as the torque, whose limit is 6
			t.Fatalf("%g beside %g N·m while they fade in", peak, torque)
		}
	}
}

// The power is off while the rig is parked, in a fault and after a stop, and on otherwise.
func TestThePowerIsOffInFaultsAndParked(t *testing.T) {
	off := map[State]bool{Parked: true, Fault: true, Stopped: true}
	for s := Parked; s <= Stopped; s++ {
		if s.Powered() == off[s] {
			t.Errorf("%v: powered %v", s, s.Powered())
		}
	}
}

// A number of the guard that is spoiled, before its step or before its gate, is a fault, and nothing passes in that tick.
func TestASpoiledGuardPassesNothing(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300} {
		for name, spoil := range map[string]func(g *Guard){
			"torque fade": func(g *Guard) { g.torqueFade = bad }, "motion fade": func(g *Guard) { g.motionFade = bad }, "reserve": func(g *Guard) { g.reserved = bad },
			"dead man's share": func(g *Guard) { g.deadManShare = bad }, "consent": func(g *Guard) { g.consent.share = bad }, "hands": func(g *Guard) { g.hands.share = bad },
			"limit": func(g *Guard) { g.cfg.MaxTorque = bad }, "fade-in": func(g *Guard) { g.cfg.Engage = bad },
		} {
			for _, beforeStep := range []bool{true, false} {
				g := driving(t)
				if beforeStep {
					spoil(g)
				}
				g.Step(well)
				if !beforeStep {
					spoil(g)
				}
				torque, legs := g.Gate(3, deflected)
				if torque != 0 || legs[0] < 0 || legs[0] > 1 || legs[0] != legs[0] {
					t.Errorf("%s = %g, before the step %v: %g N·m, leg at %g", name, bad, beforeStep, torque, legs[0])
				}
				if g.Step(well); g.State() != Fault || g.LastTransition().Cause != BadGuard {
					t.Errorf("%s = %g: %v because of %v", name, bad, g.State(), g.LastTransition().Cause)
				}
			}
		}
	}
}

// A fade beyond its ends, for whatever reason, neither amplifies nor reverses.
func TestAFadeBeyondItsEndsAmplifiesNothing(t *testing.T) {
	for _, beyond := range []float64{-3, 1.2, 5, 1e6} {
		g := driving(t)
		g.Step(well)
		g.torqueFade = beyond
		if torque, _ := g.Gate(3, deflected); torque < 0 || torque > 3 {
			t.Errorf("fade %g: %g N·m of 3", beyond, torque)
		}
	}
}
