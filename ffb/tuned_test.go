package ffb

import (
	"math"
	"slices"
	"testing"
)

// The factor on the effects scales each of them and nothing else.
func TestTheFactorOnTheEffectsScalesAllOfThem(t *testing.T) {
	full, third := newTestChain(t, everything()), newTestChain(t, everything())
	third.State.SetEffectsShare(1.0 / 3)
	seen := [EffectCount]bool{}
	for i := range 3000 {
		car, w := weave(i)
		full.Torque(car, w)
		third.Torque(car, w)
		a, b := full.State.Trace(), third.State.Trace()
		for e := range EffectCount {
			seen[e] = seen[e] || a.Effects[e] != 0
			if math.Abs(b.Effects[e]-a.Effects[e]/3) > 1e-12 {
				t.Fatalf("tick %d: %v is %g, a third of %g is wanted", i, e, b.Effects[e], a.Effects[e])
			}
		}
		if a.Gained != b.Gained {
			t.Fatalf("tick %d: the tires' torque is %g, without the factor %g", i, b.Gained, a.Gained)
		}
	}
	if n := len(slices.DeleteFunc(seen[:], func(acted bool) bool { return !acted })); n < 2 {
		t.Errorf("only %d effects acted", n)
	}
}

// Half of the cut-off doubles the delay, and a steady torque still passes whole.
func TestTheFactorOnTheCutoff(t *testing.T) {
	f := newTestChain(t, DefaultConfig())
	w := Wheel{Present: true, Rated: 8, Rate: 250}
	car, _ := weave(100)
	delay := func() float64 {
		car.Tick++
		f.Torque(car, w)
		return f.State.Trace().Delay
	}
	whole := delay()
	f.State.SetCutoffShare(0.1) // less than the limit
	if got := delay(); f.State.CutoffShare() != 0.5 || math.Abs(got/whole-2) > 0.15 {
		t.Errorf("share %g: delay %g s, with the whole cut-off %g s", f.State.CutoffShare(), got, whole)
	}
	for range 2000 {
		delay()
	}
	if tr := f.State.Trace(); math.Abs(tr.Sent-tr.Slewed) > 1e-3 {
		t.Errorf("a steady %g N·m passes as %g", tr.Slewed, tr.Sent)
	}
}

// What is set survives a fault, as the gain does, and NaN sets nothing.
func TestWhatIsSetSurvivesAFault(t *testing.T) {
	f := newTestChain(t, DefaultConfig())
	f.State.SetEffectsShare(0.5)
	f.State.SetCutoffShare(0.7)
	f.State.SetGain(0.3)
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		f.State.SetEffectsShare(bad)
		f.State.SetCutoffShare(bad)
		f.State.SetGain(bad)
	}
	car, w := weave(3)
	car.ColumnTorque = math.NaN()
	if f.Torque(car, w); !f.State.Fault() {
		t.Fatal("no fault")
	}
	if f.State.EffectsShare() != 0.5 || f.State.CutoffShare() != 0.7 || f.State.Gain() != 0.3 {
		t.Errorf("effects %g, cut-off %g, gain %g", f.State.EffectsShare(), f.State.CutoffShare(), f.State.Gain())
	}
}
