package recording

// BytesPerMinute returns how fast a recording grows whose channels are sampled rate times a second [bytes/min].
// Measured with the demo drive of 20 s on the club circuit: 2.4, 8.7 and 64 MB/min at 1, 100 and 1000 samples a second.
func BytesPerMinute(rate int) float64 {
	const inputs, sample = 2.5e6, 63e3
	return inputs + sample*float64(rate)
}
