package axis

import "slices"

// median returns the median of the last size samples: spikes shorter than half of the window vanish,
// and edges stay sharp.
type median struct {
	size   int        // odd
	window [7]float64 // last samples, a ring
	next   int        // index of the oldest sample, which the next one replaces
	filled bool
}

// step takes the next sample. The first one fills the window.
func (m *median) step(v float64) float64 {
	if m.size <= 1 {
		return v
	}
	if !m.filled {
		m.filled = true
		for i := range m.window {
			m.window[i] = v
		}
	}
	m.window[m.next] = v
	m.next = (m.next + 1) % m.size
	sorted := m.window
	slices.Sort(sorted[:m.size])
	return sorted[m.size/2]
}

// delay returns the delay of a steady movement or a step [s].
func (m *median) delay(period float64) float64 { return float64(m.size/2) * period }
