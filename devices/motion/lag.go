package motion

import "math"

const (
	longestLag = 0.3  // between demand and movement that is no fault: of the line, the controller's filter and the motor [s]
	lagStep    = 0.02 // [s]
	lagSteps   = int(longestLag / lagStep)
	lagLearn   = 1.0  // movement from longer ago hardly counts [s]
	lagFirst   = 0.3  // movement that is seen before a lag is believed [s]
	lagLeast   = 0.02 // a path that goes less within longestLag tells nothing, share of the stroke
)

// lagMeter measures by how much an actuator follows late: the delay, and the time constant of
// a filter of the first order, with which its path fits best what was told of it while the
// path moved. The two differ: a filter delays a path that goes to and fro quickly by less than
// its time constant. Before they are known both are longestLag.
type lagMeter struct {
	lag           float64 // the delay [s]
	constant      int     // the time constant [lagStep]
	delay, filter lagCost
	filtered      [lagSteps + 1]float64 // the path with each time constant, share of the stroke
	seen          float64               // movement [s]
}

// lagCost is the mean distance of an actuator from where each lag would have it.
type lagCost [lagSteps + 1]float64

// begin has the path stand.
func (m *lagMeter) begin(at float64) {
	for k := range m.filtered {
		m.filtered[k] = at
	}
}

// follow takes where the path is dt [s] later. It returns where the filter that fits best is.
func (m *lagMeter) follow(path, dt float64) float64 {
	for k := range m.filtered {
		m.filtered[k] += (path - m.filtered[k]) * dt / (float64(k)*lagStep + dt)
	}
	return m.filtered[m.constant]
}

// learn takes a place that was told, of so long ago [s], and the time since the one before.
func (m *lagMeter) learn(path *history, axis int, told, age, since float64) {
	if low, high := path.span(axis, age+longestLag); high-low < lagLeast {
		return
	}
	since = min(since, 0.1)
	for k := range m.filtered {
		m.delay.add(k, told-path.back(axis, age+float64(k)*lagStep), since/lagLearn)
		m.filter.add(k, told-m.filtered[k], since/lagLearn)
	}
	if m.seen += since; m.seen >= lagFirst {
		m.lag, m.constant = float64(m.delay.least())*lagStep, m.filter.least()
	}
}

// add takes how far off a lag was, which counts for a share of the mean.
func (c *lagCost) add(k int, off, share float64) { c[k] += (math.Abs(off) - c[k]) * share }

// least returns the lag that fits best.
func (c *lagCost) least() (best int) {
	for k := range c {
		if c[k] < c[best] {
			best = k
		}
	}
	return best
}
