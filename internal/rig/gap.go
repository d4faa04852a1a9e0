package rig

import (
	"sync/atomic"
	"time"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/loop"
)

// gap finds out for how long nothing was stepped: the program was stopped, kept from the
// processor, or the machine was suspended, which its monotonic clock does not show.
type gap struct {
	now       func() time.Duration // nil where nobody looks
	began     time.Duration        // of this tick
	stale     bool                 // it was held up in its middle: what it found out is old
	suspended func() time.Duration // in all since the machine started; nil where nobody looks
	woken     uint64               // wake-ups of the loop seen
	asleep    time.Duration        // suspended, when it was looked at last

	lost  atomic.Int64 // the newest gap worth telling of, for the supervisor; 0 once told [ns]
	slept atomic.Int64 // the part of it for which the machine was suspended [ns]
}

// lateWake is how late a wake-up must be for the machine to have been suspended: freezing
// and thawing all programs takes longer.
const lateWake = 5 * time.Millisecond

// staleAfter is how long a tick may take before what it found out is old: as long as the
// wheel believes a torque.
const staleAfter = 20 * time.Millisecond

// begin notes when a tick begins.
func (g *gap) begin() {
	if g.now != nil {
		g.began = g.now()
	}
}

// look finds out whether the tick was held up since. The next one is late then, and begins
// at nothing.
func (g *gap) look(demo bool) { g.stale = !demo && g.now != nil && g.now()-g.began > staleAfter }

// take returns for how long nothing was stepped before this tick [s], and whether the
// machine was suspended meanwhile. Nobody sits in a demo, and its simulated wheel holds on: a
// gap changes nothing there, so that equal drives leave equal bits.
func (g *gap) take(s *loop.Stats, demo bool) (seconds float64, suspended bool) {
	woken := s.Lateness.Count()
	if woken == g.woken {
		return 0, false // a tick that catches up
	}
	first := g.woken == 0
	g.woken = woken
	late, slept := s.Lateness.Last(), time.Duration(0)
	if g.suspended != nil && (first || late >= lateWake) {
		asleep := g.suspended()
		if !first {
			slept = asleep - g.asleep
		}
		g.asleep = asleep
	}
	if first {
		return 0, false // of no drive yet
	}
	const noise = time.Millisecond // the two clocks are read one after the other
	if suspended = slept > noise; !suspended {
		slept = 0
	}
	seconds = late.Seconds()
	if suspended || seconds > guard.LimpGap {
		g.slept.Store(int64(slept))
		g.lost.Store(int64(late + slept))
	}
	if demo {
		return 0, false
	}
	return seconds, suspended
}

// logGap says for how long the rig stood still.
func (s *supervisor) logGap() {
	lost := time.Duration(s.rig.gap.lost.Swap(0))
	if lost == 0 {
		return
	}
	slept := time.Duration(s.rig.gap.slept.Load())
	next := "torque and motion fade in from nothing"
	switch {
	case s.rig.demo:
		next = "the demo goes on"
	case slept > 0 || lost.Seconds() > guard.LeftGap:
		next = "the drive ends until the operator confirms"
	case !s.moves():
		next = "nothing: no drive is on"
	}
	s.clearLine()
	s.log.Warn("the rig stood still", "for", lost.Round(time.Millisecond), "suspended", slept.Round(time.Millisecond), "next", next)
}

// moves reports whether torque and motion may flow in the newest frame.
func (s *supervisor) moves() bool {
	var f frame.Frame
	return s.rig.page.Read(&f) && guard.State(f.State).Moves()
}
