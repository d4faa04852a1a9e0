package cueing_test

import (
	"fmt"
	"math"

	"rig.example/rig/cueing"
)

// A car that turns to the left with 0.2 g for a while: the platform leans until gravity
// pushes the driver as the bend does.
func ExampleCue_Next() {
	cfg := cueing.DefaultConfig()
	cfg.Mode = cueing.Washout
	cfg.Washout.TiltGain = [2]float64{0.5, 0.5}
	cue, err := cueing.New(cfg, 0.001)
	if err != nil {
		fmt.Println(err)
		return
	}
	bend := cueing.Inputs{Force: [3]float64{0, 1.6, 9.80665}}
	state := cue.Start()
	var pose cueing.Pose
	for range 20_000 {
		pose = cue.Next(&state, &bend)
	}
	fmt.Printf("right side down by %.1f°, felt %.1f m/s²\n", pose.Roll*180/math.Pi, 9.80665*math.Sin(pose.Roll))
	// Output: right side down by 4.7°, felt 0.8 m/s²
}
