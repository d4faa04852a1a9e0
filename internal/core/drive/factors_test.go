package drive

import (
	"math"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

// driving is a drive that moves, with frames.
func driving(t *testing.T, edit func(*Setup)) *tester {
	t.Helper()
	r := seated(t, edit)
	r.in.FrameWanted = true
	r.run(2500)
	if r.out.State != guard.Driving {
		t.Fatalf("state %v", r.out.State)
	}
	return r
}

// order gives an order to change a factor and runs for some seconds.
func (r *tester) order(f Factor, share, seconds float64) {
	r.in.Operator.Tune = Tune{f, share}
	r.run(1)
	r.in.Operator.Tune = Tune{}
	r.run(int(seconds * 1000))
}

// Each factor goes down by an order, and up again as far as it is configured.
func TestAnOrderLowersAFactorAndRaisesItAgain(t *testing.T) {
	level.SkipIfQuick(t)
	r := driving(t, func(s *Setup) { s.Tuning.Sway, s.Tuning.Heave = 2, 0 })
	for f := ForceGain; f < factorCount; f++ {
		tuned := func() float64 { return r.out.Frame.Tuned[f-1] }
		if f == MotionHeave {
			if r.order(f, 1, 0.1); !math.IsNaN(tuned()) {
				t.Errorf("%s, which is switched off, is %g", factorNames[f], tuned())
			}
			continue
		}
		shares := []float64{0.6, 1, 0.75}
		if !level.All() && f != MotionSway {
			shares = shares[:2]
		}
		for _, share := range shares {
			if r.order(f, share, 2.1); math.Abs(tuned()-share) > 1e-9 {
				t.Errorf("%s: ordered %g, got %g", factorNames[f], share, tuned())
			}
		}
	}
	if got := r.State.Tuning().Sway; math.Abs(got-1.5) > 1e-12 {
		t.Errorf("sway %g, want 0.75 of 2", got)
	}
}

// Nothing that an order can say raises a factor above its configured value, or breaks it.
func TestNoOrderExceedsWhatIsConfigured(t *testing.T) {
	r := driving(t, nil)
	for f := range factorCount + 3 {
		for _, share := range []float64{1.0000001, 2, math.Inf(1), math.Inf(-1), math.NaN(), -0.1} {
			r.order(f, share, 0.05)
			for i, v := range r.out.Frame.Tuned[:factorCount-1] {
				if v != 1 {
					t.Fatalf("factor %d ordered %g: %s is %g", f, share, FactorNames()[i], v)
				}
			}
		}
	}
}

// A key may raise a factor above its configured value; an order then only lowers it.
func TestAnOrderLowersWhatAKeyHasRaised(t *testing.T) {
	r := driving(t, nil)
	for range 3 {
		r.in.Buttons.Pressed = frame.KeyGainMore
		r.run(2)
	}
	if got := r.out.Frame.Tuned[ForceGain-1]; math.Abs(got-1.15) > 1e-9 {
		t.Fatalf("gain %g, want 1.15", got)
	}
	highest := 0.0
	r.in.Operator.Tune = Tune{ForceGain, 1}
	for range 1000 {
		r.run(1)
		highest = max(highest, r.out.Frame.Tuned[ForceGain-1])
	}
	if got := r.out.Frame.Tuned[ForceGain-1]; got != 1 || highest > 1.15+1e-9 {
		t.Errorf("gain %g, at most %g", got, highest)
	}
}

// The force changes gently by an order, and the driver's key ends the change.
func TestAnOrderedGainMovesGently(t *testing.T) {
	r := driving(t, nil)
	r.in.Operator.Tune = Tune{ForceGain, 0}
	before := r.out.Frame.Gain
	for range 1000 {
		r.run(1)
		r.in.Operator.Tune = Tune{}
		if step := before - r.out.Frame.Gain; step < 0 || step > 0.5*1e-3*1.001 {
			t.Fatalf("step of %g", step)
		}
		before = r.out.Frame.Gain
	}
	if math.Abs(before-0.5) > 2e-3 {
		t.Errorf("gain %g after a second, want 0.5", before)
	}
	r.in.Buttons.Pressed = frame.KeyGainMore
	r.run(500)
	if got := r.out.Frame.Gain; got < before {
		t.Errorf("gain %g after the key for more, before it %g", got, before)
	}
}

// A lowered travel holds for the pose that is sent, until it is raised again.
func TestAnOrderLowersTheTravel(t *testing.T) {
	const degree = math.Pi / 180
	cfg := cueing.DefaultConfig()
	cfg.MaxPitch, cfg.Direct.PitchOffset = 5, 4
	cue, err := cueing.New(cfg, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	r := driving(t, func(s *Setup) { s.Cue, s.Tuning.Gain = cue, 0 })
	for _, tt := range []struct{ share, want float64 }{{1, 4}, {0.4, 2}, {0, 1}, {1, 4}} {
		if r.order(LimitTravel, tt.share, 3); math.Abs(r.out.Pose.Pitch/r.out.Scale-tt.want*degree) > 1e-6 {
			t.Errorf("%g of the travel: pitch %g°, want %g°", tt.share, r.out.Pose.Pitch/degree, tt.want)
		}
	}
}

// A lower cut-off has a limit, because the delay grows with it, and so have the limits of the motion, without which
// the platform would hardly move.
func TestFactorsHaveALowestShare(t *testing.T) {
	level.SkipIfQuick(t)
	r := driving(t, nil)
	r.in.Wheel.Rate = 250
	for f := ForceGain; f < factorCount; f++ {
		want := map[Factor]float64{ForceCutoff: 0.5, LimitTravel: 0.2, LimitSpeed: 0.2, LimitAccel: 0.2}[f]
		if r.order(f, 0, 3); math.Abs(r.out.Frame.Tuned[f-1]-want) > 1e-12 || f.Lowest() != want {
			t.Errorf("%s: %g, lowest %g, want %g", factorNames[f], r.out.Frame.Tuned[f-1], f.Lowest(), want)
		}
	}
	if r.State.Rim.ramps[ForceCutoff].active {
		t.Error("it still moves")
	}
}

// The orders to pause and to go on say what they want: given twice they do not turn into each other.
func TestPauseByOrder(t *testing.T) {
	r := driving(t, nil)
	for range 2 {
		r.in.Operator.PauseBy = guard.ByCommand
		r.run(1)
		r.in.Operator.PauseBy = guard.Nobody
		r.run(700)
		if r.out.State != guard.Ready || !r.State.Cockpit.Paused {
			t.Fatalf("state %v, paused %v", r.out.State, r.State.Cockpit.Paused)
		}
	}
	r.in.Buttons.Pressed = frame.KeyPause // the key goes on after the order
	r.run(100)
	if r.State.Cockpit.Paused || r.out.State != guard.Engaging {
		t.Errorf("state %v, paused %v after the key", r.out.State, r.State.Cockpit.Paused)
	}
	for range 2 {
		r.in.Operator.ResumeBy = guard.ByCommand
		r.run(1)
		r.in.Operator.ResumeBy = guard.Nobody
		r.run(2500)
	}
	if r.State.Cockpit.Paused || r.out.State != guard.Driving {
		t.Errorf("state %v, paused %v", r.out.State, r.State.Cockpit.Paused)
	}
	r.in.Operator.Stops++
	r.in.Operator.PauseBy = guard.ByCommand
	r.run(10)
	if r.State.Cockpit.Paused || r.out.State != guard.Stopped {
		t.Errorf("a stop: state %v, paused %v", r.out.State, r.State.Cockpit.Paused)
	}
}
