package sim_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
)

func ExampleCar_Step() {
	car, err := sim.New(sim.DefaultCar(), road.Asphalt(), sim.Dt)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := car.Rest(r3.Vec{}, 0)
	for range 5000 { // five seconds
		car.Step(&s, sim.Input{Throttle: 0.5, Gear: 1, Assists: assist.Switches{AutoClutch: true, AutoShift: true}})
	}
	fmt.Printf("%.0f km/h in gear %d\n", s.Speed*3.6, s.Driveline.Gear)
	// Output: 43 km/h in gear 1
}
