package assist_test

import (
	"fmt"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
)

// The pit limiter of a car that comes into the pit lane too fast, with the throttle down.
func Example() {
	wheel, engine := driveline.Wheel{Inertia: 1.1, Radius: 0.3}, driveline.Default()
	line, err := driveline.New(engine, driveline.DefaultFuel(), wheel, wheel, 1e-3)
	if err != nil {
		panic(err)
	}
	wheels, err := steering.New(steering.Default(), steering.Geometry{Wheelbase: 2.66, Track: 1.52, HubHeight: [2]float64{0.3, 0.3}}, 1e-3)
	if err != nil {
		panic(err)
	}
	axle := assist.Axle{Track: 1.52, Inertia: 1.1, BrakeTorque: 1400, PeakSlip: 0.1}
	e := assist.New(assist.Default(), &engine, &assist.Vehicle{
		Driveline: &line, Steering: &wheels, Mass: 1500, InertiaZZ: 2400, Wheelbase: 2.66,
		Axles: [2]assist.Axle{axle, axle}, Radius: [4]float64{0.3, 0.3, 0.3, 0.3}, MaxLateral: 9.8,
	}, 1e-3)
	in := assist.Sensors{Switches: assist.Switches{PitLimiter: true}}
	gears := line.Rest(50)
	for _, kph := range []float64{70, 59.5, 50} {
		var s assist.State
		o := assist.Orders{Throttle: 1, Gear: 2}
		in.Speed = kph / 3.6
		e.Step(&s, &gears, &in, &o)
		fmt.Printf("%4.1f km/h: throttle %.2f\n", kph, o.Throttle)
	}
	// Output:
	// 70.0 km/h: throttle 0.00
	// 59.5 km/h: throttle 0.14
	// 50.0 km/h: throttle 1.00
}
