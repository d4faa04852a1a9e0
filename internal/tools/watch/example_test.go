package watch_test

import (
	"fmt"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/tools/watch"
)

// A drive in a line for a terminal.
func ExampleStatusLine() {
	f := frame.Frame{Tick: 12_300, State: uint64(guard.Driving), Speed: 25, Gear: 3, Fuel: 38.4, RimTorque: -1.5, RatedTorque: 6, Flags: frame.EngineRunning}
	fmt.Println(watch.StatusLine(&f))
	// Output: driving    12.3 s   90.0 km/h  gear 3 M  38.4 L  rim [      |██    ] -1.50 N·m  platform roll  +0.0° pitch  +0.0°  missed 0
}
