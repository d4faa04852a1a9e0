package maneuver_test

import (
	"fmt"

	"rig.example/rig/sim"
	"rig.example/rig/sim/maneuver"
)

// The names of the metrics are those in the JSON of `rig maneuver`.
func ExampleDo() {
	r, err := maneuver.Do("coastdown", sim.DefaultCar(), maneuver.Options{Speed: 80 / 3.6})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range r.Metrics[:2] {
		fmt.Printf("%s = %.0f %s\n", m.Name, m.Value, m.Unit)
	}
	// Output:
	// time_s = 124 s
	// distance_m = 1313 m
}
