package cueing_test

import (
	"fmt"

	"rig/cueing"
)

func ExampleGeometry_Legs() {
	seat := cueing.Geometry{Spacing: 0.5, Arm: 0.6, Stroke: 0.15}
	legs := seat.Legs(cueing.Pose{Roll: 0.05}) // right side down
	fmt.Printf("left %.2f, right %.2f\n", legs[0], legs[1])
	// Output: left 0.58, right 0.42
}
