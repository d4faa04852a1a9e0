package rig

import (
	"sync/atomic"

	"rig.example/rig/devices/estop"
	"rig.example/rig/internal/guard"
)

// transitions carries changes of state from the loop to the log. The loop
// alone puts, the supervisor alone takes; what the log is too slow for is
// overwritten.
type transitions struct {
	count atomic.Uint64
	taken uint64
	ring  [64]atomic.Uint32
}

// put takes a change and what the emergency stop said in that tick.
func (t *transitions) put(c guard.Transition, why estop.Cause) {
	n := t.count.Load()
	t.ring[n%uint64(len(t.ring))].Store(uint32(c.From) | uint32(c.To)<<8 | uint32(c.Cause)<<16 | uint32(why)<<24)
	t.count.Store(n + 1)
}

// take returns the next change that was not taken yet.
func (t *transitions) take() (c guard.Transition, why estop.Cause, ok bool) {
	n := t.count.Load()
	if t.taken >= n {
		return guard.Transition{}, estop.None, false
	}
	t.taken = max(t.taken, n-min(n, uint64(len(t.ring))))
	v := t.ring[t.taken%uint64(len(t.ring))].Load()
	t.taken++
	return guard.Transition{From: guard.State(v), To: guard.State(v >> 8), Cause: guard.Cause(v >> 16)}, estop.Cause(v >> 24), true
}
