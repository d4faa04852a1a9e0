package analog

import (
	"math"
	"sync/atomic"
	"time"
)

// newest hands one position from a sampler to the loop. It is a single word,
// so that neither ever waits for the other, or sees half of a value:
// the time in microseconds above, the position below. 0 is no position.
type newest struct{ word atomic.Uint64 }

const (
	positionBits = 20 // finer than any converter's noise; the time still lasts for 200 days
	positionMax  = 1<<positionBits - 1
)

// put stores position, 0..1, sampled at the given time since start, which is above 0.
func (n *newest) put(position float64, at time.Duration) {
	p := uint64(math.Round(position * positionMax))
	n.word.Store(uint64(max(at.Microseconds(), 1))<<positionBits | p)
}

// clear leaves no position.
func (n *newest) clear() { n.word.Store(0) }

// get returns the position and its age. ok tells whether there is one.
func (n *newest) get(now time.Duration) (position float64, age time.Duration, ok bool) {
	w := n.word.Load()
	if w == 0 {
		return 0, 0, false
	}
	at := time.Duration(w>>positionBits) * time.Microsecond
	return float64(w&positionMax) / positionMax, max(now-at, 0), true
}
