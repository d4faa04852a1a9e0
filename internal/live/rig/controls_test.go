package rig

import (
	"strings"
	"testing"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
)

// fingers are buttons that a test presses.
type fingers struct{ next wheel.Edges }

func (f *fingers) Readable() wheel.Actions { return 1 << wheel.Stop }

func (f *fingers) Poll() wheel.Edges {
	e := f.next
	f.next.Pressed, f.next.Released = 0, 0
	return e
}

// hold presses actions for some ticks, then lets go.
func (f *fingers) hold(t *testing.T, r *Rig, ticks int, actions ...wheel.Action) {
	t.Helper()
	for _, a := range actions {
		f.next.Pressed |= 1 << a
	}
	f.next.Down = f.next.Pressed
	run(t, r, ticks)
	f.next.Down = 0
	run(t, r, 1)
}

// tap is a press that was over before the tick.
func (f *fingers) tap(t *testing.T, r *Rig, a wheel.Action) {
	t.Helper()
	f.next.Pressed = 1 << a
	run(t, r, 2)
}

// handed returns a rig that drives, with buttons.
func handed(t *testing.T) (*Rig, *fingers) {
	t.Helper()
	a := config.DefaultAssists()
	a.Clutch, a.Shifting = config.Off, config.Off
	r, _ := seated(t, a)
	f := &fingers{}
	r.controls = f
	run(t, r, 500)
	if r.drive.State.Guard.State() != guard.Driving {
		t.Fatalf("%v, want to drive", r.drive.State.Guard.State())
	}
	return r, f
}

func TestEveryActionHasItsKey(t *testing.T) {
	seen := map[uint64]bool{}
	for a, key := range keyOf {
		if key == 0 || seen[key] {
			t.Errorf("%s has key %b, as another or none", wheel.Action(a), key)
		}
		seen[key] = true
	}
	if next := wheel.Action(len(keyOf)).String(); !strings.HasPrefix(next, "action ") {
		t.Errorf("%s has no key", next)
	}
}

func TestButtonsDoWhatTheyAreFor(t *testing.T) {
	r, f := handed(t)
	gear := r.drive.State.Input.Gear
	if f.tap(t, r, wheel.ShiftUp); r.drive.State.Input.Gear != gear+1 {
		t.Errorf("gear %d after %d and a pull that ended within the tick", r.drive.State.Input.Gear, gear)
	}
	if f.hold(t, r, 50, wheel.ShiftDown); r.drive.State.Input.Gear != gear {
		t.Errorf("gear %d, want %d again", r.drive.State.Input.Gear, gear)
	}
	for _, a := range []wheel.Action{wheel.ABSUp, wheel.ABSUp, wheel.ABSDown, wheel.TCUp, wheel.PitLimiter, wheel.FFBGainDown} {
		f.tap(t, r, a)
	}
	if a := r.drive.State.Input.Assists; a.ABS != 1 || a.Traction != 1 || !a.PitLimiter {
		t.Errorf("assists %+v, want ABS 1, TC 1 and the pit limiter", a)
	}
	var shown frame.Frame
	r.page.Read(&shown)
	if shown.Gain != 0.95 || shown.Flags&frame.GainChanged == 0 {
		t.Errorf("gain %g, flags %b; want 0.95, and to be told", shown.Gain, shown.Flags)
	}
	if run(t, r, 3100); r.out.Frame.Flags&frame.GainChanged != 0 {
		t.Error("the gain is still told after 3 s")
	}
	for range 100 {
		f.tap(t, r, wheel.FFBGainUp)
	}
	if g := r.drive.State.Rim.Force.Gain(); g != 2 {
		t.Errorf("gain %g after many presses, want 2 at most", g)
	}
}

func TestLeversByButtons(t *testing.T) {
	r, f := handed(t)
	f.next.Down = 1<<wheel.Handbrake | 1<<wheel.ClutchBite | 1<<wheel.LookLeft | 1<<wheel.HeadlightFlash
	run(t, r, 10)
	const bite = 0.65 - 0.4/4 // of the default clutch
	if r.drive.State.Input.Handbrake != 1 || r.drive.State.Input.Clutch < bite-1e-9 || r.drive.State.Input.Clutch > bite+1e-9 {
		t.Errorf("handbrake %g, clutch %g; want 1 and %g", r.drive.State.Input.Handbrake, r.drive.State.Input.Clutch, bite)
	}
	if r.out.Frame.Flags&frame.LookLeft == 0 || r.out.Frame.Flags&frame.LookRight != 0 || r.out.Frame.Flags&frame.HeadlightFlash == 0 {
		t.Errorf("flags %b", r.out.Frame.Flags)
	}
	f.next.Down = 0
	if run(t, r, 1); r.drive.State.Input.Handbrake != 0 || r.drive.State.Input.Clutch != 0 {
		t.Errorf("handbrake %g, clutch %g when let go", r.drive.State.Input.Handbrake, r.drive.State.Input.Clutch)
	}
}

