package sim_test

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
)

// Switched off in the middle of a stop the antilock lets go of every wheel at once, and
// switched on again it knows nothing of what was before.
func TestAnAntilockThatIsOffRemembersNothing(t *testing.T) {
	c, err := sim.New(sim.DefaultCar(), road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Underway(r3.Vec{}, 0, 28, 0)
	in := sim.Input{Brake: 1, Assists: sim.Assists{ABS: 5}}
	worked := false
	for range 500 {
		c.Step(&s, in)
		for i := range s.Brakes.Wheels {
			worked = worked || s.Brakes.Wheels[i].ABS.Works()
		}
	}
	if !worked {
		t.Fatal("it never worked: the test tests nothing")
	}
	in.Assists.ABS = 0
	c.Step(&s, in)
	for i := range s.Brakes.Wheels {
		if s.Brakes.Wheels[i].ABS != (sim.ABSWheel{}) {
			t.Errorf("wheel %d: %+v", i, s.Brakes.Wheels[i].ABS)
		}
	}
	if s.Brakes.ABS != (sim.ABSState{}) || s.Brakes.Pulse != 0 {
		t.Errorf("%+v, pulse %g", s.Brakes.ABS, s.Brakes.Pulse)
	}
}
