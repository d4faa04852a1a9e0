package chassis_test

import (
	"fmt"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/chassis"
)

// A body is thrown upwards at 10 m/s, and comes back as fast.
func Example() {
	box := chassis.Params{Mass: 1000, InertiaXX: 300, InertiaYY: 1500, InertiaZZ: 1500, Length: 4, Width: 2, Height: 1, Gravity: 10, Wheelbase: 2.5}
	hull := chassis.DefaultHull()
	hull.Points = [][]float64{{0, 1, 0}, {0, -1, 0}, {-4, 1, 0}, {-4, -1, 0}, {-2, 0, 1}}
	body, err := chassis.New(chassis.Spec{Params: box, Hull: hull, Air: chassis.DefaultAir()}, road.Asphalt(), 1e-3)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := chassis.State{Pos: r3.Vec{Z: 2}, Att: quat.Number{Real: 1}, Vel: r3.Vec{X: 3, Z: 10}}
	var wheels [4]chassis.Wheel // without mass
	top := 0.0
	for range 2000 {
		axes := chassis.AxesOf(s.Att)
		body.Step(&s, &axes, &chassis.Load{Gravity: body.Gravity(&axes), Airborne: true}, &wheels)
		top = max(top, s.Pos.Z)
	}
	fmt.Printf("%.2f m high, then %.2f m ahead, %.2f m high, falling at %.2f m/s\n", top, s.Pos.X, s.Pos.Z, -s.Vel.Z)
	// Output: 7.00 m high, then 6.00 m ahead, 2.00 m high, falling at 10.00 m/s
}
