package axis_test

import (
	"fmt"

	"rig.example/rig/devices/axis"
)

// A brake on 0..1000 counts, finer at its start, that is not believed before it was seen at rest.
func Example() {
	brake := axis.MeasuredAxis{Ends: axis.Uncalibrated(0, 1000)}
	shape := axis.NewShape(axis.Config{CurveConfig: axis.CurveConfig{Shape: "gamma", Gamma: 2}}, 0.001)
	for _, raw := range []int32{500, 0, 500, 1000} {
		fmt.Printf("%.2f\n", shape.Step(brake.Value(raw, false)))
	}
	// Output:
	// 0.00
	// 0.00
	// 0.25
	// 1.00
}
