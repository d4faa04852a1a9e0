package motiontest_test

import (
	"fmt"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
)

// A codec drives its simulated controller for two seconds.
func ExampleConversation() {
	sim := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	v := motiontest.NewConversation(smc3.New(smc3.DefaultConfig()), sim)
	v.SendStart()
	target := wire.Legs{0.4, 0.5, 0.6}
	v.Run(2000, target)
	fmt.Println(v.Texts[0], motiontest.Near(sim.Positions(), target))
	// Output: SMC3 firmware 0.70 true
}
