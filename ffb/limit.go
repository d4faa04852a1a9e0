package ffb

import "math"

// softLimit limits v to ±limit. Up to (1-knee)·limit nothing changes; above, the excess u in units of
// knee·limit becomes u/(1+u): the slope is continuous and falls as 1/(1+u)², so that different
// torques beyond the limit still differ. At v = limit the result is (1-knee/2)·limit.
func softLimit(v, limit, knee float64) float64 {
	from := limit * (1 - knee)
	over := math.Abs(v) - from
	if over <= 0 {
		return v
	}
	span := limit * knee
	if span <= 0 {
		return math.Copysign(limit, v)
	}
	return math.Copysign(min(from+span*(over/(over+span)), limit), v)
}
