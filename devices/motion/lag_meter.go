package motion

import "math"

const (
	maxLag        = 0.3  // longest normal lag from target to movement: of the line, the controller's filter and the motor [s]
	lagStep       = 0.02 // resolution of measured lags [s]
	lagSteps      = int(maxLag / lagStep)
	averagingTime = 1.0  // time constant of the mean errors [s]
	minObserved   = 0.3  // duration of movement before a measured lag is used [s]
	minLagRange   = 0.02 // a path that moves less within maxLag shows no lag, fraction of the stroke
)

// lagMeter measures how late an actuator follows its path: the delay, and the time constant of
// a first-order filter, with which the path fits the reported positions best while the path
// moves. The two differ: a filter delays a path that oscillates quickly by less than its time
// constant. Both are maxLag until they are known.
type lagMeter struct {
	lag           float64 // the delay [s]
	filterLag     int     // the time constant [lagStep]
	delay, filter lagError
	filtered      [lagSteps + 1]float64 // the path filtered with each time constant, fraction of the stroke
	observed      float64               // duration of movement so far [s]
}

// lagError is the mean distance of an actuator from the path with each lag, fraction of the stroke.
type lagError [lagSteps + 1]float64

// reset makes the path one that stands at a position.
func (m *lagMeter) reset(at float64) {
	for k := range m.filtered {
		m.filtered[k] = at
	}
}

// advanceFilters takes the position of the path dt [s] later. It returns the output of the
// filter that fits best.
func (m *lagMeter) advanceFilters(path, dt float64) float64 {
	for k := range m.filtered {
		m.filtered[k] += (path - m.filtered[k]) * dt / (float64(k)*lagStep + dt)
	}
	return m.filtered[m.filterLag]
}

// learn takes a reported position, its age [s] and the time since the one before it [s].
func (m *lagMeter) learn(path *pathHistory, axis int, reported, age, interval float64) {
	if low, high := path.extremes(axis, age+maxLag); high-low < minLagRange {
		return
	}
	interval = min(interval, 0.1)
	for k := range m.filtered {
		m.delay.add(k, reported-path.valueAgo(axis, age+float64(k)*lagStep), interval/averagingTime)
		m.filter.add(k, reported-m.filtered[k], interval/averagingTime)
	}
	if m.observed += interval; m.observed >= minObserved {
		m.lag, m.filterLag = float64(m.delay.best())*lagStep, m.filter.best()
	}
}

// add takes the error of lag k into its mean with a weight of 0..1.
func (c *lagError) add(k int, difference, weight float64) {
	c[k] += (math.Abs(difference) - c[k]) * weight
}

// best returns the lag with the smallest mean error [lagStep].
func (c *lagError) best() (best int) {
	for k := range c {
		if c[k] < c[best] {
			best = k
		}
	}
	return best
}
