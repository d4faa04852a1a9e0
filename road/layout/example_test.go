package layout_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/road/layout"
)

// A ring of 100 m radius that is banked by 10° to its inside.
func Example() {
	plan := layout.Default()
	plan.Pieces = []layout.Piece{{Turn: 360, Radius: 100, Bank: 10}}
	r, _, err := layout.NewRibbon(plan, road.SurfaceNamed)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := r.Touch(r3.Vec{Y: -4, Z: 0.7}) // 4 m to the right of the start
	fmt.Printf("%.1f m long; %.2f m higher on the right, made of %s\n", r.Line().Length(), c.Point.Z, r.Surfaces()[c.Material].Name)
	// Output: 628.3 m long; 0.71 m higher on the right, made of tarmac
}
