package curve_test

import (
	"fmt"

	"rig.example/rig/sim/curve"
)

// A torque curve over the speed of an engine [rad/s], constant outside of its points.
func ExampleLine_At() {
	var torque curve.Line
	torque.Add(100, 180) // [N·m]
	torque.Add(400, 300)
	torque.Add(600, 240)
	fmt.Println(torque.At(50), torque.At(250), torque.At(500), torque.At(700))
	// Output: 180 240 270 240
}

// An engine's torque over throttle and speed; between the points of the grid it is bilinear.
func ExampleMap_At() {
	torque := curve.NewMap([]curve.MapPoint{
		{X: 0, Y: 100, Z: -20}, {X: 0, Y: 400, Z: -40},
		{X: 1, Y: 100, Z: 180}, {X: 1, Y: 400, Z: 300},
	})
	fmt.Println(torque.At(0, 100), torque.At(1, 250), torque.At(0.5, 250))
	// Output: -20 240 105
}
