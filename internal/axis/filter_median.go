package axis

import "slices"

// median returns the middle one of the last size samples: spikes of less than
// half the window vanish, and edges stay sharp.
type median struct {
	size   int // odd
	window [7]float64
	next   int
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

// delay is what a steady movement or a step is late [s].
func (m *median) delay(period float64) float64 { return float64(m.size/2) * period }
