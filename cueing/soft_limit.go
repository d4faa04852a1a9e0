package cueing

import "math"

// softLimit limits v to ±limit without a kink: it returns v up to the knee, and beyond it
//
//	knee + (limit-knee)·e/(e + limit-knee), knee = kneeFraction·limit, e = |v|-knee
//
// whose slope is 1 at the knee and which approaches limit. With a kneeFraction of 1 it clips.
func softLimit(v, limit, kneeFraction float64) float64 {
	knee := kneeFraction * limit
	excess := math.Abs(v) - knee
	if excess <= 0 {
		return v
	}
	kneeToLimit := limit - knee
	return math.Copysign(knee+kneeToLimit*(excess/(excess+kneeToLimit)), v)
}
