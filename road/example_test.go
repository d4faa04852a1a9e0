package road_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// A line through waypoints, and the position of a car beside it.
func ExampleLineThrough() {
	line, err := road.LineThrough([]road.Waypoint{
		{Pos: r3.Vec{X: 0}, Left: 4, Right: 4},
		{Pos: r3.Vec{X: 50}, Left: 4, Right: 4},
		{Pos: r3.Vec{X: 100}, Left: 4, Right: 4},
	}, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	station, lateral := line.Nearest(r3.Vec{X: 30, Y: 1.5}, 0)
	fmt.Printf("%.1f m long, %.1f m from the start, %.1f m to the left\n", line.Length(), station, lateral)
	// Output: 100.0 m long, 30.0 m from the start, 1.5 m to the left
}

// Cobbles on a flat ground: the contact below a wheel has their surface and their height.
func ExamplePave() {
	cobbles, err := road.SurfaceNamed("cobbles")
	if err != nil {
		fmt.Println(err)
		return
	}
	ground, err := road.Pave(road.Asphalt(), []road.Surface{cobbles}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	contact := ground.Touch(r3.Vec{X: 3, Y: 0.5, Z: 0.3})
	fmt.Println(contact.Surface == cobbles.Tire, contact.Depth < 0)
	// Output: true true
}
