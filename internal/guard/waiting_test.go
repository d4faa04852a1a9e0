package guard

import (
	"math"
	"testing"
)

// drivingGuard returns a guard that drives, and what it was told.
func drivingGuard(t *testing.T) (*Guard, Inputs) {
	t.Helper()
	in := Inputs{Start: true, WheelPresent: true, PlatformReady: true, PlatformHomed: true, StateOK: true, DeadMan: true}
	g := New(DefaultConfig(), 0.001)
	for range 3000 {
		g.Step(in)
	}
	if g.State() != Driving {
		t.Fatalf("%v after 3 s", g.State())
	}
	return g, in
}

func stepped(g *Guard, in Inputs, ticks int) {
	for range ticks {
		g.Step(in)
	}
}

func TestAnOpenBeltEndsTheDriveUntilTheOperatorGoesOn(t *testing.T) {
	g, in := drivingGuard(t)
	in.Unbelted = true
	g.Step(in)
	if g.State() != Releasing || g.Last().Cause != Unbelted || g.Motion() == 0 {
		t.Fatalf("%v for %v, %g of the motion, want a fade", g.State(), g.Last().Cause, g.Motion())
	}
	stepped(g, in, 600)
	if g.State() != Ready || g.Motion() != 0 || g.Waits() != Unbelted {
		t.Fatalf("%v with %g of the motion", g.State(), g.Motion())
	}
	in.Unbelted = false
	if stepped(g, in, 1000); g.State() != Ready {
		t.Fatalf("went on to %v though nobody confirmed", g.State())
	}
	in.Clear = true
	g.Step(in)
	if g.State() != Homing || g.Last().Cause != Cleared {
		t.Fatalf("%v for %v, want the platform to be homed", g.State(), g.Last().Cause)
	}
	if stepped(g, in, 3000); g.State() != Driving || g.Waits() != None {
		t.Errorf("%v after the operator's word", g.State())
	}
}

// What confirms nothing: a word given while it is open, one from before, and one while all fades out.
func TestABeltIsConfirmedAtRestAndClosed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		orders func(g *Guard, in Inputs)
	}{
		{"while open", func(g *Guard, in Inputs) {
			stepped(g, in, 600)
			in.Clear = true
			stepped(g, in, 5)
			in.Unbelted = false
			stepped(g, in, 5)
		}},
		{"while it fades", func(g *Guard, in Inputs) {
			stepped(g, in, 5)
			in.Unbelted, in.Clear = false, true
			stepped(g, in, 5)
			in.Clear = false
			stepped(g, in, 600)
		}},
		{"with the end of the drive", func(g *Guard, in Inputs) {
			stepped(g, in, 600)
			in.Unbelted, in.Clear, in.Release = false, true, true
			stepped(g, in, 5)
		}},
	} {
		g, in := drivingGuard(t)
		in.Unbelted = true
		tt.orders(g, in)
		if g.State() != Ready {
			t.Errorf("%s: %v", tt.name, g.State())
		}
	}
}

func TestNoDriveBeginsUnbelted(t *testing.T) {
	in := Inputs{Start: true, WheelPresent: true, PlatformHomed: true, StateOK: true, Unbelted: true}
	g := New(DefaultConfig(), 0.001)
	if stepped(g, in, 100); g.State() != Ready || g.Last().Cause != Unbelted {
		t.Errorf("%v for %v, want ready", g.State(), g.Last().Cause)
	}
	in.Stop = true
	if stepped(g, in, 1); g.State() != Stopped {
		t.Errorf("%v under an emergency stop", g.State())
	}
	in.Stop, in.Unbelted, in.Clear = false, false, true
	if stepped(g, in, 2); g.State() == Stopped || g.Waits() != None {
		t.Errorf("%v after one word for both", g.State())
	}
}

// A rig that stood still for longer than its devices hold on begins at nothing.
func TestTorqueAndMotionBeginAtNothingAfterAGap(t *testing.T) {
	for _, tt := range []struct {
		gap  float64
		want State
	}{{0.049, Driving}, {0.051, Engaging}, {0.3, Engaging}, {1, Engaging}} {
		g, in := drivingGuard(t)
		in.Gap = tt.gap
		g.Step(in)
		if g.State() != tt.want {
			t.Errorf("%v after %g s, want %v", g.State(), tt.gap, tt.want)
		}
		torque, legs := g.Gate(8, [8]float64{1})
		if limp := tt.want == Engaging; limp && (torque != 0 || legs[0] != 0.5) || !limp && (torque != 8 || legs[0] != 1) {
			t.Errorf("%g N·m and a leg at %g after %g s", torque, legs[0], tt.gap)
		}
		in.Gap = 0
		for last := 0.0; g.State() == Engaging; {
			g.Step(in)
			torque, _ := g.Gate(8, [8]float64{})
			if rise := torque - last; rise < 0 || rise > 0.01 {
				t.Fatalf("the torque changes by %g N·m in a tick, want a fade", rise)
			}
			last = torque
		}
		if g.State() != Driving {
			t.Errorf("%v after the fade", g.State())
		}
	}
}

