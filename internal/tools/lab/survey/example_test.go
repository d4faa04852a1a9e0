package survey_test

import (
	"fmt"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/tools/lab/survey"
)

// What lies below a place on the skid pad, looked at from 5 m.
func ExampleProber_At() {
	p, warnings, err := survey.NewProber("skidpad", circuit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	const fromAbove = 5 // [m]
	spot, ok := p.At(100, 0, fromAbove)
	fmt.Printf("%v, %d warnings: %s at %.2f m, upward part of its normal %.2f\n", ok, len(warnings), spot.Surface, spot.Height, spot.Normal.Z)
	// Output:
	// true, 0 warnings: pad at 0.00 m, upward part of its normal 1.00
}
