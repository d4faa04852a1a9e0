package motion4sim_test

import (
	"fmt"

	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/wire"
)

// Six actuators: at the lower end, at a quarter of the stroke, at the center and at the
// upper end. FF FF, a position of 24 bits for each of eight actuators with the high byte
// first, 0A 0D; one that is not there stands in the middle.
func ExampleCodec_AppendTarget() {
	c, err := motion4sim.New(motion4sim.DefaultConfig())
	if err != nil {
		fmt.Println(err)
		return
	}
	target := c.AppendTarget(nil, &wire.Legs{0, 0.25, 0.5, 1, 0.5, 0.5})
	fmt.Printf("% x\n", target[:2])
	for i := range 8 {
		fmt.Printf("%d % x\n", i, target[2+3*i:5+3*i])
	}
	fmt.Printf("% x\n", target[26:])
	// Output:
	// ff ff
	// 0 00 00 00
	// 1 40 00 00
	// 2 7f ff ff
	// 3 ff ff ff
	// 4 7f ff ff
	// 5 7f ff ff
	// 6 7f ff ff
	// 7 7f ff ff
	// 0a 0d
}

// A pose: sway, surge, heave, yaw, roll and pitch, then the belt. Surge is at its center and
// the nose is 4° down, half of pitch_deg.
func ExampleCodec_AppendTarget_pose() {
	cfg := motion4sim.DefaultConfig()
	cfg.Frames = motion4sim.Pose
	c, err := motion4sim.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("% x\n", c.AppendTarget(nil, &wire.Legs{0.5, 0.5, 0.5, 0.5, 0.75, 0.5, 0.5}))
	// Output:
	// fc fc 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 40 00 00 00 00 00 00 00 00 0a 0d
}
