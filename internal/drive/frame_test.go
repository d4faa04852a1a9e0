package drive

import (
	"math"
	"testing"

	"rig.example/rig/internal/frame"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
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
		{"fuel", newTank(petrol), 1.5, sim.State{Driveline: driveline.State{Fuel: 20}}, 20, 0.4, [2]float64{1.5, 0}},
		{"60 L that the file leaves open, begun with 6", newTank(begun), 0, sim.State{Driveline: driveline.State{Fuel: 6}}, 6, 0.1, [2]float64{0, 0}},
		{"empty", newTank(petrol), 50, sim.State{}, 0, 0, [2]float64{50, 0}},
		{"battery", newTank(electric), 7.2e6, sim.State{Driveline: driveline.State{Battery: 36e6}}, math.NaN(), 0.25, [2]float64{0, 2}},
		{"of no size", newTank(sim.Params{}), 0, sim.State{}, 0, 0, [2]float64{0, 0}},
	} {
		d := Drive{tank: tt.tank}
		d.State.Consumed = tt.used
		var f frame.Frame
		d.tank.show(&f, &tt.state)
		same := f.Fuel == tt.fuel || math.IsNaN(f.Fuel) && math.IsNaN(tt.fuel)
		if fuel, energy := d.Spent(); !same || f.Charge != tt.charge || fuel != tt.spent[0] || energy != tt.spent[1] {
			t.Errorf("%s: shows %g L, %g, spent %g L, %g kWh", tt.name, f.Fuel, f.Charge, fuel, energy)
		}
	}
}

func TestAssistsThatWorkHaveTheirFlags(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  func(s *sim.State)
		want uint64
	}{
		{"none", func(*sim.State) {}, 0},
		{"traction control cuts", func(s *sim.State) { s.Assist.Traction.Cut = 0.2 }, frame.TractionActive},
		{"traction control brakes", func(s *sim.State) { s.Assist.Traction.Brake[tire.RR] = 0.2 }, frame.TractionActive},
		{"stability control cuts", func(s *sim.State) { s.Assist.Stability.Cut = 0.2 }, frame.StabilityActive},
		{"stability control brakes", func(s *sim.State) { s.Assist.Stability.Brake[tire.FL] = 0.2 }, frame.StabilityActive},
		{"launch control", func(s *sim.State) { s.Assist.Launch.Phase = assist.LaunchStarting }, frame.LaunchActive},
		{"pit limiter", func(s *sim.State) { s.Assist.Pit.Active = 1 }, frame.PitLimiterActive},
	} {
		var s sim.State
		tt.set(&s)
		if got := assistFlags(&s); got != tt.want {
			t.Errorf("%s: flags %b, want %b", tt.name, got, tt.want)
		}
	}
}
