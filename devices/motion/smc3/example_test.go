package smc3_test

import (
	"fmt"

	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
)

// Motor A at the lower end, B at the center, C at the upper end: a bracket, the letter, the
// target of 0..1023 with the high byte first, a bracket.
func ExampleCodec_AppendTarget() {
	c := smc3.New(smc3.DefaultConfig())
	target := c.AppendTarget(nil, &wire.Legs{0, 0.5, 1})
	for ; len(target) > 0; target = target[5:] {
		fmt.Printf("% x  %q\n", target[:5], target[1])
	}
	// Output:
	// 5b 41 00 00 5d  'A'
	// 5b 42 02 00 5d  'B'
	// 5b 43 03 ff 5d  'C'
}
