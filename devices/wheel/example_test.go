package wheel_test

import (
	"fmt"
	"math"

	"rig.example/rig/devices/wheel"
)

// A simulated wheel is driven as a real one is: a torque goes in by Push, and Poll returns the angle.
func ExampleSim() {
	w := wheel.NewSim(wheel.DefaultSimConfig())
	w.Push(1) // 1 N·m to the left
	for range 100 {
		w.Step() // 1 ms
	}
	var s wheel.Sample
	w.Poll(&s)
	fmt.Printf("after 0.1 s the rim is at %.0f degrees\n", s.Angle*180/math.Pi)
	// Output: after 0.1 s the rim is at 6 degrees
}
