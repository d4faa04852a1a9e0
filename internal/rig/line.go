package rig

import (
	"fmt"

	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/road"
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
	s := &r.drive.Setup
	if model := r.drive.Model(); model != nil {
		if model.Line() == s.Circuit.Line {
			return racing{}, nil
		}
		return racing{model.Line(), model.Speeds()}, nil
	}
	if s.Circuit.Roadless {
		return racing{}, nil
	}
	d, err := maneuver.NewDriver(maneuver.LapConfig(), s.Car, s.Circuit, s.Dt)
	if err != nil {
		return racing{}, fmt.Errorf("no racing line: %w", err)
	}
	return racing{d.Line(), d.Speeds()}, nil
}
