package motion

import (
	"math"
	"time"
)

// sensor judges where an actuator tells to be. A place that it cannot have reached since it
// was last heard is a wrong answer or a jump of its sensor: until the next answers tell
// which, it is in doubt, and the platform holds.
type sensor struct {
	at    time.Duration // of the newest answer
	heard time.Duration // of the newest that is believed
	place float64       // believed last, share of the stroke
	wild  float64       // told last, and not believed
	count int           // answers in a row that are not believed
}

// wildMost is how many answers in a row are taken for wrong ones.
const wildMost = 2

func (s *sensor) doubtful() bool { return s.count > 0 }

// jumps takes a place told at a moment, and reports that the sensor has jumped: by more
// than slack [share of the stroke] and what an actuator goes in the time since, at fastest
// [strokes/s]. The answer after must lie by the jumped one, or be the third in a row that
// is impossible: one wrong answer alone is none.
func (s *sensor) jumps(to float64, at time.Duration, slack, fastest float64) bool {
	s.at = at
	if math.IsNaN(to) {
		return false // too old to say anything
	}
	reach := slack + fastest*(at-s.heard).Seconds()
	off, again := math.Abs(to-s.place), math.Abs(to-s.wild)
	switch {
	case s.count == 0 && off <= reach, s.count > 0 && off <= reach && off <= again:
		s.heard, s.place, s.count = at, to, 0
		return false
	case s.count > 0 && again < off, s.count >= wildMost:
		s.heard, s.place, s.count = at, to, 0 // where it is from now on
		return true
	}
	s.wild = to
	s.count++
	return false
}
