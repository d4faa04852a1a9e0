package motion

import "math"

const (
	longestLag = 0.3  // between demand and movement that is no fault: of the line, the controller's filter and the motor [s]
	lagStep    = 0.02 // [s]
	lagLearn   = 1.0  // movement from longer ago hardly counts [s]
	lagFirst   = 0.3  // movement that is seen before a lag is believed [s]
	lagLeast   = 0.02 // a path that goes less within longestLag tells nothing, share of the stroke
)

// lagMeter measures by how much an actuator follows late: the delay with which its path
// fits best what was told of it while the path moved. Before that is known it is longestLag.
type lagMeter struct {
	lag  float64                              // [s]
	cost [int(longestLag/lagStep) + 1]float64 // mean distance from the path of so many lagSteps ago
	seen float64                              // movement [s]
}

// learn takes a place that was told, of so long ago [s], and the time since the one before.
func (m *lagMeter) learn(path *history, axis int, told, age, since float64) {
	if low, high := path.span(axis, age+longestLag); high-low < lagLeast {
		return
	}
	since = min(since, 0.1)
	keep := 1 - since/lagLearn
	best := 0
	for k := range m.cost {
		off := math.Abs(told - path.back(axis, age+float64(k)*lagStep))
		m.cost[k] = m.cost[k]*keep + off*(1-keep)
		if m.cost[k] < m.cost[best] {
			best = k
		}
	}
	if m.seen += since; m.seen >= lagFirst {
		m.lag = float64(best) * lagStep
	}
}
