package motion_test

import (
	"context"
	"fmt"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
)

// A platform with a simulated SMC3 controller on a pseudo-terminal is homed, follows one target
// and parks when it is closed.
func Example() {
	controller, path, err := port.OpenPty()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	start := smc3.SimulatorConfig{Start: [3]float64{0.5, 0.5, 0.5}}
	go simulated.Serve(ctx, smc3.NewSimulator(start), controller)

	cfg := motion.DefaultConfig()
	cfg.Protocol, cfg.Port, cfg.BootWait = motion.ProtocolSMC3, path, 0
	platform, err := motion.New(cfg, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	platform.OrderHome()
	go platform.Run(ctx)
	for platform.Status().State != motion.Ready && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	platform.Push(wire.AllAt(0.52))
	platform.Close()
	fmt.Println(platform.Status().State)
	// Output: parked
}

// The path to a target that jumps starts gently and ends at the target.
func ExamplePath() {
	const dt = 0.004 // [s]
	path := motion.NewPath(motion.DefaultConfig(), dt)
	for i := range 200 {
		at := path.Next(wire.AllAt(0.6))
		if i == 4 || i == 199 {
			fmt.Printf("after %.3f s at %.3f\n", float64(i+1)*dt, at[0])
		}
	}
	// Output:
	// after 0.020 s at 0.500
	// after 0.800 s at 0.600
}
