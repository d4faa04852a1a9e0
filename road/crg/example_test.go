package crg_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road/crg"
)

// A road of 2 m by 2 m that rises by 0.1 m for each metre ahead.
func Example() {
	const file = `$ROAD_CRG
REFERENCE_LINE_INCREMENT = 1.0
$KD_Definition
#:LRFI
D:long section at v = -1.0,m
D:long section at v = 1.0,m
$$$$
  0.000000  0.000000
  0.100000  0.100000
  0.200000  0.200000
`
	g, err := crg.Parse([]byte(file), "ramp.crg")
	if err != nil {
		fmt.Println(err)
		return
	}
	c := g.Touch(r3.Vec{X: 1.5, Y: 0.5, Z: 1})
	fmt.Printf("height %.2f m, normal %.3f ahead and %.3f up\n", c.Point.Z, c.Normal.X, c.Normal.Z)
	// Output: height 0.15 m, normal -0.100 ahead and 0.995 up
}
