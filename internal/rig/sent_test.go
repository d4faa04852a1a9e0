package rig

import (
	"math"
	"testing"

	"rig/devices/estop"
	"rig/devices/motion"
	"rig/devices/wheel"
	"rig/ffb"
	"rig/internal/config"
	"rig/internal/guard"
	"rig/sim"
)

// Without a wheel the car coasts and its steering goes back to the middle, whatever the
// foot does on pedals of their own.
func TestACarThatNobodySteersCoasts(t *testing.T) {
	r := &Rig{dt: 0.001, gears: 6, panel: panel{shifting: config.Off, clutch: config.Off}}
	var p person
	p.hands = wheel.Sample{Present: true, Angle: 0.3}
	p.feet.Present, p.feet.Throttle, p.feet.Brake, p.feet.Clutch = true, 0.8, 0.1, 0.2
	if in := p.input(r); in.Steer != 0.3 || in.Throttle != 0.8 || in.Brake != 0.1 || in.Clutch != 0.2 {
		t.Fatalf("at the wheel: %+v", in)
	}
	p.hands.Present = false
	var in sim.Input
	for range 100 {
		in = p.input(r)
	}
	if in.Throttle != 0 || in.Brake != 0.1 || in.Clutch != 0.2 || math.Abs(in.Steer-0.15) > 1e-9 {
		t.Errorf("0.1 s after it went: %+v, want no throttle and half of the way to the middle", in)
	}
	for range 200 {
		in = p.input(r)
	}
	if in.Steer != 0 {
		t.Errorf("steers %g rad though nobody does", in.Steer)
	}
}

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
		{estop.None, estop.Unrenewed, false, true, estop.Unrenewed},
		{estop.None, estop.Stale, false, true, estop.Stale},
		{estop.Lost, estop.RelayFailed, true, true, estop.Lost},
	} {
		var in guard.Inputs
		why := ask(&cutout{cause: c.cause, relay: c.relay}, &in)
		if in.Stop != c.stop || in.DeviceFault != c.fault || why != c.why {
			t.Errorf("switch %v, relay %v: stop %v, fault %v because of %v", c.cause, c.relay, in.Stop, in.DeviceFault, why)
		}
		in = guard.Inputs{Stop: true}
		if ask(&cutout{}, &in); !in.Stop {
			t.Error("a released switch takes back another stop")
		}
	}
}

func TestTheRelayHoldsWhileTheRigIsInUse(t *testing.T) {
	off := map[guard.State]bool{guard.Parked: true, guard.Fault: true, guard.Stopped: true}
	for s := guard.Parked; s <= guard.Stopped; s++ {
		c := &cutout{on: off[s]}
		if power(c, s); c.on == off[s] {
			t.Errorf("%v: the relay is on: %v", s, c.on)
		}
	}
}

func TestBeltAndButtonMustBothBeClosed(t *testing.T) {
	for _, c := range []struct {
		button, held bool
		line         stopSwitch
		open         bool
	}{
		{false, false, nil, false},
		{true, false, nil, true},
		{true, true, nil, false},
		{false, false, &cutout{cause: estop.Opened}, true},
		{false, false, &cutout{}, false},
		{true, true, &cutout{cause: estop.Lost}, true},
		{true, false, &cutout{}, true},
	} {
		i := interlock{button: c.button, line: c.line}
		if got := i.ask(c.held); got != c.open {
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
			if w.torque != r.torque || r.torque != 0 && !pushes(r.guard.State()) {
				t.Fatalf("%v: %g N·m are sent, %g passed", r.guard.State(), w.torque, r.torque)
			}
			for i, l := range r.legs {
				if most := 0.5 * r.guard.Motion(); math.Abs(l-0.5) > most+1e-12 {
					t.Fatalf("%v: leg %d at %g, allowed are %g from the middle", r.guard.State(), i, l, most)
				}
			}
			if s := r.guard.State(); (s.Moves() || s == guard.Releasing) && p.legs != motion.Legs(r.legs) {
				t.Fatalf("%v: legs %v are sent, %v passed", s, p.legs, r.legs)
			}
		}
	}
	ticks(6000)
	if r.guard.State() != guard.Driving || w.torque == 0 {
		t.Fatalf("%v with %g N·m after 6 s", r.guard.State(), w.torque)
	}
	r.orders.stop.Store(true)
	ticks(100)
	if w.torque != 0 || p.halted != 100 {
		t.Errorf("%g N·m and %d halts in 100 ticks of an emergency stop", w.torque, p.halted)
	}
	r.orders.stop.Store(false)
	r.orders.clear.Store(true)
	ticks(4000)
	r.state.Vel.Y = math.NaN()
	ticks(1)
	if r.guard.State() != guard.Fault || r.guard.Last().Cause != guard.BadState || w.torque != 0 {
		t.Errorf("%v for %v with %g N·m of a car that is not made of numbers", r.guard.State(), r.guard.Last().Cause, w.torque)
	}
}

// ratedWheel is a wheel that gives so much.
type ratedWheel struct {
	steeringWheel
	rated float64
}

func (w ratedWheel) Rated() float64 { return w.rated }

// Feel, guard and wheel all leave room for what the wheel makes by itself.
func TestRoomForOwnEffectsIsKeptEverywhere(t *testing.T) {
	for _, c := range []struct{ wheel, headroom, feel, guard, rated, gate float64 }{
		{6, 2, 8, 8, 6, 6}, // the wheel has left its room out itself
		{15, 5, 8, 8, 6, 6},
		{15, 5, 4, 8, 3, 7},
		{15, 5, 8, 4, 3, 3},
		{20, 0, 8, 8, 8, 8},
	} {
		force := ffb.DefaultConfig()
		force.MaxTorque = c.feel
		feel, err := ffb.New(force, ffb.Car{}, 0.001)
		if err != nil {
			t.Fatal(err)
		}
		cfg := guard.DefaultConfig()
		cfg.MaxTorque = c.guard
		r := &Rig{feel: feel, guard: guard.New(cfg, 0.001), wheel: ratedWheel{rated: c.wheel}, own: &shaken{room: c.headroom}}
		for range 3000 {
			r.guard.Step(guard.Inputs{Start: true, WheelPresent: true, PlatformHomed: true, StateOK: true})
		}
		rated := r.rated()
		gate, _ := r.guard.Gate(100, [8]float64{})
		if rated != c.rated || gate != c.gate {
			t.Errorf("%+v: the force may have %g N·m, %g pass", c, rated, gate)
		}
	}
}
