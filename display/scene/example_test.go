package scene_test

import (
	"fmt"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/scene"
)

// The road behind the camera is not in the picture.
func ExampleBuild() {
	world, meshes := scene.Build(displaytest.Oval())
	frame := displaytest.OvalFrame(30)
	car := scene.CarPose(frame, 0)
	eye := world.CockpitEye(car)
	frustum := scene.NewFrustum(eye.Matrix(1280.0 / 720))
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
