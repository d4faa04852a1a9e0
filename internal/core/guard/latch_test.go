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

func TestAnOpenBeltEndsTheDriveUntilTheOperatorConfirms(t *testing.T) {
	g, in := drivingGuard(t)
	in.InterlockOpen = true
	g.Step(in)
	if g.State() != Releasing || g.LastTransition().Cause != InterlockOpen || g.MotionShare() == 0 {
		t.Fatalf("%v for %v, %g of the motion, want a fade", g.State(), g.LastTransition().Cause, g.MotionShare())
	}
	stepped(g, in, 600)
	if g.State() != Ready || g.MotionShare() != 0 || g.LatchedCause() != InterlockOpen {
		t.Fatalf("%v with %g of the motion", g.State(), g.MotionShare())
	}
	in.InterlockOpen = false
	if stepped(g, in, 1000); g.State() != Ready {
		t.Fatalf("changed to %v without a confirmation", g.State())
	}
	in.Clear = true
	g.Step(in)
	if g.State() != Homing || g.LastTransition().Cause != Cleared {
		t.Fatalf("%v for %v, want the platform to be homed", g.State(), g.LastTransition().Cause)
	}
	if stepped(g, in, 3000); g.State() != Driving || g.LatchedCause() != None {
		t.Errorf("%v after the operator's confirmation", g.State())
	}
}

// A confirmation is ignored while the belt is open, if it was given before, and while torque and motion fade out.
func TestABeltIsConfirmedOnlyAtRestAndClosed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		orders func(g *Guard, in Inputs)
	}{
		{"while open", func(g *Guard, in Inputs) {
			stepped(g, in, 600)
			in.Clear = true
			stepped(g, in, 5)
			in.InterlockOpen = false
			stepped(g, in, 5)
		}},
		{"while it fades", func(g *Guard, in Inputs) {
			stepped(g, in, 5)
			in.InterlockOpen, in.Clear = false, true
			stepped(g, in, 5)
			in.Clear = false
			stepped(g, in, 600)
		}},
		{"with the end of the drive", func(g *Guard, in Inputs) {
			stepped(g, in, 600)
			in.InterlockOpen, in.Clear, in.Release = false, true, true
			stepped(g, in, 5)
		}},
	} {
		g, in := drivingGuard(t)
		in.InterlockOpen = true
		tt.orders(g, in)
		if g.State() != Ready {
			t.Errorf("%s: %v", tt.name, g.State())
		}
	}
}

func TestNoDriveStartsWithAnOpenBelt(t *testing.T) {
	in := Inputs{Start: true, WheelPresent: true, PlatformHomed: true, StateOK: true, InterlockOpen: true}
	g := New(DefaultConfig(), 0.001)
	if stepped(g, in, 100); g.State() != Ready || g.LastTransition().Cause != InterlockOpen {
		t.Errorf("%v for %v, want ready", g.State(), g.LastTransition().Cause)
	}
	in.Stop = true
	if stepped(g, in, 1); g.State() != Stopped {
		t.Errorf("%v under an emergency stop", g.State())
	}
	in.Stop, in.InterlockOpen, in.Clear = false, false, true
	if stepped(g, in, 2); g.State() == Stopped || g.LatchedCause() != None {
		t.Errorf("%v after one confirmation for both", g.State())
	}
}

