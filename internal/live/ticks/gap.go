package ticks

import (
	"sync/atomic"
	"time"

	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/loop"
)

// Gap measures times without a step: the program was stopped, got no processor time, or the
// computer was suspended, which the monotonic clock does not count.
type Gap struct {
	Now             func() time.Duration // reads the monotonic clock; nil if gaps are not measured
	Began           time.Duration        // start of this tick
	HeldUp          bool                 // this tick took so long that its result is outdated
	wakeUps         uint64               // wake-ups of the loop so far
	SuspendedBefore time.Duration        // upper bound that Suspended returned at the last check

	// returns the least and the most time suspended in total since boot; nil if not measured
	Suspended func() (low, high time.Duration)

	LastGap       atomic.Int64 // latest gap to log, for the supervisor; 0 after it was logged [ns]
	LastSuspended atomic.Int64 // the part of it for which the machine was suspended [ns]
}

// minSuspendGap is the shortest gap that a suspend causes, because freezing and thawing all programs takes
// longer. Smaller gaps are not checked for a suspend.
const minSuspendGap = 5 * time.Millisecond

// staleAfter is how long a tick may take before its result is outdated. The wheel holds a torque for as
// long without an update.
const staleAfter = 20 * time.Millisecond

// Begin records the start of a tick.
func (g *Gap) Begin() {
	if g.Now != nil {
		g.Began = g.Now()
	}
}

// CheckHeldUp sets HeldUp if this tick has taken longer than staleAfter. The next tick is late then, and
// torque and motion fade in from 0.
func (g *Gap) CheckHeldUp(demo bool) {
	g.HeldUp = !demo && g.Now != nil && g.Now()-g.Began > staleAfter
}

// Measure returns the time without a step before this tick [s], and whether the computer was suspended
// during it. In a demo, where nobody is at risk, it returns no gap, so that equal drives stay equal bit
// for bit.
func (g *Gap) Measure(s *loop.Stats, demo bool) (seconds float64, suspended bool) {
	woken := s.Lateness.Count()
	if woken == g.wakeUps {
		return 0, false // the loop catches up without waiting
	}
	first := g.wakeUps == 0
	g.wakeUps = woken
	late, suspendedFor := s.Lateness.Last(), time.Duration(0)
	if g.Suspended != nil && (first || late >= minSuspendGap) {
		low, high := g.Suspended()
		if !first {
			suspendedFor = low - g.SuspendedBefore
		}
		g.SuspendedBefore = high
	}
	if first {
		return 0, false // nothing moves before the first tick
	}
	const noise = time.Millisecond // the clocks may be adjusted apart
	if suspended = suspendedFor > noise; !suspended {
		suspendedFor = 0
	}
	seconds = late.Seconds()
	if suspended || seconds > guard.FadeInGap {
		g.LastSuspended.Store(int64(suspendedFor))
		g.LastGap.Store(int64(late + suspendedFor))
	}
	if demo {
		return 0, false
	}
	return seconds, suspended
}
