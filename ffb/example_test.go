package ffb_test

import (
	"fmt"

	"rig.example/rig/ffb"
	"rig.example/rig/sim"
)

// A wheel that may give 5 N·m, and a car whose steering column passes 6.5 N·m to the left.
func Example() {
	cfg := ffb.DefaultConfig() // full_scale_nm = 13: the column's torque at which the rim gives all
	cfg.Rim.Damping, cfg.Rim.Friction, cfg.Rim.DelayCompensation = 0, 0, 0
	feel, err := ffb.New(cfg, ffb.Car{Lock: 8}, sim.Dt)
	if err != nil {
		fmt.Println(err)
		return
	}
	state, car := feel.Start(), &sim.State{}
	car.ColumnTorque = 6.5
	wheel := ffb.Wheel{Present: true, Rated: 5, Rate: 1000, Delay: 0.005}
	for range 100 {
		car.Tick++
		torque := feel.Torque(&state, car, wheel)
		if car.Tick == 1 || car.Tick == 100 {
			fmt.Printf("tick %d: %.2f N·m\n", car.Tick, torque)
		}
	}
	fmt.Println("clipping:", state.Clipping())
	// Output:
	// tick 1: 0.50 N·m
	// tick 100: 2.50 N·m
	// clipping: false
}
