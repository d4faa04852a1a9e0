package steering_test

import (
	"fmt"
	"math"

	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/tire"
)

// A quarter turn to the left, and what 30 N·m on each front wheel towards the middle make of it.
func Example() {
	g, err := steering.New(steering.Default(), steering.Geometry{Wheelbase: 2.66, Track: 1.52, HubHeight: [2]float64{0.31, 0.31}}, 1e-3)
	if err != nil {
		fmt.Println(err)
		return
	}
	var a steering.Angles
	var rack steering.State
	g.WheelAngles(&a, math.Pi/2, 20)
	torque := g.Step(&rack, -30, -30, &a, 20, true)
	fmt.Printf("left %.2f°, right %.2f°\n", a.Angle[tire.FL]*180/math.Pi, a.Angle[tire.FR]*180/math.Pi)
	fmt.Printf("%.2f N·m at the steering wheel\n", torque)
	// Output:
	// left 6.33°, right 6.10°
	// -4.14 N·m at the steering wheel
}
