package motion

import (
	"math"
	"time"
)

// positionCheck checks one actuator's reported positions. A position that the actuator cannot
// have reached since the last accepted one is a transmission error or a jump of its sensor:
// until the next answers show which, it is implausible, and the platform holds.
type positionCheck struct {
	answeredAt       time.Duration // when the newest position was reported
	acceptedAt       time.Duration // when the newest accepted one was reported
	acceptedPosition float64       // fraction of the stroke
	rejectedPosition float64       // newest that was not accepted
	rejectedCount    int           // in a row
}

// maxRejected is how many rejected positions in a row count as transmission errors.
const maxRejected = 2

// isImplausible reports whether the newest position was rejected.
func (s *positionCheck) isImplausible() bool { return s.rejectedCount > 0 }

// update takes a position reported at a time, NaN where it is too old to be used, and reports
// whether the sensor has jumped: by more than tolerance [fraction of the stroke] plus the distance
// that an actuator can move meanwhile at maxSpeed [strokes/s]. One impossible position alone is no jump:
// the next must confirm it, or be the third impossible one in a row.
func (s *positionCheck) update(position float64, reportedAt time.Duration, tolerance, maxSpeed float64) bool {
	s.answeredAt = reportedAt
	if math.IsNaN(position) {
		return false
	}
	reach := tolerance + maxSpeed*(reportedAt-s.acceptedAt).Seconds()
	fromAccepted, fromRejected := math.Abs(position-s.acceptedPosition), math.Abs(position-s.rejectedPosition)
	switch {
	case s.rejectedCount == 0 && fromAccepted <= reach,
		s.rejectedCount > 0 && fromAccepted <= reach && fromAccepted <= fromRejected:
		s.acceptedAt, s.acceptedPosition, s.rejectedCount = reportedAt, position, 0
		return false
	case s.rejectedCount > 0 && fromRejected < fromAccepted, s.rejectedCount >= maxRejected:
		s.acceptedAt, s.acceptedPosition, s.rejectedCount = reportedAt, position, 0 // the actuator's position from now on
		return true
	}
	s.rejectedPosition = position
	s.rejectedCount++
	return false
}