// Whoever sat in a rig that stood still for long, or slept, may have left it.
func TestALongGapWaitsForTheOperator(t *testing.T) {
	for _, tt := range []struct {
		name  string
		in    Inputs
		cause Cause
	}{
		{"stopped for 1.1 s", Inputs{Gap: 1.1}, Stalled},
		{"suspended for a moment", Inputs{Suspended: true}, Suspended},
		{"no window", Inputs{Blind: true}, Blind},
	} {
		g, in := drivingGuard(t)
		g.Allow()
		stepped(g, in, 2000)
		once := in
		once.Gap, once.Suspended, once.Blind = tt.in.Gap, tt.in.Suspended, tt.in.Blind
		g.Step(once)
		if g.State() != Releasing || g.Last().Cause != tt.cause || g.Waits() != tt.cause {
			t.Errorf("%s: %v for %v, waiting for %v", tt.name, g.State(), g.Last().Cause, g.Waits())
		}
		if torque, _ := g.Gate(8, [8]float64{}); tt.cause != Blind && (torque != 0 || g.Allowed()) {
			t.Errorf("%s: %g N·m and consent %v at once", tt.name, torque, g.Allowed())
		}
		if stepped(g, in, 5000); g.State() != Ready {
			t.Errorf("%s: went on to %v though nobody confirmed", tt.name, g.State())
		}
		in.Clear = true
		if stepped(g, in, 5000); g.State() != Driving || g.Waits() != None {
			t.Errorf("%s: %v after the operator's word", tt.name, g.State())
		}
	}
}

// An order that was given while the rig stood still, and is told right after it, confirms
// nothing; nor does one while a stop switch is pressed.
func TestAConfirmationFromWithinAGapIsTooEarly(t *testing.T) {
	g, in := drivingGuard(t)
	once := in
	once.Gap = 5
	g.Step(once)
	stepped(g, in, 3)
	in.Clear = true
	if stepped(g, in, 1); g.Waits() != Stalled {
		t.Fatalf("confirmed 4 ms after the gap: %v", g.State())
	}
	in.Clear = false
	stepped(g, in, 600)
	in.Clear, in.Stop = true, true
	if stepped(g, in, 1); g.Waits() != Stalled {
		t.Error("confirmed while a stop is pressed")
	}
	in.Clear, in.Stop = false, false
	stepped(g, in, 1)
	in.Clear = true
	if stepped(g, in, 1); g.Waits() != None {
		t.Errorf("not confirmed in %v", g.State())
	}
}

// A gap is no way round a belt: that must be closed and confirmed all the same.
func TestAnOpenBeltOutlastsAGap(t *testing.T) {
	g, in := drivingGuard(t)
	in.Unbelted = true
	stepped(g, in, 1000)
	in.Gap = 2
	stepped(g, in, 1)
	in.Gap, in.Clear = 0, true
	if stepped(g, in, 10); g.State() != Ready || g.Waits() != Unbelted {
		t.Errorf("%v, waiting for %v", g.State(), g.Waits())
	}
}

// Without a hand on the dead man's switch the platform stands level.
func TestMotionObeysTheDeadMan(t *testing.T) {
	cfg := DefaultConfig()
	cfg.DeadMan = true
	g := New(cfg, 0.001)
	in := Inputs{Start: true, WheelPresent: true, PlatformReady: true, PlatformHomed: true, StateOK: true, DeadMan: true}
	stepped(g, in, 5000)
	tilted := [8]float64{1, 0}
	if _, legs := g.Gate(0, tilted); legs[0] != 1 || legs[1] != 0 || g.Motion() != 1 {
		t.Errorf("legs %v while it is held", legs)
	}
	in.DeadMan = false
	stepped(g, in, 50)
	if _, legs := g.Gate(0, tilted); math.Abs(legs[0]-0.75) > 1e-9 || math.Abs(legs[1]-0.25) > 1e-9 {
		t.Errorf("legs %v at half of the fade, want half of the way", legs[:2])
	}
	stepped(g, in, 60)
	if _, legs := g.Gate(0, tilted); legs[0] != 0.5 || legs[1] != 0.5 || g.Motion() != 0 {
		t.Errorf("legs %v when it was let go", legs[:2])
	}
}
