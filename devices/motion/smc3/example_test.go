package smc3_test

import (
	"fmt"

	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
)

// Motor A at the lower end, B at the centre, C at the upper end: a bracket, the letter, the
// target of 0..1023 with the high byte first, a bracket.
func ExampleCodec_AppendDemand() {
	c := smc3.New(smc3.DefaultConfig())
	demand := c.AppendDemand(nil, &wire.Legs{0, 0.5, 1})
	for ; len(demand) > 0; demand = demand[5:] {
		fmt.Printf("% x  %q\n", demand[:5], demand[1])
	}
	// Output:
	// 5b 41 00 00 5d  'A'
	// 5b 42 02 00 5d  'B'
	// 5b 43 03 ff 5d  'C'
}
