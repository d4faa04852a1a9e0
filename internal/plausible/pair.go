package plausible

import "math"

// Pair compares two sensors of one pedal. The zero value with its limits is ready.
type Pair struct {
	Tolerance float64 // difference that is allowed [share of the travel]
	Time      float64 // and beyond it, for so long [s]

	apart float64 // time beyond it [s]
}

// Step takes both positions, dt after the Step before [s], and reports whether they have
// disagreed for too long.
func (p *Pair) Step(a, b, dt float64) bool {
	if math.Abs(a-b) <= p.Tolerance {
		p.apart = 0
		return false
	}
	p.apart += dt
	return p.apart > p.Time
}
