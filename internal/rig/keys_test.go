package rig

import (
	"testing"

	"rig/devices/motion"
	"rig/internal/frame"
	"rig/internal/guard"
)

// looking steps a rig whose display shows a picture every 16 ms, with these keys down.
func looking(t *testing.T, r *Rig, keys uint64, ticks int) {
	t.Helper()
	for i := range ticks {
		if i%16 == 0 {
			r.page.SetKeys(keys)
		}
		run(t, r, 1)
	}
}

// Who has seen nothing for 2 s does not know where the car goes: torque and motion fade out, the
// platform gets no targets any more and parks. It goes on when the window is back and the
// operator says so.
func TestADriveThatLosesItsWindowEnds(t *testing.T) {
	r := withPage(t, demo(t))
	platform := &following{state: motion.Active}
	r.platform = platform
	looking(t, r, 0, 3000)
	if r.guard.State() != guard.Driving {
		t.Fatalf("%v with a window", r.guard.State())
	}
	ticks := 0
	for ; r.guard.State() == guard.Driving && ticks < 3000; ticks++ {
		run(t, r, 1)
	}
	if r.guard.State() != guard.Releasing || r.guard.Last().Cause != guard.Blind || ticks < 1980 || ticks > 2005 {
		t.Fatalf("%v for %v after %d ticks without a picture, want a release for the lost window after 2000", r.guard.State(), r.guard.Last().Cause, ticks)
	}
	run(t, r, 1000)
	targets := platform.pushed
	run(t, r, 1000)
	if r.guard.State() != guard.Ready || r.torque != 0 || platform.pushed != targets || r.frame.Flags&frame.Blind == 0 {
		t.Errorf("%v, %g N·m, %d targets more, flags %b", r.guard.State(), r.torque, platform.pushed-targets, r.frame.Flags)
	}
	r.orders.clear.Store(true) // too early
	run(t, r, 100)
	looking(t, r, 0, 3000)
	if r.guard.State() != guard.Ready {
		t.Errorf("went on to %v though nobody confirmed that the window is back", r.guard.State())
	}
	looking(t, r, frame.KeyClear, 20)
	looking(t, r, 0, 3000)
	if r.guard.State() != guard.Driving || r.frame.Flags&frame.Blind != 0 {
		t.Errorf("%v after the operator's word", r.guard.State())
	}
}

// Without a window from the beginning nothing is lost.
func TestAHeadlessDriveIsNotBlind(t *testing.T) {
	r := withPage(t, demo(t))
	run(t, r, 6000)
	if r.guard.State() != guard.Driving {
		t.Errorf("%v, %v", r.guard.State(), r.guard.Last())
	}
}

// A driver who closes the window ends the drive, and loses nothing.
func TestAClosedWindowEndsTheDriveAsEver(t *testing.T) {
	r := withPage(t, demo(t))
	platform := &following{state: motion.Active}
	r.platform = platform
	looking(t, r, 0, 3000)
	r.page.SetKeys(frame.KeyClose) // its last word
	run(t, r, 1)
	if r.guard.State() != guard.Releasing || r.guard.Last().Cause != guard.Release {
		t.Fatalf("%v, %v", r.guard.State(), r.guard.Last())
	}
	run(t, r, 3000) // until the platform has parked
	if r.guard.Waits() != guard.None || r.frame.Flags&frame.Blind != 0 {
		t.Errorf("it waits for %v", r.guard.Waits())
	}
}

// The display is followed by its beat alone: its first picture counts, and two that are just
// in time.
func TestSight(t *testing.T) {
	const dt = 0.001
	var s sight
	for range 10_000 {
		s.step(0, dt)
	}
	if s.lost() {
		t.Error("a window that never showed anything is lost")
	}
	for beat := uint64(1); beat < 4; beat++ {
		s.step(beat, dt)
		if s.stale() || s.lost() {
			t.Errorf("stale %v, lost %v in the tick of picture %d", s.stale(), s.lost(), beat)
		}
		for tick := 1; tick < 1999; tick++ {
			s.step(beat, dt)
			if s.stale() && tick < 250 || !s.stale() && tick > 251 || s.lost() {
				t.Fatalf("stale %v, lost %v, %d ticks after a picture", s.stale(), s.lost(), tick)
			}
		}
	}
	for range 3 {
		s.step(3, dt)
	}
	if !s.lost() {
		t.Error("nothing is lost after 2 s")
	}
}
