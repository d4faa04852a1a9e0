package thanos_test

import (
	"fmt"

	"rig.example/rig/devices/motion/thanos"
	"rig.example/rig/devices/motion/wire"
)

// Four actuators: at the lower end, at a quarter of the stroke, at the center and at the
// upper end. FF FF, a position of 16 bits for each of eight actuators with the high byte
// first, 0A 0D.
func ExampleCodec_AppendTarget() {
	c, err := thanos.New(thanos.DefaultConfig())
	if err != nil {
		fmt.Println(err)
		return
	}
	target := c.AppendTarget(nil, &wire.Legs{0, 0.25, 0.5, 1})
	fmt.Printf("head    % x\n", target[:2])
	for i := range 8 {
		fmt.Printf("leg %d   % x\n", i, target[2+2*i:4+2*i])
	}
	fmt.Printf("tail    % x\n", target[18:])
	// Output:
	// head    ff ff
	// leg 0   00 64
	// leg 1   40 00
	// leg 2   7f ff
	// leg 3   fe ff
	// leg 4   00 00
	// leg 5   00 00
	// leg 6   00 00
	// leg 7   00 00
	// tail    0a 0d
}
