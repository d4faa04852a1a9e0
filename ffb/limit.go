package ffb

import "math"

// soft limits v to ±most. Below a share of 1-knee of it nothing changes; above, the
// excess u, in units of the knee, becomes u/(1+u): the slope goes on without a step
// and falls as 1/(1+u)², and what is beyond the limit can still be told apart. At
// v = most the knee has cost half of its share.
func soft(v, most, knee float64) float64 {
	from := most * (1 - knee)
	over := math.Abs(v) - from
	if over <= 0 {
		return v
	}
	room := most * knee
	if room <= 0 {
		return math.Copysign(most, v)
	}
	return math.Copysign(min(from+room*(over/(over+room)), most), v)
}
