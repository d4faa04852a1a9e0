package cueing

import (
	"errors"
	"math"
)

// Geometry is a seat mover: a platform that pivots in front and is lifted by
// two actuators behind.
type Geometry struct {
	Spacing float64 `toml:"actuator_spacing_m"` // between the left and the right actuator
	Arm     float64 `toml:"actuator_arm_m"`     // of both behind the pivot
	Stroke  float64 `toml:"stroke_m"`           // from end to end; neutral is half of it
}

// DefaultGeometry is a common two-actuator seat mover.
func DefaultGeometry() Geometry { return Geometry{Spacing: 0.5, Arm: 0.6, Stroke: 0.15} }

// Validate reports every field that is out of range.
func (g Geometry) Validate() error {
	return errors.Join(
		inRange("actuator_spacing_m", g.Spacing, 0.1, 3),
		inRange("actuator_arm_m", g.Arm, 0.1, 3),
		inRange("stroke_m", g.Stroke, 0.01, 2),
	)
}

// Legs are the actuator positions as shares of the stroke, 0 in, 1 out.
type Legs = [8]float64

const neutral = 0.5

// level is a platform in its neutral place.
var level = Legs{neutral, neutral, neutral, neutral, neutral, neutral, neutral, neutral}

// Legs returns the positions for a pose: leg 0 is the left actuator, leg 1 the
// right one, the others stay at one half.
//
// A point at (x, y) of the platform rises by heave + y·roll - x·pitch (small
// angles, ISO 8855). A pose beyond the stroke is scaled down as a whole, so that
// its direction stays; one that is not finite gives neutral. It is part of
// the loop: no allocation.
func (g Geometry) Legs(p Pose) Legs {
	left := p.Heave + g.Spacing/2*p.Roll + g.Arm*p.Pitch
	right := p.Heave - g.Spacing/2*p.Roll + g.Arm*p.Pitch
	legs := level
	reach := max(math.Abs(left), math.Abs(right))
	if !finite(reach) {
		return legs
	}
	scale := 1 / max(reach/neutral, g.Stroke)
	legs[0] = min(max(neutral+left*scale, 0), 1)
	legs[1] = min(max(neutral+right*scale, 0), 1)
	return legs
}
