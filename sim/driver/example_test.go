package driver_test

import (
	"fmt"

	"rig.example/rig/road"
	"rig.example/rig/road/layout"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

// A calm driver takes the default car round a ring of 100 m radius for twenty seconds.
func Example() {
	ring := layout.Default()
	ring.Pieces = []layout.Piece{{Turn: 360, Radius: 100}}
	ribbon, _, err := layout.NewRibbon(ring, road.SurfaceNamed)
	if err != nil {
		fmt.Println(err)
		return
	}
	circuit := &road.Circuit{Ground: ribbon, Line: ribbon.Line()}
	car, err := sim.New(sim.DefaultCar(), circuit, sim.Dt)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := driver.New(driver.DefaultConfig(), car, circuit, sim.Dt)
	if err != nil {
		fmt.Println(err)
		return
	}
	start := circuit.At(0)
	s := car.Rest(start.Pos, start.Heading)
	m := d.Start(&s)
	for range 20_000 {
		car.Step(&s, d.Drive(&m, &s))
	}
	fmt.Printf("%.0f km/h, on the road: %v\n", s.Speed*3.6, m.LateralOffset > -5 && m.LateralOffset < 5)
	// Output: 86 km/h, on the road: true
}
