package lap

// mostSamples is how many samples a trace has at most, beside the one at the start line.
const mostSamples = 1024

// trace is when a lap was where [s]: at even distances from the start line.
type trace [mostSamples + 1]float64

// note adds the samples that were passed in this tick.
func (t *Timing) note(s *State, w *stride) {
	for s.noted < t.samples && float64(s.noted)*t.gap <= w.to {
		share := (float64(s.noted)*t.gap - w.from) / (w.to - w.from)
		if !(share >= 0) { // the car was put here
			share = 0
		}
		s.trace[s.noted] = w.since + w.took*share - s.begun
		s.noted++
	}
}

// Delta returns how much more time was used in this lap than in the best one up to the
// same place [s], negative where it is faster; and false if there is nothing to compare.
func (t *Timing) Delta(s *State) (float64, bool) {
	if !s.Running || s.Best.Time == 0 {
		return 0, false
	}
	return s.Lap.Time - t.at(&s.best, s.Far), true
}

// at returns when a whole lap was so far from the start line [s]: cubics through the
// samples, since over 10 m a car's speed changes.
func (t *Timing) at(lap *trace, far float64) float64 {
	x := min(max(far/t.gap, 0), float64(t.samples))
	i := min(int(x), t.samples-1)
	slope := func(i int) float64 {
		low, high := max(i-1, 0), min(i+1, t.samples)
		return (lap[high] - lap[low]) / float64(high-low)
	}
	a, b, da, db := lap[i], lap[i+1], slope(i), slope(i+1)
	c, d := 3*(b-a)-2*da-db, 2*(a-b)+da+db
	x -= float64(i)
	return a + x*(da+x*(c+x*d))
}
