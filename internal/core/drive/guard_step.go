package drive

import (
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// stepGuard steps the guard and applies its result.
func (d *Drive) stepGuard(in *Inputs, out *Outputs) {
	s, g := &d.State, &d.State.Guard
	if d.Setup.TickLimit > 0 && s.Car.Tick >= d.Setup.TickLimit || d.lapsDriven() || s.Cockpit.keys.isDown(frame.KeyClose) {
		s.releaseOrdered = true
	}
	s.orders.step(&in.Operator, s.Cockpit.keys.justPressed&frame.KeyClear != 0)
	if s.orders.confirmed && s.badValueLatched && g.State() == guard.Fault {
		d.restartCar()
	}
	s.checkValues(out)
	s.wheelWasPresent = in.Wheel.Present
	s.platformFollowed = s.platformFollowed || in.Platform.Follows
	out.Changed = g.Step(d.guardInputs(in))
	out.Power = g.State().Powered()
	out.State, out.LatchedCause, out.Transition = g.State(), g.LatchedCause(), g.LastTransition()
	out.Ignored = s.ignoredReason(in)
	if out.Changed {
		s.orders.noteOrigin(&in.Operator, out.Transition.Cause)
	}
	out.OrderedBy = s.orders.orderedBy
	out.StopCause, out.RimStuck = in.Stop.Cause, s.servo.isStuck()
	if out.Changed && g.State() == guard.Engaging { // so that the time the devices needed does not change the drive
		d.forceChain().Reset(&s.Force)
	}
}

// guardInputs returns the guard's inputs of this tick.
func (d *Drive) guardInputs(in *Inputs) guard.Inputs {
	s, p := &d.State, &in.Platform
	return guard.Inputs{
		Start:          in.Operator.Start,
		StateOK:        !s.badValueLatched,
		Release:        s.releaseOrdered,
		Pause:          s.Cockpit.Paused,
		Stop:           s.orders.stops() || s.Cockpit.keys.isDown(frame.KeyStop) || s.Cockpit.keys.stopPressed || in.Stop.Pressed,
		Clear:          in.Operator.ConfirmBy != guard.Nobody || s.Cockpit.keys.isDown(frame.KeyClear),
		HighTorque:     s.Cockpit.keys.isDown(frame.KeyHighTorque),
		DeadMan:        s.Cockpit.keys.isDown(frame.KeyDeadMan),
		HandsOn:        d.handsOn(),
		Speed:          s.Car.Speed,
		WheelPresent:   d.wheelReady(in),
		DeviceFault:    in.Wheel.Fault || in.Pedals.Fault || in.Stop.RelayFailed || s.servo.isStuck(),
		InterlockOpen:  d.interlockOpen(in),
		WindowLost:     s.Cockpit.window.lost() && !s.releaseOrdered,
		Gap:            in.Gap,
		Suspended:      in.Suspended,
		PlatformReady:  p.Follows,
		PlatformHomed:  p.Follows || !p.Configured,
		PlatformOff:    p.Unavailable || p.AwaitsHome,
		PlatformParked: d.parked(in),
	}
}

// wheelReady reports whether the wheel is there, or the other simulator that stands for it.
func (d *Drive) wheelReady(in *Inputs) bool {
	if d.follows() {
		return d.sourceReady()
	}
	return in.Wheel.Present
}

// interlockOpen reports whether a belt or a door is open: its switch says so, or the button that means
// closed is not held.
func (d *Drive) interlockOpen(in *Inputs) bool {
	return in.InterlockOpen || d.Setup.InterlockButton && !d.State.Cockpit.keys.isDown(frame.KeyInterlock)
}

// parked reports whether the platform is parked, not configured, or has never followed targets. A
// platform that is absent or at fault does not prevent driving, but it counts as parked only if it
// reports so or never moved.
func (d *Drive) parked(in *Inputs) bool {
	return !in.Platform.Configured || in.Platform.Parked || !d.State.platformFollowed
}

// awaitsParkOrder reports whether the platform is still halted by a stop that has just been lifted; it is
// about to be ordered to park.
func (d *Drive) awaitsParkOrder(in *Inputs) bool {
	return in.Platform.Configured && in.Platform.Halted && d.State.Guard.LatchedCause() != guard.InterlockOpen
}

// Ignored is the reason why a confirmation had no effect.
type Ignored uint8

// Reasons why a confirmation had no effect.
const (
	NotIgnored       Ignored = iota // it had an effect, or there was no confirmation
	NothingToConfirm                // nothing waits for a confirmation
	TooEarly                        // the cause has not ended, or ended only a moment ago
	KeyHeld                         // the confirm key is held in the window
)

// ignoredReason returns why a confirmation by a signal had no effect in this tick.
func (s *State) ignoredReason(in *Inputs) Ignored {
	state := s.Guard.State()
	switch {
	case in.Operator.ConfirmBy == guard.Nobody || s.Guard.Cleared() || in.Platform.AwaitsHome && state != guard.Fault && state != guard.Stopped:
		return NotIgnored
	case state != guard.Fault && state != guard.Stopped && s.Guard.LatchedCause() == guard.None:
		return NothingToConfirm
	case s.Cockpit.keys.isDown(frame.KeyClear):
		return KeyHeld
	}
	return TooEarly
}

// countWait counts how long the car has not moved, and gives up a drive with a duration that waits too long. A pause does
// not count: the driver who paused may be climbing off. With a limit of laps all time since the last one counts.
func (d *Drive) countWait(in *Inputs, out *Outputs) {
	s, timeout := &d.State, d.Setup.WaitTimeout
	if timeout == 0 || !in.Operator.Start || s.releaseOrdered || d.Setup.LapLimit == 0 && (s.Cockpit.Paused || s.Guard.State().Moves()) {
		s.waitTime = 0
		return
	}
	if s.waitTime += d.Setup.Dt; s.waitTime >= timeout {
		s.releaseOrdered, out.GaveUp = true, true
	}
}

// minLeaveTime is the shortest time from the order to end the drive to its end while not parked [s]. By
// then the wheel has received a torque of 0, and the guard has processed the order.
const minLeaveTime = 0.05

// checkDone ends the drive after a release: when the rig is parked, or when no torque flows and the
// platform can move no further.
func (d *Drive) checkDone(in *Inputs, out *Outputs) {
	s := &d.State
	if out.Releasing = s.releaseOrdered; !s.releaseOrdered {
		return
	}
	s.sinceRelease += d.Setup.Dt
	ended := !in.Platform.Configured || in.Platform.ParkDone
	switch s.Guard.State() {
	case guard.Parked:
	case guard.Fault, guard.Stopped:
		ended = ended && s.sinceRelease > minLeaveTime
	case guard.Ready: // a tick later it is parked, if the platform is
		ended = ended && s.sinceRelease > minLeaveTime && !d.parked(in) && !d.awaitsParkOrder(in)
	default:
		ended = false
	}
	out.Done = ended || s.sinceRelease > d.Setup.LeaveTimeout
}
