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
	if g.State() != Ready || g.Motion() != 0 || !g.Unbelted() {
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
	if stepped(g, in, 3000); g.State() != Driving || g.Unbelted() {
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
	if stepped(g, in, 2); g.State() == Stopped || g.Unbelted() {
		t.Errorf("%v after one word for both", g.State())
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
