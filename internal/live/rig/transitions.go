package rig

import (
	"sync/atomic"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/guard"
)

// transitionQueue passes changes of state from the loop to the supervisor. Only the loop calls put and only
// the supervisor calls take. If the supervisor is too slow, the oldest changes are overwritten.
type transitionQueue struct {
	count atomic.Uint64     // changes put so far
	taken uint64            // changes taken or overwritten so far
	ring  [64]atomic.Uint64 // from, to, cause, stop cause and origin, 8 bits each
}

// put adds a change of state.
func (t *transitionQueue) put(c drive.Change) {
	n := t.count.Load()
	t.ring[n%uint64(len(t.ring))].Store(uint64(c.From) | uint64(c.To)<<8 | uint64(c.Cause)<<16 | uint64(c.StopCause)<<24 | uint64(c.OrderedBy)<<32)
	t.count.Store(n + 1)
}

// take returns the next change; ok is false if there is none.
func (t *transitionQueue) take() (c drive.Change, ok bool) {
	n := t.count.Load()
	if t.taken >= n {
		return drive.Change{}, false
	}
	t.taken = max(t.taken, n-min(n, uint64(len(t.ring))))
	v := t.ring[t.taken%uint64(len(t.ring))].Load()
	t.taken++
	return drive.Change{
		Transition: guard.Transition{From: guard.State(v), To: guard.State(v >> 8), Cause: guard.Cause(v >> 16)},
		StopCause:  uint8(v >> 24), OrderedBy: guard.Origin(v >> 32),
	}, true
}
