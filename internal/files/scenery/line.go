package scenery

import (
	"fmt"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/road"
	"rig.example/rig/road/racing"
	"rig.example/rig/sim/driver"
)

// RacingLine is the racing line of this car round the circuit, and the speed along it. The zero value is no line.
type RacingLine struct {
	line   *road.Line
	speeds *racing.Speeds
}

// NewRacingLine returns the racing line to draw: that of the driver model or, if model is nil, that of a fast
// driver. It returns the zero RacingLine if the model follows the center line of the circuit, or if the circuit has
// no road. It returns an error if the road is too narrow for the car.
func NewRacingLine(s *drive.Setup, model *driver.Model) (RacingLine, error) {
	if model != nil {
		if model.Line() == s.Circuit.Line {
			return RacingLine{}, nil
		}
		return RacingLine{model.Line(), model.PlannedSpeeds()}, nil
	}
	if s.Circuit.Roadless {
		return RacingLine{}, nil
	}
	d, err := driver.New(driver.LapConfig(), s.Car, s.Circuit, s.Dt)
	if err != nil {
		return RacingLine{}, fmt.Errorf("no racing line: %w", err)
	}
	return RacingLine{d.Line(), d.PlannedSpeeds()}, nil
}
