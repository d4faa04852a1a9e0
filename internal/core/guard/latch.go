package guard

// Gaps are times without a step of the loop [s]. After more than FadeInGap the devices have stopped by
// themselves, so torque and motion fade in from 0. After more than DriveEndingGap the driver may have left
// the rig, so the drive ends.
const (
	FadeInGap      = 0.05
	DriveEndingGap = 1

	// confirmDelay is how long after such a gap a confirmation is ignored [s], because a confirmation
	// that was given during the gap arrives only after it.
	confirmDelay = 0.5
)

// blockingCause returns why no drive may continue in this tick, or None if it may.
func blockingCause(in Inputs) Cause {
	switch {
	case in.InterlockOpen:
		return InterlockOpen
	case in.Suspended:
		return Suspended
	case in.Gap > DriveEndingGap:
		return LoopStalled
	case in.WindowLost:
		return WindowLost
	}
	return None
}

// updateLatch latches why a drive may not continue, until the cause has ended and the operator
// confirms it while the rig rests. It reports whether that confirmation happens in this tick. An open
// belt or door takes precedence over the other causes.
func (g *Guard) updateLatch(in Inputs) (confirmed bool) {
	cause := blockingCause(in)
	atRest := g.state == Ready || g.state == Fault || g.state == Stopped
	if g.sinceGap += g.dt; cause == LoopStalled || cause == Suspended {
		g.sinceGap = 0
	}
	tooEarly := (g.latchedCause == LoopStalled || g.latchedCause == Suspended) && g.sinceGap < confirmDelay
	confirmed = g.latchedCause != None && cause == None && g.clearEdge.rising && atRest && !tooEarly && !in.Stop
	switch {
	case confirmed:
		g.latchedCause = None
	case cause != None && g.state != Parked && g.latchedCause != InterlockOpen, cause == InterlockOpen:
		g.latchedCause = cause
	}
	return confirmed
}

// latchedTransition ends a drive while a cause is latched, and starts homing once the operator has
// confirmed. Otherwise it returns the present state and None.
func (g *Guard) latchedTransition(confirmed bool) (State, Cause) {
	switch {
	case g.latchedCause != None && g.state.Moves():
		return Releasing, g.latchedCause
	case g.latchedCause != None && g.state == Homing:
		return Ready, g.latchedCause
	case confirmed && g.state == Ready:
		return Homing, Cleared
	}
	return g.state, None
}

// LatchedCause returns why no drive continues until the operator confirms: InterlockOpen, LoopStalled,
// Suspended, WindowLost, or None.
func (g *Guard) LatchedCause() Cause { return g.latchedCause }

// MotionShare returns the fraction of the platform's motion that passes, 0..1.
func (g *Guard) MotionShare() float64 { return smooth(g.motionFade) * smooth(g.deadManShare) }
