package driveline_test

import (
	"fmt"

	"rig.example/rig/sim/driveline"
)

// An engine that is switched off is started, and idles.
func Example() {
	wheel := driveline.Wheel{Inertia: 1.1, Radius: 0.3}
	line, err := driveline.New(driveline.Default(), driveline.DefaultFuel(), wheel, wheel, 1e-3)
	if err != nil {
		panic(err)
	}
	s := line.Rest(50)
	step := func(seconds float64, in driveline.Input) {
		for range int(seconds * 1000) {
			var shafts [4]driveline.Shaft
			line.Step(&s, &in, &shafts)
			line.TwistShafts(&s, &shafts, &in.Spin) // the wheels stand
		}
		fmt.Printf("%3.0f rpm, running: %v\n", s.EngineSpeed/driveline.PerRPM, s.Engine.Running)
	}
	step(3, driveline.Input{IgnitionOff: true})
	step(0.5, driveline.Input{Starter: true})
	step(3, driveline.Input{})
	// Output:
	//   0 rpm, running: false
	// 870 rpm, running: true
	// 850 rpm, running: true
}
