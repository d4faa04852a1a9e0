package racing_test

import (
	"fmt"

	"rig.example/rig/road/layout"
	"rig.example/rig/road/racing"
)

// A ring of 10 m width about a circle of 100 m is driven at its outer edge, as fast as 9 m/s²
// to the side allow.
func Example() {
	ring := layout.Default()
	ring.Pieces = []layout.Piece{{Turn: 360, Radius: 100}}
	center, err := ring.Line()
	if err != nil {
		fmt.Println(err)
		return
	}
	line, err := racing.Line(center, racing.Options{Width: 1.8, Margin: 0.1, Spacing: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	speeds, err := racing.SpeedProfile(line, racing.Limits{LateralAccel: func(speed float64) float64 { return 9 }})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, _ := speeds.At(0)
	fmt.Printf("radius %.1f m, %.2f m/s\n", 1/line.At(0).Curvature, v)
	// Output: radius 104.0 m, 30.59 m/s
}
