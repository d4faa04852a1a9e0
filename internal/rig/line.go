package rig

import (
	"fmt"

	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/racing"
)

// racingLine is the line that a driver of this car takes round the circuit, to be drawn, and
// the speed along it.
type racingLine struct {
	line   *road.Line
	speeds *racing.Speeds
}

// racing finds the line: that of the driver model who drives, or else of a fast one. On a
// road without room for one there is none.
func (r *Rig) racing() (racingLine, error) {
	s := &r.drive.Setup
	if model := r.drive.Model(); model != nil {
		if model.Line() == s.Circuit.Line {
			return racingLine{}, nil
		}
		return racingLine{model.Line(), model.Speeds()}, nil
	}
	if s.Circuit.Roadless {
		return racingLine{}, nil
	}
	d, err := driver.New(driver.LapConfig(), s.Car, s.Circuit, s.Dt)
	if err != nil {
		return racingLine{}, fmt.Errorf("no racing line: %w", err)
	}
	return racingLine{d.Line(), d.Speeds()}, nil
}
