package drive

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
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

// A car that runs into a wall gets an impulse of its mass times its change of velocity. Nothing else but contact counts, and a
// car that leans on a wall in a pause gets none.
func TestTheImpulseOfAWallIsTheMomentumThatItTakes(t *testing.T) {
	level.SkipIfQuick(t)
	const speed = 10.0 // [m/s]
	r := seated(t, func(s *Setup) {
		at := club.At(0)
		place := func(ahead, left float64) r3.Vec {
			sin, cos := math.Sincos(at.Heading)
			return r3.Add(at.Pos, r3.Vec{X: ahead*cos - left*sin, Y: ahead*sin + left*cos})
		}
		ground, err := road.WithWalls(club.Ground, []road.Wall{{From: place(12, 10), To: place(12, -10), Height: 2, Thickness: 2}})
		must(t, err)
		walled := *club
		walled.Ground = ground
		s.Circuit = &walled
		s.Car, err = sim.New(s.Car.Params(), &walled, sim.Dt)
		must(t, err)
	})
	r.in.FrameWanted = true
	r.in.Pedals.Clutch = 1
	r.run(5000)
	s, f := &r.State, &r.out.Frame
	if s.Guard.State() != guard.Driving || f.Impulse != 0 {
		t.Fatalf("%v, an impulse of %g N·s before it moves", s.Guard.State(), f.Impulse)
	}
	s.Car.Vel = r3.Scale(speed, chassis.AxesOf(s.Car.Att).X)
	for r.out.Frame.Impulse == 0 && r.out.Frame.Tick < 10_000 {
		r.run(1)
	}
	before := r.State.Car.Speed
	r.run(150)
	want := r.Setup.Car.Params().Mass * (before - s.Car.Speed)
	if got := f.Impulse; before < speed-2 || math.Abs(got-want) > 0.1*want {
		t.Errorf("an impulse of %g N·s from %g to %g m/s, want %g", got, before, s.Car.Speed, want)
	}
	s.Car.Impact.Force.X = -1e4 // as of a car that leans on it
	got := f.Impulse
	r.in.Buttons.Pressed = frame.KeyPause
	if r.run(100); f.Impulse != got || f.Flags&frame.Paused == 0 {
		t.Errorf("from %g to %g N·s in a pause", got, f.Impulse)
	}
	plain := demo(t)
	plain.in.FrameWanted = true
	if plain.run(30_000); plain.out.Frame.Impulse != 0 || plain.State.Distance < 100 {
		t.Errorf("%g N·s in a plain drive of %g m", plain.out.Frame.Impulse, plain.State.Distance)
	}
}

// The frame has the work that each tire has lost by sliding.
func TestTheFrameHasTheSlipEnergyOfEachWheel(t *testing.T) {
	r := seated(t, nil)
	r.in.FrameWanted = true
	for i := range r.State.Car.Wheels {
		r.State.Car.Wheels[i].Roll.SlipEnergy = float64(1+i) * 1e3
	}
	r.run(1)
	for i, w := range r.out.Frame.Wheels {
		if w.SlipEnergy != float64(1+i)*1e3 || w.Rumble != 0 {
			t.Errorf("wheel %d: slip energy %g J, rumble %g", i, w.SlipEnergy, w.Rumble)
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

// A frame tells that the starter turns the engine, until it runs.
func TestTheStarterIsShown(t *testing.T) {
	var d Drive
	for _, tt := range []struct{ starter, running, want bool }{{true, false, true}, {true, true, false}, {false, false, false}} {
		d.State.Input.Starter, d.State.Car.Driveline.Engine.Running = tt.starter, tt.running
		if got := d.State.deviceFlags(&Inputs{}, false)&frame.StarterTurns != 0; got != tt.want {
			t.Errorf("%+v: shown %t", tt, got)
		}
	}
}
