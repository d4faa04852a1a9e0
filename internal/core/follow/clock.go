package follow

import (
	"math"
	"slices"
)

// clock places packets on an even grid of time. Arrivals jitter, and clocks of sources are coarse; a grid that follows
// them slowly has neither.
type clock struct {
	last     float64 // place of the newest packet on the grid [s]
	interval float64 // between two packets [s]; 0 until it is known
	arrival  float64 // of the newest packet [s]
	source   float64 // the source's clock at the newest packet [s], NaN if it has none
	late     float64 // how late packets come, at most, of late [s]
	first    [firstIntervals]float64
	count    int
}

const (
	firstIntervals = 8 // even, so that intervals that alternate give their mean
	minInterval    = 1e-3
	maxInterval    = 0.1

	phaseGain    = 0.05  // share of a packet's lateness by which the grid moves
	intervalGain = 0.001 // and by which its interval changes; at the damping ratio 0.8
)

// restart forgets everything, but the time of a packet that arrived at now.
func (c *clock) restart(now, source float64) {
	*c = clock{last: now, arrival: now, source: source}
}

// next takes a packet that arrived at now, and returns its place on the grid. ok is false while the interval is not known.
// skipped counts the packets that are missing before it.
func (c *clock) next(now, source float64) (place float64, skipped uint64, ok bool) {
	gap, isOwn := source-c.source, source-c.source > 0
	if !isOwn {
		gap = now - c.last
	}
	if c.count < firstIntervals {
		if !isOwn {
			gap = now - c.arrival
		}
		c.first[c.count] = gap
		c.arrival, c.source = now, source
		c.count++
		c.last = now
		if c.count < firstIntervals {
			return now, 0, false
		}
		sorted := c.first
		slices.Sort(sorted[:])
		c.interval = min(max((sorted[firstIntervals/2-1]+sorted[firstIntervals/2])/2, minInterval), maxInterval)
		return now, 0, true
	}
	c.arrival, c.source = now, source
	steps := math.Max(1, math.Round(gap/c.interval))
	expected := c.last + steps*c.interval
	lateness := now - expected
	c.last = expected + phaseGain*lateness
	c.interval = min(max(c.interval+intervalGain*lateness/steps, minInterval), maxInterval)
	c.late = max(math.Abs(lateness), c.late*0.999)
	return c.last, uint64(steps) - 1, true
}

// margin returns how much later than the grid packets may come without being missed [s].
func (c *clock) margin() float64 { return min(1.2*c.late+0.5e-3, c.interval) }
