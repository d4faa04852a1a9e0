package rig

import (
	"math"
	"testing"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/live/switches"
)

func TestAStopSwitchAndItsRelayAreAsked(t *testing.T) {
	for _, c := range []struct {
		cause, relay estop.Cause
		stop, fault  bool
		why          estop.Cause
	}{
		{estop.None, estop.None, false, false, estop.None},
		{estop.Opened, estop.None, true, false, estop.Opened},
		{estop.Opened, estop.Opened, true, false, estop.Opened},
		{estop.None, estop.RelayFailed, false, true, estop.RelayFailed},
		{estop.None, estop.NotRenewed, false, true, estop.NotRenewed},
		{estop.None, estop.NotSampled, false, true, estop.NotSampled},
		{estop.Unreadable, estop.RelayFailed, true, true, estop.Unreadable},
	} {
		stop, fault, why := switches.ReadStop(&cutout{cause: c.cause, relay: c.relay})
		if stop != c.stop || fault != c.fault || why != c.why {
			t.Errorf("switch %v, relay %v: stop %v, fault %v because of %v", c.cause, c.relay, stop, fault, why)
		}
	}
}

func TestTheLineOfABelt(t *testing.T) {
	for _, c := range []struct {
		line switches.Switch
		open bool
	}{{nil, false}, {&cutout{}, false}, {&cutout{cause: estop.Opened}, true}, {&cutout{cause: estop.Unreadable}, true}} {
		i := switches.Interlock{Line: c.line}
		if got := i.IsOpen(); got != c.open {
			t.Errorf("%+v: open %v", c, got)
		}
	}
}

// heardWheel is a wheel that remembers the torque it was sent last.
type heardWheel struct {
	steeringWheel
	torque float64
}

func (w *heardWheel) Push(torque float64) { w.torque = torque }

// What is sent to wheel and platform is what passed the guard, in every state of a drive.
func TestOnlyWhatPassesTheGuardIsSent(t *testing.T) {
	r := demo(t)
	w, p := &heardWheel{steeringWheel: r.wheel}, r.platform.(*following)
	r.wheel = w
	ticks := func(n int) {
		for range n {
			run(t, r, 1)
			if w.torque != r.out.Torque || r.out.Torque != 0 && !r.out.State.Moves() && r.out.State != guard.Releasing {
				t.Fatalf("%v: %g N·m are sent, %g passed", r.drive.State.Guard.State(), w.torque, r.out.Torque)
			}
			for i, l := range r.out.Platform.Legs {
				if most := 0.5 * r.drive.State.Guard.MotionShare(); math.Abs(l-0.5) > most+1e-12 {
					t.Fatalf("%v: leg %d at %g, allowed are %g from the middle", r.drive.State.Guard.State(), i, l, most)
				}
			}
			if s := r.drive.State.Guard.State(); (s.Moves() || s == guard.Releasing) && p.legs != wire.Legs(r.out.Platform.Legs) {
				t.Fatalf("%v: legs %v are sent, %v passed", s, p.legs, r.out.Platform.Legs)
			}
		}
	}
	ticks(6000)
	if r.drive.State.Guard.State() != guard.Driving || w.torque == 0 {
		t.Fatalf("%v with %g N·m after 6 s", r.drive.State.Guard.State(), w.torque)
	}
	r.orders.Give(operator.EmergencyStop, guard.ByCommand)
	ticks(100)
	if w.torque != 0 || p.halted != 100 {
		t.Errorf("%g N·m and %d halts in 100 ticks of an emergency stop", w.torque, p.halted)
	}
	r.orders.Give(operator.ClearFault, guard.ByCommand)
	ticks(4000)
	r.drive.State.Car.Vel.Y = math.NaN()
	ticks(1)
	if r.drive.State.Guard.State() != guard.Fault || r.drive.State.Guard.LastTransition().Cause != guard.BadState || w.torque != 0 {
		t.Errorf("%v for %v with %g N·m of a car that is not made of numbers", r.drive.State.Guard.State(), r.drive.State.Guard.LastTransition().Cause, w.torque)
	}
}
