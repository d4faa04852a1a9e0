package brakes_test

import (
	"fmt"

	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/tire"
)

// Half the pedal for a tenth of a second, which its lag follows.
func Example() {
	axle := brakes.Axle{Radius: 0.304, Inertia: 1.1, PeakSlip: 0.12, Track: 1.52}
	k := brakes.New(brakes.Default(), &brakes.Vehicle{Axles: [2]brakes.Axle{axle, axle}, AirTemperature: 15, CGHeight: 0.52, Gravity: 9.81}, 1e-3)
	var s brakes.State
	for range 100 {
		k.Step(&s, &brakes.Input{Pedal: 0.5})
	}
	fmt.Printf("%.0f bar hold a front wheel by %.0f N·m, a rear one by %.0f N·m\n",
		s.Wheels[tire.FL].Pressure, s.Wheels[tire.FL].Torque, s.Wheels[tire.RL].Torque)
	// Output:
	// 72 bar hold a front wheel by 1034 N·m, a rear one by 363 N·m
}
