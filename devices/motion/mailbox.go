package motion

import (
	"math"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// mailbox hands the newest demand from the loop to the writer. One thread
// puts, one takes, neither waits.
type mailbox struct {
	seq  atomic.Uint64 // odd while legs is being written
	legs [wire.Axes]atomic.Uint64
	at   atomic.Int64  // when it was put, by the putter's clock [ns]
	bad  atomic.Uint64 // demands refused because they were no numbers
}

// put makes l, demanded at the moment at, the newest demand, or counts it if it
// is none.
func (m *mailbox) put(l wire.Legs, at time.Duration) {
	if !l.Finite() {
		m.bad.Add(1)
		return
	}
	n := m.seq.Load()
	m.seq.Store(n + 1)
	for i, v := range l {
		m.legs[i].Store(math.Float64bits(v))
	}
	m.at.Store(int64(at))
	m.seq.Store(n + 2)
}

// take returns the newest whole demand, when it was put, and its number, which
// grows with each put. It reports false if put kept changing it, or there was
// none.
func (m *mailbox) take() (l wire.Legs, at time.Duration, number uint64, ok bool) {
	for range 100 {
		before := m.seq.Load()
		if before == 0 {
			return wire.Legs{}, 0, 0, false
		}
		if before&1 == 1 {
			continue
		}
		for i := range l {
			l[i] = math.Float64frombits(m.legs[i].Load())
		}
		at = time.Duration(m.at.Load())
		if m.seq.Load() == before {
			return l, at, before, true
		}
	}
	return wire.Legs{}, 0, 0, false
}
