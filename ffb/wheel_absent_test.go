package ffb

import (
	"math"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
)

// A wheel that goes takes the rim's past with it: the next one starts from rest.
func TestRimOfAnAbsentWheelIsForgotten(t *testing.T) {
	r, s := newRim(DefaultRim(), DefaultLock(), Car{Lock: 8}, 0.001), rimState{}
	w := Wheel{Present: true, Rated: 10, Delay: 5e-3}
	var got Trace
	for range 500 {
		w.Angle += 0.005
		r.step(&s, w, 30, 2, 2, 1, &got)
	}
	if got.RimSpeed < 4.9 || got.Damping == 0 {
		t.Fatalf("rim speed %g rad/s, damping %g N·m, want 5 rad/s that are damped", got.RimSpeed, got.Damping)
	}
	w.Present = false
	if sum := r.step(&s, w, 30, 2, 2, 1, &got); sum != 0 || got != (Trace{}) {
		t.Errorf("an absent wheel gets %g N·m: %+v", sum, got)
	}
	w.Present, w.Angle = true, -3
	r.step(&s, w, 30, 2, 2, 1, &got)
	if got.RimSpeed != 0 || got.Damping != 0 || got.Lead != 0 {
		t.Errorf("in its first tick the next wheel has a rim speed of %g rad/s, damping %g and lead %g N·m", got.RimSpeed, got.Damping, got.Lead)
	}
}

// After a fault the force begins anew: nothing of the torque and the rim before is left.
func TestAFaultForgetsTheTorqueBefore(t *testing.T) {
	f := newTestChain(t, DefaultConfig())
	w := Wheel{Present: true, Rated: 8, Rate: 250, Delay: 5e-3}
	s := sim.State{State: chassis.State{Speed: 20}, ColumnTorque: 8}
	for range 1000 {
		w.Angle += 0.002
		s.Tick++
		f.Torque(&s, w)
	}
	if before := f.Trace(); before.Slewed < 2 || before.RimSpeed < 1.9 {
		t.Fatalf("%g N·m at a rim of %g rad/s: the test tests nothing", before.Slewed, before.RimSpeed)
	}
	s.ColumnTorque = math.NaN()
	f.Torque(&s, w)
	s.ColumnTorque = 8
	f.Torque(&s, w)
	if after := f.Trace(); after.Slewed > f.slew || after.Sent > f.slew || after.RimSpeed != 0 || after.HandsOn != 0 {
		t.Errorf("in the first tick after it: %+v", after)
	}
}
