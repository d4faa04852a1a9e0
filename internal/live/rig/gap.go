package rig

import (
	"sync/atomic"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/loop"
)

// gapDetector measures times without a step: the program was stopped, got no processor time, or the
// computer was suspended, which the monotonic clock does not count.
type gapDetector struct {
	now             func() time.Duration // reads the monotonic clock; nil if gaps are not measured
	began           time.Duration        // start of this tick
	heldUp          bool                 // this tick took so long that its result is outdated
	wakeUps         uint64               // wake-ups of the loop so far
	suspendedBefore time.Duration        // upper bound that suspended returned at the last check

	// returns the least and the most time suspended in total since boot; nil if not measured
	suspended func() (low, high time.Duration)

	lastGap       atomic.Int64 // latest gap to log, for the supervisor; 0 after it was logged [ns]
	lastSuspended atomic.Int64 // the part of it for which the machine was suspended [ns]
}

// minSuspendGap is the shortest gap that a suspend causes, because freezing and thawing all programs takes
// longer. Smaller gaps are not checked for a suspend.
const minSuspendGap = 5 * time.Millisecond

// staleAfter is how long a tick may take before its result is outdated. The wheel holds a torque for as
// long without an update.
const staleAfter = 20 * time.Millisecond

// begin records the start of a tick.
func (g *gapDetector) begin() {
	if g.now != nil {
		g.began = g.now()
	}
}

// checkHeldUp sets heldUp if this tick has taken longer than staleAfter. The next tick is late then, and
// torque and motion fade in from 0.
func (g *gapDetector) checkHeldUp(demo bool) {
	g.heldUp = !demo && g.now != nil && g.now()-g.began > staleAfter
}

// measure returns the time without a step before this tick [s], and whether the computer was suspended
// during it. In a demo, where nobody is at risk, it returns no gap, so that equal drives stay equal bit
// for bit.
func (g *gapDetector) measure(s *loop.Stats, demo bool) (seconds float64, suspended bool) {
	woken := s.Lateness.Count()
	if woken == g.wakeUps {
		return 0, false // the loop catches up without waiting
	}
	first := g.wakeUps == 0
	g.wakeUps = woken
	late, suspendedFor := s.Lateness.Last(), time.Duration(0)
	if g.suspended != nil && (first || late >= minSuspendGap) {
		low, high := g.suspended()
		if !first {
			suspendedFor = low - g.suspendedBefore
		}
		g.suspendedBefore = high
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
		g.lastSuspended.Store(int64(suspendedFor))
		g.lastGap.Store(int64(late + suspendedFor))
	}
	if demo {
		return 0, false
	}
	return seconds, suspended
}

// logGap logs how long the rig stood still.
func (s *supervisor) logGap() {
	stopped := time.Duration(s.rig.gap.lastGap.Swap(0))
	if stopped == 0 {
		return
	}
	slept := time.Duration(s.rig.gap.lastSuspended.Load())
	consequence := "torque and motion fade in from 0"
	switch {
	case s.rig.demo:
		consequence = "the demo continues"
	case slept > 0 || stopped.Seconds() > guard.DriveEndingGap:
		consequence = "the drive ends until the operator confirms"
	case !s.moves():
		consequence = "no drive is running"
	}
	s.log.Warn("the rig stood still; "+consequence, "stopped_s", stopped.Round(time.Millisecond).Seconds(), "suspended_s", slept.Round(time.Millisecond).Seconds())
}

// moves reports whether torque and motion may flow in the newest frame.
func (s *supervisor) moves() bool {
	var f frame.Frame
	return s.rig.page.Read(&f) && guard.State(f.State).Moves()
}
