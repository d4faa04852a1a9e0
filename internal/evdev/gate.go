package evdev

import (
	"sync/atomic"
	"time"
)

// gate keeps a descriptor open while someone uses it.
//
// The loop reads a descriptor that another goroutine closes after an unplug;
// without the gate it could read the next file that got the same number. It
// is a count of users with one bit for closed: entering never waits.
type gate struct{ n atomic.Int64 }

const gateShut = 1 << 32

// enter reports false once the gate is shut. Every true needs one leave.
func (g *gate) enter() bool {
	if g.n.Add(1) < gateShut {
		return true
	}
	g.n.Add(-1)
	return false
}

func (g *gate) leave() { g.n.Add(-1) }

// shut refuses new users and waits for those inside. It reports false if the
// gate was shut before.
func (g *gate) shut() bool {
	for {
		n := g.n.Load()
		if n >= gateShut {
			return false
		}
		if g.n.CompareAndSwap(n, n+gateShut) {
			break
		}
	}
	for g.n.Load() != gateShut {
		time.Sleep(50 * time.Microsecond)
	}
	return true
}