// After a pause of the loop that is longer than the devices' own time limits, torque and motion fade in from 0.
func TestTorqueAndMotionFadeInAfterAGap(t *testing.T) {
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

// During a long gap or a suspend the driver may have left the rig, so the operator must confirm.
func TestALongGapWaitsForTheOperator(t *testing.T) {
	for _, tt := range []struct {
		name  string
		in    Inputs
		cause Cause
	}{
		{"stopped for 1.1 s", Inputs{Gap: 1.1}, LoopStalled},
		{"suspended for a moment", Inputs{Suspended: true}, Suspended},
		{"no window", Inputs{WindowLost: true}, WindowLost},
	} {
		g, in := drivingGuard(t)
		g.AllowHighTorque()
		stepped(g, in, 2000)
		once := in
		once.Gap, once.Suspended, once.WindowLost = tt.in.Gap, tt.in.Suspended, tt.in.WindowLost
		g.Step(once)
		if g.State() != Releasing || g.LastTransition().Cause != tt.cause || g.LatchedCause() != tt.cause {
			t.Errorf("%s: %v for %v, waiting for %v", tt.name, g.State(), g.LastTransition().Cause, g.LatchedCause())
		}
		if torque, _ := g.Gate(8, [8]float64{}); tt.cause != WindowLost && (torque != 0 || g.HighTorqueAllowed()) {
			t.Errorf("%s: %g N·m and consent %v at once", tt.name, torque, g.HighTorqueAllowed())
		}
		if stepped(g, in, 5000); g.State() != Ready {
			t.Errorf("%s: changed to %v without a confirmation", tt.name, g.State())
		}
		in.Clear = true
		if stepped(g, in, 5000); g.State() != Driving || g.LatchedCause() != None {
			t.Errorf("%s: %v after the operator's confirmation", tt.name, g.State())
		}
	}
}

// A confirmation given during a gap is ignored, even if it is read right after the gap, and so is one while a stop
// switch is pressed.
func TestAConfirmationDuringAGapIsIgnored(t *testing.T) {
	g, in := drivingGuard(t)
	once := in
	once.Gap = 5
	g.Step(once)
	stepped(g, in, 3)
	in.Clear = true
	if stepped(g, in, 1); g.LatchedCause() != LoopStalled {
		t.Fatalf("confirmed 4 ms after the gap: %v", g.State())
	}
	in.Clear = false
	stepped(g, in, 600)
	in.Clear, in.Stop = true, true
	if stepped(g, in, 1); g.LatchedCause() != LoopStalled {
		t.Error("confirmed while a stop is pressed")
	}
	in.Clear, in.Stop = false, false
	stepped(g, in, 1)
	in.Clear = true
	if stepped(g, in, 1); g.LatchedCause() != None {
		t.Errorf("not confirmed in %v", g.State())
	}
}

// A gap does not replace the cause "open belt": the belt must still be closed and confirmed.
func TestAnOpenBeltRemainsTheCauseAfterAGap(t *testing.T) {
	g, in := drivingGuard(t)
	in.InterlockOpen = true
	stepped(g, in, 1000)
	in.Gap = 2
	stepped(g, in, 1)
	in.Gap, in.Clear = 0, true
	if stepped(g, in, 10); g.State() != Ready || g.LatchedCause() != InterlockOpen {
		t.Errorf("%v, waiting for %v", g.State(), g.LatchedCause())
	}
}

// While the dead man's switch is released the platform is level.
func TestMotionObeysTheDeadMan(t *testing.T) {
	cfg := DefaultConfig()
	cfg.DeadMan = true
	g := New(cfg, 0.001)
	in := Inputs{Start: true, WheelPresent: true, PlatformReady: true, PlatformHomed: true, StateOK: true, DeadMan: true}
	stepped(g, in, 5000)
	tilted := [8]float64{1, 0}
	if _, legs := g.Gate(0, tilted); legs[0] != 1 || legs[1] != 0 || g.MotionShare() != 1 {
		t.Errorf("legs %v while it is held", legs)
	}
	in.DeadMan = false
	stepped(g, in, 50)
	if _, legs := g.Gate(0, tilted); math.Abs(legs[0]-0.75) > 1e-9 || math.Abs(legs[1]-0.25) > 1e-9 {
		t.Errorf("legs %v at half of the fade, want half of the way", legs[:2])
	}
	stepped(g, in, 60)
	if _, legs := g.Gate(0, tilted); legs[0] != 0.5 || legs[1] != 0.5 || g.MotionShare() != 0 {
		t.Errorf("legs %v when it was let go", legs[:2])
	}
}
