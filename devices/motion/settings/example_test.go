package settings_test

import (
	"context"
	"fmt"

	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/settings"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
)

// A gain of a simulated SMC3 controller is set and read back. It is not run, because a pseudo-terminal has the host's clock:
// TestParametersRoundTrip does the same in virtual time.
func ExampleWrite() {
	controller, path, err := port.OpenPty()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go simulated.Serve(ctx, smc3.NewSimulator(smc3.DefaultSimulatorConfig()), controller)

	at := settings.Controller{Protocol: smc3.Protocol, Port: path, Baud: 115_200}
	if err := settings.Write(ctx, at, map[string]float64{"kp_a": 2.5}, false, nil); err != nil {
		fmt.Println(err)
		return
	}
	all, err := settings.Read(ctx, at, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(all[0].Name, all[0].Value) // kp_a 2.5
}
