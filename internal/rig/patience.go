package rig

import (
	"fmt"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/watch"
)

// driveWait is how long a drive of a stated duration waits at a stretch, before it and in its
// middle, on top of what its platform needs to get ready.
const driveWait = time.Minute

// patience is what became of a drive of a stated duration that could not go on.
type patience struct {
	gaveUp atomic.Bool // for the supervisor
	on     waiting     // what it gave up on, written before gaveUp
}

// waiting is what the rig knows of why its car does not move.
type waiting struct {
	state    guard.State
	waits    guard.Cause // until the operator confirms
	wheel    bool        // is there
	platform motion.State
	faults   wire.Faults
}

// givenUp is why a drive was given up, nil where none was.
func (r *Rig) givenUp() error {
	if !r.patience.gaveUp.Load() {
		return nil
	}
	return fmt.Errorf("gave up after the car had stood for %.0f s: the drive waited for %s", r.drive.Setup.Patience, r.patience.on)
}

// String says what is waited for and what to do.
func (w waiting) String() string {
	const confirm = "press Enter in the window, or pkill -USR1 -x rig"
	switch {
	case w.state == guard.Homing:
		text := "the platform to get ready, which is " + w.platform.String()
		if w.faults != 0 {
			text += " (" + w.faults.String() + "; " + watch.RemedyOf(w.faults) + ")"
		}
		return text
	case w.state == guard.Stopped:
		return "the operator after an emergency stop; release the switch, then " + confirm
	case w.state == guard.Fault:
		return "the operator after a fault; remove its cause, then " + confirm
	case w.waits != guard.None:
		return fmt.Sprintf("the operator, for %s; put that right, then %s", w.waits, confirm)
	case !w.wheel:
		return "a steering wheel; plug it in, see `rig devices`"
	}
	return "the rig to be " + guard.Engaging.String() + "; it is " + w.state.String()
}

// seen is waiting as a frame tells of it.
func seen(f *frame.Frame, waits guard.Cause) waiting {
	return waiting{guard.State(f.State), waits, f.Flags&frame.WheelPresent != 0,
		motion.State(f.Motion.State), wire.Faults(f.Motion.Faults)}
}

// tellWait logs what a drive of a stated duration waits for, once for each cause, when that
// has lasted for some seconds, and that it is given up, before the platform moves.
func (s *supervisor) tellWait(f *frame.Frame) {
	const soon = 5 * time.Second
	if s.rig.drive.Setup.Patience == 0 || f.Flags&frame.Paused != 0 || guard.State(f.State).Moves() {
		s.still, s.waits = 0, ""
		return
	}
	if s.rig.orders.release.Load() {
		if p := &s.rig.patience; p.gaveUp.Load() && !s.gaveUp {
			s.gaveUp = true
			s.clearLine()
			s.log.Warn("the drive is given up: "+s.farewell(), "waited_for", p.on.String())
		}
		return
	}
	if s.still++; s.still < int(soon/supervisePeriod) {
		return
	}
	if text := seen(f, guard.Cause(s.rig.waits.Load())).String(); text != s.waits {
		s.waits = text
		s.clearLine()
		s.log.Warn("the drive waits", "for", text, "ends_after", fmt.Sprintf("%.0f s, then the platform parks", s.rig.drive.Setup.Patience))
	}
}
