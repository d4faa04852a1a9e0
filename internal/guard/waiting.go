package guard

// How long the rig may stand still [s]: longer than LimpGap, and the devices have let go by
// themselves, so that torque and motion begin at nothing; longer than LeftGap, and whoever
// sat in the rig may have left it, so that the drive ends.
const (
	LimpGap = 0.05
	LeftGap = 1

	// confirmRest is how long the rig must have waited after such a gap before a confirmation
	// counts [s]: one that was given while it stood still is told only then.
	confirmRest = 0.5
)

// waitCause returns why no drive may go on in this tick, and None if one may.
func waitCause(in Inputs) Cause {
	switch {
	case in.Unbelted:
		return Unbelted
	case in.Suspended:
		return Suspended
	case in.Gap > LeftGap:
		return Stalled
	case in.Blind:
		return Blind
	}
	return None
}

// latch remembers why a drive may not go on until that is over and the operator confirms it
// at rest, and reports whether that happens in this tick. An open belt or door outlasts all
// other causes.
func (g *Guard) latch(in Inputs) (confirmed bool) {
	cause := waitCause(in)
	rests := g.state == Ready || g.state == Fault || g.state == Stopped
	if g.waited += g.dt; cause == Stalled || cause == Suspended {
		g.waited = 0
	}
	early := (g.waits == Stalled || g.waits == Suspended) && g.waited < confirmRest
	confirmed = g.waits != None && cause == None && g.clear.now && rests && !early && !in.Stop
	switch {
	case confirmed:
		g.waits = None
	case cause != None && g.state != Parked && g.waits != Unbelted, cause == Unbelted:
		g.waits = cause
	}
	return confirmed
}

// wait ends a drive while something latched keeps it from going on, and begins anew, with
// the platform's way to its centre, once the operator has confirmed.
func (g *Guard) wait(confirmed bool) (State, Cause) {
	switch {
	case g.waits != None && g.state.Moves():
		return Releasing, g.waits
	case g.waits != None && g.state == Homing:
		return Ready, g.waits
	case confirmed && g.state == Ready:
		return Homing, Cleared
	}
	return g.state, None
}

// Waits returns why no drive goes on until the operator confirms: Unbelted, Stalled,
// Suspended, Blind, or None.
func (g *Guard) Waits() Cause { return g.waits }

// Motion is the share of the platform's motion that passes, 0..1.
func (g *Guard) Motion() float64 { return smooth(g.motion) * smooth(g.held) }
