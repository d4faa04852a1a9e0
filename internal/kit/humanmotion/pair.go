package humanmotion

import "math"

// Pair compares two sensors of one pedal. The zero value with Tolerance and MaxTime is ready to use.
type Pair struct {
	Tolerance float64 // largest difference allowed [share of the travel]
	MaxTime   float64 // how long a larger difference may last [s]

	disagreeTime float64 // time for which the difference has been larger [s]
}

// Step takes the positions of both sensors, and the time dt since the last Step [s]. disagree reports whether they
// have disagreed for too long.
func (p *Pair) Step(a, b, dt float64) (disagree bool) {
	if math.Abs(a-b) <= p.Tolerance {
		p.disagreeTime = 0
		return false
	}
	p.disagreeTime += dt
	return p.disagreeTime > p.MaxTime
}
