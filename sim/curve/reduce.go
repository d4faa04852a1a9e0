package curve

// ReduceTowardsZero returns v with its magnitude reduced by the amount by, down to 0. by must be >= 0.
func ReduceTowardsZero(v, by float64) float64 {
	if v > by {
		return v - by
	}
	if v < -by {
		return v + by
	}
	return 0
}
