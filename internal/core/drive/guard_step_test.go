package drive

import (
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// A button that is named must be held; one that is not named is not asked for.
func TestBeltAndButtonMustBothBeClosed(t *testing.T) {
	for _, c := range []struct{ button, held, line, open bool }{
		{false, false, false, false},
		{true, false, false, true},
		{true, true, false, false},
		{false, false, true, true},
		{true, true, true, true},
	} {
		r := seated(t, func(s *Setup) { s.InterlockButton = c.button })
		r.in.InterlockOpen = c.line
		if c.held {
			r.in.Buttons.Down = frame.KeyInterlock
		}
		r.run(1)
		if r.out.Platform.InterlockOpen != c.open || (r.out.LatchedCause == guard.InterlockOpen) != c.open {
			t.Errorf("%+v: open %v, waits for %v", c, r.out.Platform.InterlockOpen, r.out.LatchedCause)
		}
	}
}

// The power is on while the rig is in use, and a stop takes it in the very tick.
func TestThePowerFollowsTheState(t *testing.T) {
	r := seated(t, nil)
	r.in.Operator.Start = false
	if r.run(10); r.out.Power || r.out.State != guard.Parked {
		t.Errorf("power %v in %v", r.out.Power, r.out.State)
	}
	r.in.Operator.Start = true
	if r.run(3000); !r.out.Power || r.out.State != guard.Driving {
		t.Errorf("power %v in %v", r.out.Power, r.out.State)
	}
	r.in.Stop.Pressed = true
	if r.run(1); r.out.Power || r.out.State != guard.Stopped {
		t.Errorf("power %v in %v", r.out.Power, r.out.State)
	}
}
