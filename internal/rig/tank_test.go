package rig

import (
	"math"
	"testing"

	"rig/internal/config"
	"rig/internal/frame"
	"rig/internal/guard"
	"rig/sim"
)

func TestTankTellsWhatIsLeftAndWasUsed(t *testing.T) {
	petrol, electric, begun := sim.Params{}, sim.Params{}, sim.DefaultCar()
	begun.Fuel.Level = 6
	petrol.Fuel.Capacity = 50
	electric.Driveline.Motor.Enabled, electric.Driveline.Motor.Capacity = true, 40
	for _, tt := range []struct {
		name         string
		tank         tank
		used         float64
		state        sim.State
		fuel, charge float64 // in the frame
		spent        [2]float64
	}{
		{"fuel", newTank(petrol), 1.5, sim.State{Fuel: 20}, 20, 0.4, [2]float64{1.5, 0}},
		{"60 L that the file leaves open, begun with 6", newTank(begun), 0, sim.State{Fuel: 6}, 6, 0.1, [2]float64{0, 0}},
		{"empty", newTank(petrol), 50, sim.State{}, 0, 0, [2]float64{50, 0}},
		{"battery", newTank(electric), 7.2e6, sim.State{Battery: 36e6}, math.NaN(), 0.25, [2]float64{0, 2}},
		{"of no size", newTank(sim.Params{}), 0, sim.State{}, 0, 0, [2]float64{0, 0}},
	} {
		tt.tank.used = tt.used
		var f frame.Frame
		tt.tank.show(&f, &tt.state)
		same := f.Fuel == tt.fuel || math.IsNaN(f.Fuel) && math.IsNaN(tt.fuel)
		if fuel, energy := tt.tank.spent(); !same || f.Charge != tt.charge || fuel != tt.spent[0] || energy != tt.spent[1] {
			t.Errorf("%s: shows %g L, %g, spent %g L, %g kWh", tt.name, f.Fuel, f.Charge, fuel, energy)
		}
	}
}

func TestTheDriverIsToldWhyTheEngineStands(t *testing.T) {
	all := frame.WheelPresent | frame.PedalsPresent
	for _, tt := range []struct {
		name string
		demo bool
		f    frame.Frame
		want string
	}{
		{"runs", false, frame.Frame{Pictures: 1, State: uint64(guard.Driving), Flags: all | frame.EngineRuns, Charge: 0.5}, ""},
		{"stalled", false, frame.Frame{Pictures: 1, State: uint64(guard.Driving), Flags: all, Charge: 0.5}, "engine stopped: press the clutch pedal to the floor, or hold I in the window"},
		{"stalled in the demo", true, frame.Frame{Pictures: 1, State: uint64(guard.Driving), Charge: 0.5}, "engine stopped: hold I in the window to start it"},
		{"the same without a window", true, frame.Frame{State: uint64(guard.Driving), Charge: 0.5}, "engine stopped"},
		{"stalled without a window", false, frame.Frame{State: uint64(guard.Driving), Flags: all, Charge: 0.5}, "engine stopped: press the clutch pedal to the floor"},
		{"empty", false, frame.Frame{Pictures: 1, State: uint64(guard.Driving), Flags: all, Charge: 1e-9}, "engine stopped: the tank or battery is empty; press R in the window, or the button for reset to stand here with a full one"},
		{"a fault comes first", false, frame.Frame{State: uint64(guard.Stopped)},
			"STOPPED: no torque; to go on confirm: pkill -USR1 -x rig"},
	} {
		set := deviceSet{demo: tt.demo}
		if got := set.notice(&tt.f); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSummaryCountsTheFuelThatTheCarUsed(t *testing.T) {
	r := withPage(t, demo(t))
	full := r.state.Fuel
	run(t, r, 5000)
	if sum := r.summary(); sum.Fuel <= 0 || math.Abs(sum.Fuel-(full-r.state.Fuel)) > 1e-9 || sum.Energy != 0 {
		t.Errorf("used %g L and %g kWh of %g L, %g L are left", sum.Fuel, sum.Energy, full, r.state.Fuel)
	}
}

func TestAssistsThatWorkHaveTheirFlags(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  func(s *sim.State)
		want uint64
	}{
		{"none", func(*sim.State) {}, 0},
		{"traction control cuts", func(s *sim.State) { s.Help.Traction.Cut = 0.2 }, frame.TractionWorks},
		{"traction control brakes", func(s *sim.State) { s.Help.Traction.Brake[sim.RR] = 0.2 }, frame.TractionWorks},
		{"stability control cuts", func(s *sim.State) { s.Help.Stability.Cut = 0.2 }, frame.StabilityWorks},
		{"stability control brakes", func(s *sim.State) { s.Help.Stability.Brake[sim.FL] = 0.2 }, frame.StabilityWorks},
		{"launch control", func(s *sim.State) { s.Help.Launch.Phase = sim.LaunchGoes }, frame.LaunchWorks},
		{"pit limiter", func(s *sim.State) { s.Help.Pit.Works = 1 }, frame.PitWorks},
	} {
		var s sim.State
		tt.set(&s)
		if got := helping(&s); got != tt.want {
			t.Errorf("%s: flags %b, want %b", tt.name, got, tt.want)
		}
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
		if f.Flags&frame.ABSWorks != 0 {
			works++
		}
		pulse = math.Max(pulse, f.Pulse)
	}
	if works < 300 || pulse < 0.1 || pulse > 1 {
		t.Errorf("works in %d of 1000 ticks, pulse up to %.2f", works, pulse)
	}
}
