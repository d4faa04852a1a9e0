package lap

import "rig.example/rig/road"

// maxSamples is the maximum number of samples of a trace, not counting the one at the start line.
const maxSamples = 1024

// timeTrace holds the time since the start of a lap at equal steps of distance from the start line [s].
type timeTrace [maxSamples + 1]float64

// sampleTrace adds the samples of the trace whose distances were passed in this tick.
func (t *Timing) sampleTrace(s *State, w *movement) {
	for s.sampleCount < t.samples && float64(s.sampleCount)*t.sampleGap <= w.to {
		fraction := (float64(s.sampleCount)*t.sampleGap - w.from) / (w.to - w.from)
		if !(fraction >= 0) { // the car was moved here by hand
			fraction = 0
		}
		s.trace[s.sampleCount] = w.startTime + w.dt*fraction - s.lapStart
		s.sampleCount++
	}
}

// Delta returns the time of the current lap minus that of the best lap at the same position [s]; it is
// negative if the current lap is faster. It returns false if there is no best lap.
func (t *Timing) Delta(s *State) (float64, bool) {
	if !s.Running || s.Best.Time == 0 {
		return 0, false
	}
	return s.Lap.Time - t.timeAt(&s.bestTrace, s.Distance), true
}

// timeAt returns the time of a complete lap at a distance from the start line [s]. It interpolates with
// cubics, because the speed changes between samples.
func (t *Timing) timeAt(lap *timeTrace, distance float64) float64 {
	x := min(max(distance/t.sampleGap, 0), float64(t.samples))
	i := min(int(x), t.samples-1)
	slope := func(i int) float64 {
		low, high := max(i-1, 0), min(i+1, t.samples)
		return (lap[high] - lap[low]) / float64(high-low)
	}
	time, _ := road.Hermite(lap[i], lap[i+1], slope(i), slope(i+1), x-float64(i))
	return time
}
