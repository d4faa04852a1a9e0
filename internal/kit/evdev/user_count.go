package evdev

import (
	"sync/atomic"
	"time"
)

// userCount keeps a descriptor open while a goroutine uses it.
//
// The loop may read a descriptor while another goroutine closes it after an unplug. Without the count it
// could read the next file that gets the same number. acquire never waits, because n counts the users and
// also has a bit for closed.
type userCount struct{ n atomic.Int64 }

const closedFlag = 1 << 32

// acquire adds a user and returns true, or returns false after close. Each true needs one release.
func (g *userCount) acquire() bool {
	if g.n.Add(1) < closedFlag {
		return true
	}
	g.n.Add(-1)
	return false
}

// release removes a user.
func (g *userCount) release() { g.n.Add(-1) }

// close refuses new users and waits until the present ones have released. It reports false if it was
// called before.
func (g *userCount) close() bool {
	for {
		n := g.n.Load()
		if n >= closedFlag {
			return false
		}
		if g.n.CompareAndSwap(n, n+closedFlag) {
			break
		}
	}
	for g.n.Load() != closedFlag {
		time.Sleep(50 * time.Microsecond)
	}
	return true
}
