package humanmotion

import "time"

const (
	maxGap      = 0.05             // longest step after which a sensor can still be compared with its last value [s]
	longestStep = 10 * time.Second // limit of the result of TimeStep
)

// TimeStep returns the time from last to now [s], and whether it is so long that a sensor may have any value
// now.
func TimeStep(last, now time.Duration) (dt float64, gap bool) {
	dt = min(now-last, longestStep).Seconds()
	return dt, dt > maxGap
}

// FlagIf returns flag if set is true, and 0 otherwise.
func FlagIf(set bool, flag uint32) uint32 {
	if set {
		return flag
	}
	return 0
}
