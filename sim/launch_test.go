package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/test/near"
)

func TestLaunchControlHoldsTheEnginesSpeed(t *testing.T) {
	p := DefaultCar()
	p.Assists.Launch.RPM = 3500
	c := newCar(t, p, Dt)
	for _, held := range []Input{{Brake: 1}, {Clutch: 1}, {Handbrake: 1, Brake: 0.2}} {
		s := c.Rest(r3.Vec{}, 0)
		held.Gear, held.Throttle, held.Assists = 1, 1, Assists{Launch: true, Clutch: true}
		run(c, &s, 2, held)
		if s.Help.Launch.Phase != LaunchHolds {
			t.Fatalf("%+v: phase %d", held, s.Help.Launch.Phase)
		}
		for range 1000 {
			c.Step(&s, held)
			near.Value(t, "speed of the engine", s.RPM(), 3500, 50)
		}
		near.Value(t, "moved", s.Pos.X, 0, 0.02)
	}
}

func TestLaunchControlsPhases(t *testing.T) {
	k := coupe(t).electronics.launch
	stands, rolls := State{}, State{State: chassis.State{Speed: 5}}
	tests := []struct {
		name string
		from int8
		s    State
		in   Input
		want int8
	}{
		{"throttle alone", LaunchReady, stands, Input{Gear: 1, Throttle: 1}, LaunchReady},
		{"half a throttle", LaunchReady, stands, Input{Gear: 1, Throttle: 0.6, Brake: 1}, LaunchReady},
		{"neutral", LaunchReady, stands, Input{Throttle: 1, Brake: 1}, LaunchReady},
		{"rolling", LaunchReady, rolls, Input{Gear: 1, Throttle: 1, Brake: 1}, LaunchReady},
		{"held by the brake", LaunchReady, stands, Input{Gear: 1, Throttle: 1, Brake: 1}, LaunchHolds},
		{"held by the clutch", LaunchReady, stands, Input{Gear: 1, Throttle: 1, Clutch: 1}, LaunchHolds},
		{"let go", LaunchHolds, stands, Input{Gear: 1, Throttle: 1}, LaunchGoes},
		{"given up", LaunchHolds, stands, Input{Gear: 1, Throttle: 0.2, Brake: 1}, LaunchReady},
		{"goes", LaunchGoes, rolls, Input{Gear: 2, Throttle: 1}, LaunchGoes},
		{"lifts", LaunchGoes, rolls, Input{Gear: 1, Throttle: 0.2}, LaunchReady},
		{"brakes", LaunchGoes, rolls, Input{Gear: 1, Throttle: 1, Brake: 1}, LaunchReady},
		{"fast enough", LaunchGoes, State{State: chassis.State{Speed: 16}}, Input{Gear: 2, Throttle: 1}, LaunchReady},
		{"fast, but spins", LaunchGoes, State{State: chassis.State{Speed: 16}, Help: AssistState{Traction: TractionState{Cut: 0.2}}}, Input{Gear: 2, Throttle: 1}, LaunchGoes},
	}
	for _, tt := range tests {
		if got := k.next(tt.from, &tt.s, &tt.in); got != tt.want {
			t.Errorf("%s: phase %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestLaunchControlEndsAndForgets(t *testing.T) {
	c := coupe(t)
	s := c.Rest(r3.Vec{}, 0)
	in := Input{Gear: 1, Throttle: 1, Brake: 1, Assists: Assists{Launch: true, Clutch: true}}
	run(c, &s, 1, in)
	in.Brake = 0
	run(c, &s, 5, in)
	if s.Help.Launch != (LaunchState{}) || s.Speed < 15 {
		t.Errorf("at %.1f m/s %+v", s.Speed, s.Help.Launch)
	}
}
