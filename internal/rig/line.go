package rig

import (
	"fmt"

	"rig/sim/maneuver"
	"rig/sim/road"
)

// racing is the line that a driver of this car takes round the circuit, to be drawn, and
// the speed along it.
type racing struct {
	line   *road.Line
	speeds *road.Speeds
}

// racing finds the line: that of the driver model who drives, or else of a fast one. On a
// road without room for one there is none.
func (r *Rig) racing() (racing, error) {
	if robot, ok := r.driver.(*robot); ok {
		if robot.driver.Line() == r.circuit.Line {
			return racing{}, nil
		}
		return racing{robot.driver.Line(), robot.driver.Speeds()}, nil
	}
	if r.circuit.Roadless {
		return racing{}, nil
	}
	d, err := maneuver.NewDriver(maneuver.LapConfig(), r.car, r.circuit, r.dt)
	if err != nil {
		return racing{}, fmt.Errorf("no racing line: %w", err)
	}
	return racing{d.Line(), d.Speeds()}, nil
}
