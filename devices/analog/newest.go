package analog

import (
	"time"

	"rig.example/rig/internal/kit/latest"
)

// newest passes the newest position of one axis from its sampler to the loop.
type newest struct{ cell latest.Cell[sample] }

// sample is a position, 0..1, and the time when it was sampled, since the start of the Sampler; 0: never.
type sample struct {
	position float64
	at       time.Duration
}

// put stores a position, 0..1, and the time when it was sampled, since the start of the Sampler.
func (n *newest) put(position float64, at time.Duration) { n.cell.Put(&sample{position, max(at, 1)}) }

// clear removes the position.
func (n *newest) clear() { n.cell.Put(&sample{}) }

// get returns the position and its age; ok reports whether there is one.
func (n *newest) get(now time.Duration) (position float64, age time.Duration, ok bool) {
	var s sample
	n.cell.Get(&s)
	return s.position, max(now-s.at, 0), s.at > 0
}
