package drive

import (
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// Enter that goes down in the tick of a stop was meant for something else.
func TestAKeyLiftsNoStopOfItsOwnTick(t *testing.T) {
	var o orders
	in := Operator{Stops: 1, StopBy: guard.ByCommand}
	if o.step(&in, true); !o.stops() {
		t.Error("a stop was lifted in its own tick")
	}
	if o.step(&in, true); o.stops() {
		t.Error("the next press does not lift it")
	}
	in = Operator{Stops: 2, ConfirmBy: guard.BySignal, Confirmed: 2}
	if o.step(&in, false); !o.stops() {
		t.Error("a stop was lifted that no tick had seen")
	}
	in.Confirmed = 1
	if o.step(&in, false); !o.stops() {
		t.Error("a confirmation of the stop before lifted it")
	}
	in.Confirmed = 2
	if o.step(&in, false); o.stops() {
		t.Error("its confirmation did not lift it")
	}
}

// Enter in the window lifts a stop, from whatever source it came, and the log knows from which.
func TestEnterLiftsAStopFromAnySource(t *testing.T) {
	for by := guard.BySignal; by <= guard.ByRaceControl; by++ {
		r := seated(t, nil)
		r.run(3000)
		r.in.Operator.Stops, r.in.Operator.StopBy = 1, by
		r.run(2)
		if r.out.State != guard.Stopped || r.out.OrderedBy != by {
			t.Fatalf("%v by %v, want stopped by %v", r.out.State, r.out.OrderedBy, by)
		}
		r.in.Buttons.Pressed = frame.KeyClear
		if r.run(1); r.out.State != guard.Ready || !r.out.Platform.Home {
			t.Errorf("%v after Enter, home %v", r.out.State, r.out.Platform.Home)
		}
	}
}

// A platform that came back, or whose fault has ended, is ordered home by one confirmation, while the car drives on
// without motion until then.
func TestAPlatformThatWaitsIsHomedByAConfirmation(t *testing.T) {
	for name, confirm := range map[string]func(r *tester){
		"an order": func(r *tester) { r.in.Operator.ConfirmBy = guard.ByCommand },
		"Enter":    func(r *tester) { r.in.Buttons.Pressed = frame.KeyClear },
	} {
		r := seated(t, nil)
		if r.run(1); !r.out.Platform.Home {
			t.Errorf("%s: not homed at the start", name)
		}
		r.run(3000)
		r.in.Platform.Follows, r.in.Platform.AwaitsHome = false, true
		for range 3000 {
			if r.run(1); r.out.Platform.Home {
				t.Fatalf("%s: homed before anybody said so", name)
			}
		}
		if r.out.State != guard.Driving || r.out.Platform.Legs[0] != 0.5 {
			t.Errorf("%s: %v, leg at %g", name, r.out.State, r.out.Platform.Legs[0])
		}
		confirm(r)
		if r.run(1); !r.out.Platform.Home || r.out.Ignored != NotIgnored {
			t.Errorf("%s: not homed by a confirmation, ignored %v", name, r.out.Ignored)
		}
		if r.run(1); r.out.Platform.Home {
			t.Errorf("%s: homed twice", name)
		}
	}
}

// Nothing homes while a stop, a belt or the end of the drive keeps it.
func TestNothingHomesWhatIsKept(t *testing.T) {
	for name, keep := range map[string]func(in *Inputs){
		"a stop": func(in *Inputs) { in.Stop.Pressed = true }, "an open belt": func(in *Inputs) { in.InterlockOpen = true },
		"the end": func(in *Inputs) { in.Operator.Release = true }, "a fault": func(in *Inputs) { in.Wheel.Fault = true },
	} {
		r := seated(t, nil)
		r.run(3000)
		keep(&r.in)
		r.in.Platform.Follows, r.in.Platform.AwaitsHome = false, true
		for range 100 {
			r.in.Operator.ConfirmBy, r.in.Buttons.Pressed = guard.ByCommand, frame.KeyClear
			if r.run(1); r.out.Platform.Home {
				t.Fatalf("%s: homed", name)
			}
		}
	}
}

// A drive begins without a platform that does not follow, and says so.
func TestADriveBeginsWithoutAPlatformThatWaits(t *testing.T) {
	r := seated(t, nil)
	r.in.Platform.Follows, r.in.Platform.AwaitsHome = false, true
	r.run(2)
	if r.out.State != guard.Ready || r.out.Transition.Cause != guard.NoPlatform {
		t.Errorf("%v, %v", r.out.State, r.out.Transition.Cause)
	}
}

// A platform that parked while the rig stood still gets no target before somebody confirms: it would rise again.
func TestNothingFollowsAfterALongGap(t *testing.T) {
	r := seated(t, nil)
	r.run(3000)
	r.in.Gap, r.in.Platform.Follows, r.in.Platform.Parked = 1.5, false, true
	r.run(1)
	r.in.Gap = 0
	for tick := range 3000 {
		if r.out.Platform.Push || r.out.Platform.Home {
			t.Fatalf("%v, %+v %d ms after the gap", r.out.State, r.out.Platform, tick)
		}
		r.run(1)
	}
	r.in.Operator.ConfirmBy = guard.ByCommand
	if r.run(1); !r.out.Platform.Push || !r.out.Platform.Home {
		t.Errorf("%v, %+v after the confirmation", r.out.State, r.out.Platform)
	}
}
