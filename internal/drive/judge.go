package drive

import (
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

// judge tells the guard of this tick, and what follows from its answer.
func (d *Drive) judge(in *Inputs, out *Outputs) {
	s, g := &d.State, &d.State.Guard
	if d.Setup.Limit > 0 && s.Car.Tick >= d.Setup.Limit || s.down(frame.KeyClose) {
		s.released = true
	}
	if confirmed := in.Operator.Clear || s.fresh&frame.KeyClear != 0; confirmed && s.flawed && g.State() == guard.Fault {
		d.restart()
	}
	s.examine(out)
	s.present = in.Wheel.Present
	s.followed = s.followed || in.Platform.Follows
	out.Changed = g.Step(d.circumstances(in))
	out.Power = g.State().Powered()
	out.State, out.Waits, out.Change = g.State(), g.Waits(), g.Last()
	out.Ignored = s.ignored(in)
	out.StopCause = in.Stop.Cause
	if out.Changed && g.State() == guard.Engaging { // how long the devices needed to get ready changes no drive
		d.feel().Reset(&s.Force)
	}
}

// circumstances is what the guard must know of this tick.
func (d *Drive) circumstances(in *Inputs) guard.Inputs {
	s, p := &d.State, &in.Platform
	return guard.Inputs{
		Start:          in.Operator.Start,
		StateOK:        !s.flawed,
		Release:        s.released,
		Pause:          s.Paused,
		Stop:           in.Operator.Stop || s.down(frame.KeyStop) || in.Stop.Pressed,
		Clear:          in.Operator.Clear || s.down(frame.KeyClear),
		HighTorque:     s.down(frame.KeyHighTorque),
		DeadMan:        s.down(frame.KeyDeadMan),
		HandsOn:        s.Force.Trace().HandsOn,
		Speed:          s.Car.Speed,
		WheelPresent:   in.Wheel.Present,
		DeviceFault:    in.Wheel.Fault || in.Pedals.Fault || in.Stop.RelayFailed,
		Unbelted:       d.beltOpen(in),
		Blind:          s.window.lost() && !s.released,
		Gap:            in.Gap,
		Suspended:      in.Suspended,
		PlatformReady:  p.Follows,
		PlatformHomed:  p.Follows || p.Away || !p.Configured,
		PlatformParked: d.parked(in),
	}
}

// beltOpen reports whether a belt or a door is open in this tick: its line says so, or nobody
// holds the button that tells it is closed.
func (d *Drive) beltOpen(in *Inputs) bool {
	return in.BeltOpen || d.Setup.BeltButton && !d.State.down(frame.KeyInterlock)
}

// parked reports whether the platform rests where it parks, or never followed: then nothing has
// to be waited for. One that is gone or at fault keeps nobody from driving, but it is parked only
// if it says so or never moved.
func (d *Drive) parked(in *Inputs) bool {
	return !in.Platform.Configured || in.Platform.Parked || !d.State.followed
}

// unhalted reports whether the platform is still halted by a stop that was lifted a moment ago:
// it is about to be told to park.
func (d *Drive) unhalted(in *Inputs) bool {
	return in.Platform.Configured && in.Platform.Halted && d.State.Guard.Waits() != guard.Unbelted
}

// Ignored is why a confirmation had no effect.
type Ignored uint8

// Reasons to ignore a confirmation.
const (
	Heeded   Ignored = iota // it had one, or there was none
	NoReason                // nothing waits for it
	TooEarly                // what it is for is not over, or was over only a moment ago
	KeyHeld                 // the key for it is held in the window
)

// ignored returns why a confirmation of this tick by a signal cleared nothing.
func (s *State) ignored(in *Inputs) Ignored {
	state := s.Guard.State()
	switch {
	case !in.Operator.Clear || s.Guard.Cleared():
		return Heeded
	case state != guard.Fault && state != guard.Stopped && s.Guard.Waits() == guard.None:
		return NoReason
	case s.down(frame.KeyClear):
		return KeyHeld
	}
	return TooEarly
}

// wait counts for how long the car has not moved, and ends a drive of a stated duration that
// waits too long. It ends no pause: the driver who asked for it may be climbing off.
func (d *Drive) wait(in *Inputs, out *Outputs) {
	s, most := &d.State, d.Setup.Patience
	if most == 0 || !in.Operator.Start || s.released || s.Paused || s.Guard.State().Moves() {
		s.waited = 0
		return
	}
	if s.waited += d.Setup.Dt; s.waited >= most {
		s.released, out.GaveUp = true, true
	}
}

// leastLeave is how long no torque is pushed at least before the drive ends without being parked
// [s]: the wheel surely has it then, and the guard has seen the release.
const leastLeave = 0.05

// end ends the drive after a release: when the rig is parked, or as soon as no torque flows and
// the platform can do no more than it has done.
func (d *Drive) end(in *Inputs, out *Outputs) {
	s := &d.State
	if out.Releasing = s.released; !s.released {
		return
	}
	s.leaving += d.Setup.Dt
	ended := !in.Platform.Configured || in.Platform.Final
	switch s.Guard.State() {
	case guard.Parked:
	case guard.Fault, guard.Stopped:
		ended = ended && s.leaving > leastLeave
	case guard.Ready: // a tick later it is parked, if the platform is
		ended = ended && s.leaving > leastLeave && !d.parked(in) && !d.unhalted(in)
	default:
		ended = false
	}
	out.Done = ended || s.leaving > d.Setup.Leave
}
