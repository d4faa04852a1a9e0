package trial_test

import (
	"fmt"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/trial"
)

// A car at 20 m/s is pushed on at 2 m/s² for three seconds, recorded 10 times a second.
func Example() {
	t, err := trial.New(sim.DefaultCar(), road.Asphalt(), sim.Dt, 10, assist.Switches{})
	if err != nil {
		fmt.Println(err)
		return
	}
	t.PlaceRolling(20, 0)
	t.RunUntil(3, func(now float64) { t.HoldSpeed(20+2*now, 2) })
	last := t.Out.Rows[len(t.Out.Rows)-1]
	fmt.Printf("%d rows, the last at %.1f s and %.1f m/s\n", len(t.Out.Rows), last.T, last.Vx)
	// Output: 31 rows, the last at 3.0 s and 26.0 m/s
}
