package rig

import (
	"fmt"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// driveWaitTime is how long the car of a drive with a duration may not move before the drive gives up,
// plus the time that its platform needs to get ready.
const driveWaitTime = time.Minute

// waitLimit records that a drive with a duration or a number of laps gave up, and why.
type waitLimit struct {
	gaveUp atomic.Bool // for the supervisor
	cause  waitCause   // what it waited for; read it only after gaveUp is true
}

// waitCause holds the states that explain why the car does not move or does not finish its lap.
type waitCause struct {
	state        guard.State
	latchedCause guard.Cause // until the operator confirms
	wheelPresent bool        // is there
	follows      bool        // another simulator stands for it
	platform     motion.State
	faults       wire.Faults
}

// giveUpError returns why the drive gave up, or nil.
func (r *Rig) giveUpError() error {
	if !r.waitLimit.gaveUp.Load() {
		return nil
	}
	if s := &r.drive.Setup; s.LapLimit > 0 {
		return fmt.Errorf("gave up because lap %d did not end within %.0f s: the drive waited for %s", r.drive.State.Laps.Clock.Count+1, s.WaitTimeout, r.waitLimit.cause)
	}
	return fmt.Errorf("gave up because the car did not move for %.0f s: the drive waited for %s", r.drive.Setup.WaitTimeout, r.waitLimit.cause)
}

// String returns what the drive waits for and what to do.
func (w waitCause) String() string {
	const confirm = "press Enter in the window, or rig confirm"
	switch {
	case w.state.Moves():
		return "the car, which is still on its way; keys or a reset may have held it up"
	case w.state == guard.Homing:
		text := "the platform to get ready, which is " + w.platform.String()
		if w.faults != 0 {
			text += " (" + w.faults.String() + "; " + w.faults.Remedy() + ")"
		}
		return text
	case w.state == guard.Stopped:
		return "the operator to confirm after an emergency stop; release the switch, then " + confirm
	case w.state == guard.Fault:
		return "the operator to confirm after a fault; remove its cause, then " + confirm
	case w.latchedCause != guard.None:
		return fmt.Sprintf("the operator to confirm (%s); remove the cause, then %s", w.latchedCause, confirm)
	case w.follows:
		return "packets of a game that is live, and a way to stop; see the notice"
	case !w.wheelPresent:
		return "a steering wheel; plug it in, see `rig devices`"
	}
	return "the rig to be " + guard.Engaging.String() + "; it is " + w.state.String()
}

// waitCauseOf returns the wait cause for a frame.
func waitCauseOf(f *frame.Frame, waits guard.Cause) waitCause {
	return waitCause{guard.State(f.State), waits, f.Flags&frame.WheelPresent != 0, f.Follow.On == 1,
		motion.State(f.Motion.State), wire.Faults(f.Motion.Faults)}
}

// logWait logs what a drive with a duration waits for, once per cause after 5 s without the car moving,
// and that the drive gives up, before the platform parks.
func (s *supervisor) logWait(f *frame.Frame) {
	const soon = 5 * time.Second
	if s.rig.drive.Setup.WaitTimeout == 0 || f.Flags&frame.Paused != 0 || guard.State(f.State).Moves() {
		s.standstillChecks, s.waitText = 0, ""
		return
	}
	if s.rig.orders.IsReleased() {
		if p := &s.rig.waitLimit; p.gaveUp.Load() && !s.gaveUpLogged {
			s.gaveUpLogged = true
			s.log.Warn("the drive gives up: "+s.releaseText(), "cause", p.cause.String())
		}
		return
	}
	if s.standstillChecks++; s.standstillChecks < int(soon/supervisePeriod) {
		return
	}
	if text := waitCauseOf(f, guard.Cause(s.rig.latchedCause.Load())).String(); text != s.waitText {
		s.waitText = text
		s.log.Warn("the drive waits for "+text, "limit_s", s.rig.drive.Setup.WaitTimeout)
	}
}
