package drive

import (
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// stepGuard steps the guard and applies its result. ready reports whether there is a wheel, or a simulator that stands for
// it; handsOn is the estimate of hands on the rim, 0..1.
func (d *Drive) stepGuard(in *Inputs, out *Outputs, ready bool, handsOn float64) {
	s, g := &d.State, &d.State.Guard
	timeUp := d.Setup.TickLimit > 0 && s.Car.Tick >= d.Setup.TickLimit
	lapsDriven := d.Setup.LapLimit > 0 && s.Laps.Clock.Count >= d.Setup.LapLimit
	if timeUp || lapsDriven || s.Cockpit.keys.isDown(frame.KeyClose) {
		s.Watch.releaseOrdered = true
	}
	s.orders.step(&in.Operator, s.Cockpit.keys.justPressed&frame.KeyClear != 0)
	if s.orders.confirmed && s.Watch.badValueLatched && g.State() == guard.Fault {
		d.restartCar()
	}
	if bad := s.Watch.check(&s.Car, &s.Rim.Force, &s.Rim.vibration, &s.Motion); bad.index != 0 {
		out.BadValue = bad
	}
	s.Rim.wheelWasPresent = in.Wheel.Present
	s.Watch.platformFollowed = s.Watch.platformFollowed || in.Platform.Follows
	out.Changed = g.Step(s.guardInputs(in, d.Setup.interlockOpen(in, &s.Cockpit.keys), ready, handsOn))
	out.Power = g.State().Powered()
	out.State, out.LatchedCause, out.Transition = g.State(), g.LatchedCause(), g.LastTransition()
	out.Ignored = s.ignoredReason(in)
	if out.Changed {
		s.orders.noteOrigin(&in.Operator, out.Transition.Cause)
	}
	out.OrderedBy = s.orders.orderedBy
	out.StopCause, out.RimStuck = in.Stop.Cause, s.Watch.rim.isStuck()
	if out.Changed && g.State() == guard.Engaging { // so that the time the devices needed does not change the drive
		d.Setup.Rim.chain(&s.Rim).Reset(&s.Rim.Force)
	}
}

// guardInputs returns the guard's inputs of this tick.
func (s *State) guardInputs(in *Inputs, interlockOpen, ready bool, handsOn float64) guard.Inputs {
	p, keys := &in.Platform, &s.Cockpit.keys
	return guard.Inputs{
		Start:          in.Operator.Start,
		StateOK:        !s.Watch.badValueLatched,
		Release:        s.Watch.releaseOrdered,
		Pause:          s.Cockpit.Paused,
		Stop:           s.orders.stops() || keys.isDown(frame.KeyStop) || keys.stopPressed || in.Stop.Pressed,
		Clear:          in.Operator.ConfirmBy != guard.Nobody || keys.isDown(frame.KeyClear),
		HighTorque:     keys.isDown(frame.KeyHighTorque),
		DeadMan:        keys.isDown(frame.KeyDeadMan),
		HandsOn:        handsOn,
		Speed:          s.Car.Speed,
		WheelPresent:   ready,
		DeviceFault:    in.Wheel.Fault || in.Pedals.Fault || in.Stop.RelayFailed || s.Watch.rim.isStuck(),
		InterlockOpen:  interlockOpen,
		WindowLost:     s.Cockpit.window.lost() && !s.Watch.releaseOrdered,
		Gap:            in.Gap,
		Suspended:      in.Suspended,
		PlatformReady:  p.Follows,
		PlatformHomed:  p.Follows || !p.Configured,
		PlatformOff:    p.Unavailable || p.AwaitsHome,
		PlatformParked: s.Watch.parked(p),
	}
}

// interlockOpen reports whether a belt or a door is open: its switch says so, or the button that means
// closed is not held.
func (s *Setup) interlockOpen(in *Inputs, k *keys) bool {
	return in.InterlockOpen || s.InterlockButton && !k.isDown(frame.KeyInterlock)
}

// awaitsConfirmation reports whether the guard waits for the operator to confirm.
func awaitsConfirmation(g *guard.Guard) bool {
	return g.State() == guard.Fault || g.State() == guard.Stopped || g.LatchedCause() != guard.None
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
