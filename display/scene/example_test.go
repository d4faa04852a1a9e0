package scene_test

import (
	"fmt"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/scene"
	"rig.example/rig/display/screens"
)

// The road behind the camera is not in the picture.
func ExampleBuild() {
	world, meshes := scene.Build(displaytest.Oval())
	frame := displaytest.OvalFrame(30)
	car := scene.CarPose(frame, 0)
	eye := world.CockpitEye(car, [3]float64{}, 0.9)
	lens := screens.Straight(eye.FOV, 1280.0/720)
	frustum := scene.NewFrustum(eye.Through(&lens))
	all := 0
	for _, piece := range world.VisibleRoad(eye, frustum, scene.FullDetail) {
		all += piece.Road.Count
	}
	fmt.Println("some of the road is seen:", all > 0)
	fmt.Println("not all of it:", all < len(meshes.Road.Indices))
	// Output:
	// some of the road is seen: true
	// not all of it: true
}
