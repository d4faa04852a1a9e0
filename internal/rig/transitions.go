package rig

import (
	"sync/atomic"

	"rig.example/rig/devices/estop"
	"rig.example/rig/internal/guard"
)

// transitionQueue passes changes of state from the loop to the supervisor. Only the loop calls put and only
// the supervisor calls take. If the supervisor is too slow, the oldest changes are overwritten.
type transitionQueue struct {
	count atomic.Uint64     // changes put so far
	taken uint64            // changes taken or overwritten so far
	ring  [64]atomic.Uint32 // from, to, cause and stop cause, 8 bits each
}

// put adds a change of state, with the emergency stop's cause in that tick.
func (t *transitionQueue) put(c guard.Transition, stopCause estop.Cause) {
	n := t.count.Load()
	t.ring[n%uint64(len(t.ring))].Store(uint32(c.From) | uint32(c.To)<<8 | uint32(c.Cause)<<16 | uint32(stopCause)<<24)
	t.count.Store(n + 1)
}

// take returns the next change; ok is false if there is none.
func (t *transitionQueue) take() (c guard.Transition, stopCause estop.Cause, ok bool) {
	n := t.count.Load()
	if t.taken >= n {
		return guard.Transition{}, estop.None, false
	}
	t.taken = max(t.taken, n-min(n, uint64(len(t.ring))))
	v := t.ring[t.taken%uint64(len(t.ring))].Load()
	t.taken++
	return guard.Transition{From: guard.State(v), To: guard.State(v >> 8), Cause: guard.Cause(v >> 16)}, estop.Cause(v >> 24), true
}
