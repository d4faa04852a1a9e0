package rig

import (
	"fmt"

	"rig/sim"
	"rig/sim/maneuver"
	"rig/sim/road"
)

// racing is the line that a fast driver of this car takes round the circuit, to be drawn,
// and the speed along it.
type racing struct {
	line   *road.Line
	speeds *road.Speeds
}

// newRacing finds the line; on a road without room for one there is none, and the reason.
func newRacing(car *sim.Car, circuit *road.Circuit) (racing, []string) {
	if circuit.Roadless {
		return racing{}, nil
	}
	d, err := maneuver.NewDriver(maneuver.LapConfig(), car, circuit, sim.Dt)
	if err != nil {
		return racing{}, []string{fmt.Sprintf("no racing line: %v", err)}
	}
	return racing{d.Line(), d.Speeds()}, nil
}
