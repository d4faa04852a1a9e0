package scenery

import (
	"fmt"

	"rig.example/rig/internal/drive"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/racing"
)

// Line is the line that a driver of this car takes round the circuit, to be drawn, and
// the speed along it.
type Line struct {
	line   *road.Line
	speeds *racing.Speeds
}

// RacingLine returns the line to draw: that of the driver model who drives, or where that is nil, of
// a fast one. There is none where the model keeps to the circuit's own line, and where there is no
// road; a road without room for one is an error.
func RacingLine(s *drive.Setup, model *driver.Model) (Line, error) {
	if model != nil {
		if model.Line() == s.Circuit.Line {
			return Line{}, nil
		}
		return Line{model.Line(), model.Speeds()}, nil
	}
	if s.Circuit.Roadless {
		return Line{}, nil
	}
	d, err := driver.New(driver.LapConfig(), s.Car, s.Circuit, s.Dt)
	if err != nil {
		return Line{}, fmt.Errorf("no racing line: %w", err)
	}
	return Line{d.Line(), d.Speeds()}, nil
}
