package rig

import (
	"math"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
)

func TestTheDriverIsToldWhyTheEngineStands(t *testing.T) {
	all := frame.WheelPresent | frame.PedalsPresent
	for _, tt := range []struct {
		name string
		demo bool
		f    frame.Frame
		want string
	}{
		{"runs", false, frame.Frame{Pictures: 1, State: uint64(guard.Driving), Flags: all | frame.EngineRunning, Charge: 0.5}, ""},
		{"stalled", false, frame.Frame{Pictures: 1, State: uint64(guard.Driving), Flags: all, Charge: 0.5}, "engine stopped: press the clutch pedal to the floor, or hold I in the window"},
		{"stalled in the demo", true, frame.Frame{Pictures: 1, State: uint64(guard.Driving), Charge: 0.5}, "engine stopped: hold I in the window to start it"},
		{"the same without a window", true, frame.Frame{State: uint64(guard.Driving), Charge: 0.5}, "engine stopped"},
		{"stalled without a window", false, frame.Frame{State: uint64(guard.Driving), Flags: all, Charge: 0.5}, "engine stopped: press the clutch pedal to the floor"},
		{"empty", false, frame.Frame{Pictures: 1, State: uint64(guard.Driving), Flags: all, Charge: 1e-9}, "engine stopped: the tank or battery is empty; press R in the window, or the button for reset to stand here with a full one"},
		{"a fault comes first", false, frame.Frame{State: uint64(guard.Stopped)},
			"STOPPED: no torque; to go on confirm: rig confirm"},
	} {
		set := deviceSet{demo: tt.demo}
		if got := set.notice(&tt.f); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSummaryCountsTheFuelThatTheCarUsed(t *testing.T) {
	r := withPage(t, demo(t))
	full := r.drive.State.Car.Driveline.Fuel
	run(t, r, 5000)
	if sum := r.summary(); sum.Fuel <= 0 || math.Abs(sum.Fuel-(full-r.drive.State.Car.Driveline.Fuel)) > 1e-9 || sum.Energy != 0 {
		t.Errorf("used %g L and %g kWh of %g L, %g L are left", sum.Fuel, sum.Energy, full, r.drive.State.Car.Driveline.Fuel)
	}
}

// A full stop from speed makes the ABS work, and its pulse reaches the frame.
func TestABSShowsThatItWorks(t *testing.T) {
	a := config.DefaultAssists()
	a.ABS = 5
	r, d := seated(t, a)
	hold(t, r, 0, 500)
	d.feet.Throttle = 1
	hold(t, r, 0, 6000)
	d.feet.Throttle, d.feet.Brake = 0, 1
	works, pulse := 0, 0.0
	for range 1000 {
		hold(t, r, 0, 1)
		var f frame.Frame
		r.page.Read(&f)
		if f.Flags&frame.ABSActive != 0 {
			works++
		}
		pulse = math.Max(pulse, f.BrakePulse)
	}
	if works < 300 || pulse < 0.1 || pulse > 1 {
		t.Errorf("works in %d of 1000 ticks, pulse up to %.2f", works, pulse)
	}
}
