package rig

import (
	"sync/atomic"

	"rig/internal/guard"
)

// confirmation follows an operator's confirmation by a signal, so that none is ignored
// without a word.
type confirmation struct {
	given   bool          // in this tick
	ignored atomic.Uint32 // why, for the supervisor: an index of ignoredWhy
}

// ignoredWhy says why a confirmation had no effect, and what to do.
var ignoredWhy = [...]string{
	1: "nothing waits for it",
	2: "what it is for is not over, or was over only a moment ago; remove the cause, then confirm again",
	3: "Enter is held in the window; let it go, then confirm again",
}

// take reports whether a confirmation was ordered since the last tick.
func (c *confirmation) take(order *atomic.Bool) bool {
	c.given = order.Swap(false)
	return c.given
}

// judge notes a confirmation of this tick that cleared nothing; enter is whether the key in
// the window is down.
func (c *confirmation) judge(g *guard.Guard, enter bool) {
	s := g.State()
	switch {
	case !c.given || g.Cleared():
	case s != guard.Fault && s != guard.Stopped && g.Waits() == guard.None:
		c.ignored.Store(1)
	case enter:
		c.ignored.Store(3)
	default:
		c.ignored.Store(2)
	}
}

// logConfirmation says why a confirmation had no effect.
func (s *supervisor) logConfirmation() {
	if why := ignoredWhy[s.rig.confirm.ignored.Swap(0)]; why != "" {
		s.clearLine()
		s.log.Warn("confirmation ignored", "cause", why)
	}
}
