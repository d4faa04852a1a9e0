package hud_test

import (
	"fmt"

	"rig.example/rig/display/hud"
	"rig.example/rig/internal/core/frame"
)

// A picture of 1280 by 720 pixels: one pixel a layout unit.
func ExampleCanvas_Draw() {
	c, err := hud.New(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	const aspect = 1280.0 / 720
	waiting := len(c.Draw(nil, hud.Status{}, aspect))
	driving := len(c.Draw(&frame.Frame{Speed: 30, Gear: 3}, hud.Status{MaxRPM: 8000}, aspect))
	fmt.Println("whole triangles:", waiting%3 == 0 && driving%3 == 0)
	fmt.Println("more to see in a drive:", driving > waiting)
	// Output:
	// whole triangles: true
	// more to see in a drive: true
}
