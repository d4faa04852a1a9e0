package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/test/near"
)

func TestLaunchControlHoldsTheEnginesSpeed(t *testing.T) {
	p := DefaultCar()
	p.Assists.Launch.RPM = 3500
	c := newCar(t, p, Dt)
	for _, held := range []Input{{Brake: 1}, {Clutch: 1}, {Handbrake: 1, Brake: 0.2}} {
		s := c.Rest(r3.Vec{}, 0)
		held.Gear, held.Throttle, held.Assists = 1, 1, assist.Switches{Launch: true, AutoClutch: true}
		run(c, &s, 2, held)
		if s.Assist.Launch.Phase != assist.LaunchHolding {
			t.Fatalf("%+v: phase %d", held, s.Assist.Launch.Phase)
		}
		for range 1000 {
			c.Step(&s, held)
			near.Value(t, "speed of the engine", s.RPM(), 3500, 50)
		}
		near.Value(t, "moved", s.Pos.X, 0, 0.02)
	}
}

func TestLaunchControlEndsAndForgets(t *testing.T) {
	c := coupe(t)
	s := c.Rest(r3.Vec{}, 0)
	in := Input{Gear: 1, Throttle: 1, Brake: 1, Assists: assist.Switches{Launch: true, AutoClutch: true}}
	run(c, &s, 1, in)
	in.Brake = 0
	run(c, &s, 5, in)
	if s.Assist.Launch != (assist.LaunchState{}) || s.Speed < 15 {
		t.Errorf("at %.1f m/s %+v", s.Speed, s.Assist.Launch)
	}
}