func TestAPauseStopsTheCarAndGoesOn(t *testing.T) {
	r, f := handed(t)
	f.tap(t, r, wheel.Pause)
	run(t, r, 1000)
	tick := r.drive.State.Car.Tick
	run(t, r, 1000)
	if r.drive.State.Guard.State() != guard.Ready || r.drive.State.Car.Tick != tick || r.out.Torque != 0 {
		t.Errorf("%v, %d ticks, %g N·m in the pause", r.drive.State.Guard.State(), r.drive.State.Car.Tick-tick, r.out.Torque)
	}
	f.tap(t, r, wheel.Pause)
	if run(t, r, 500); r.drive.State.Guard.State() != guard.Driving {
		t.Errorf("%v after the pause", r.drive.State.Guard.State())
	}
}

func TestAStopButtonLatches(t *testing.T) {
	r, f := handed(t)
	f.tap(t, r, wheel.Stop)
	f.tap(t, r, wheel.Pause)
	f.tap(t, r, wheel.Pause)
	if run(t, r, 100); r.drive.State.Guard.State() != guard.Stopped || r.out.Torque != 0 {
		t.Errorf("%v with %g N·m after a stop by a button", r.drive.State.Guard.State(), r.out.Torque)
	}
	r.orders.Give(operator.ClearFault, guard.ByCommand)
	if run(t, r, 500); r.drive.State.Guard.State() != guard.Driving {
		t.Errorf("%v after the confirmation", r.drive.State.Guard.State())
	}
}

// cutout is a stop switch and relay that a test works.
type cutout struct {
	cause, relay estop.Cause
	on           bool
}

func (c *cutout) State() (bool, estop.Cause) { return c.cause != estop.None, c.cause }
func (c *cutout) Enable(on bool)             { c.on = on }
func (c *cutout) Relay() (bool, estop.Cause) { return c.on, c.relay }

func TestStopSwitchAndRelay(t *testing.T) {
	tests := []struct {
		name         string
		cause, relay estop.Cause
		want         guard.State
		says         string
	}{
		{"pressed", estop.Opened, estop.Opened, guard.Stopped, "emergency stop: emergency stop pressed or its cable open"},
		{"its contacts disagree", estop.Disagreement, estop.None, guard.Stopped, "emergency stop: the contacts of the emergency stop disagree"},
		{"the relay cannot be switched", estop.None, estop.RelayFailed, guard.Fault, "a device reports a fault: the enable relay cannot be switched"},
		{"the relay was not renewed", estop.None, estop.NotRenewed, guard.Fault, "a device reports a fault: the enable relay was not renewed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := handed(t)
			c := &cutout{}
			r.estop = c
			if run(t, r, 10); !c.on || r.drive.State.Guard.State() != guard.Driving {
				t.Fatalf("relay %v in %v", c.on, r.drive.State.Guard.State())
			}
			for _, ok := r.transitions.take(); ok; _, ok = r.transitions.take() {
			}
			c.cause, c.relay = tt.cause, tt.relay
			run(t, r, 1)
			if r.drive.State.Guard.State() != tt.want || r.out.Torque != 0 || c.on {
				t.Errorf("%v, %g N·m, relay %v in the very tick", r.drive.State.Guard.State(), r.out.Torque, c.on)
			}
			if change, _ := r.transitions.take(); causeText(change) != tt.says {
				t.Errorf("the log says %q, want %q", causeText(change), tt.says)
			}
			c.cause, c.relay = estop.None, estop.None
			if run(t, r, 100); r.drive.State.Guard.State() != tt.want || c.on {
				t.Errorf("%v, relay %v when the cause had ended and nobody confirmed", r.drive.State.Guard.State(), c.on)
			}
			r.orders.Give(operator.ClearFault, guard.ByCommand)
			if run(t, r, 500); r.drive.State.Guard.State() != guard.Driving || !c.on {
				t.Errorf("%v, relay %v after the confirmation", r.drive.State.Guard.State(), c.on)
			}
			r.platform = nil // which would have to park
			r.orders.Give(operator.FadeOutAndPark, guard.BySignal)
			for range 5000 {
				if r.Tick() != nil {
					break
				}
			}
			if r.drive.State.Guard.State() != guard.Parked || c.on {
				t.Errorf("%v, relay %v at the end", r.drive.State.Guard.State(), c.on)
			}
		})
	}
}

func TestTickWithAllControlsAllocatesNothing(t *testing.T) {
	r, f := handed(t)
	r.estop = &cutout{}
	if n := testing.AllocsPerRun(1000, func() { f.next.Pressed = 1 << wheel.ShiftUp; r.Tick() }); n != 0 {
		t.Errorf("a tick allocates %g times", n)
	}
}
