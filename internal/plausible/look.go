package plausible

import "time"

const (
	gapTime     = 0.05             // how long a loop may stand still [s] before a sensor may be anywhere after it
	longestStep = 10 * time.Second // that one look makes up for
)

// Since returns the time between two looks of a loop [s], and whether it stood still for so
// long that a sensor may be anywhere now.
func Since(last, now time.Duration) (dt float64, gap bool) {
	dt = min(now-last, longestStep).Seconds()
	return dt, dt > gapTime
}

// Bit returns b if is holds, and 0 otherwise.
func Bit(is bool, b uint32) uint32 {
	if is {
		return b
	}
	return 0
}
