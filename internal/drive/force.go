package drive

import (
	"rig.example/rig/ffb"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

// feel is the force of the wheel that is there.
func (d *Drive) feel() *ffb.Feel { return d.Setup.Feels[d.State.feel] }

// refit takes over the feel for a wheel that was found, as soon as nobody can notice: while there
// is no torque, or in the very tick in which the wheel appears.
func (d *Drive) refit(in *Inputs) {
	s := &d.State
	if in.Feel == s.feel || int(in.Feel) >= len(d.Setup.Feels) || s.present && pushes(s.Guard.State()) {
		return
	}
	s.feel = in.Feel
	s.Force = d.feel().Start()
}

// pushes reports whether the rim may get torque in a state of the guard.
func pushes(s guard.State) bool { return s.Moves() || s == guard.Releasing }

// force is the torque for the rim [N·m] in this tick.
func (d *Drive) force(in *Inputs) float64 {
	s, w := &d.State, &in.Wheel
	s.Guard.Keep(d.room(in))
	return d.feel().Torque(&s.Force, &s.Car, ffb.Wheel{Angle: s.Input.Steer, Present: w.Present, Rated: d.rated(in), Rate: w.Rate, Delay: w.Delay})
}

// rated returns the most torque that the force may have [N·m]. Room for the wheel's own effects is
// left by the wheel, by the feel's limit and by the guard.
func (d *Drive) rated(in *Inputs) float64 {
	room := d.room(in)
	rated := min(in.Wheel.Rated, d.State.Guard.Most()-room)
	if room > 0 {
		rated = min(rated, d.feel().Limit()-room)
	}
	return rated
}

// room is what the wheel's own effects may add up to, without any fade [N·m]: their part of what
// feel and guard let pass, as large as the wheel itself has made it.
func (d *Drive) room(in *Inputs) float64 {
	room := in.Wheel.Room
	if room <= 0 {
		return 0
	}
	part := room / (room + in.Wheel.Rated)
	return min(room, part*min(d.feel().Limit(), d.State.Guard.Most()))
}

// permit finds what the wheel's own effects may add up to in this tick, and its vibration, which
// the gain weakens with the force.
func (d *Drive) permit(in *Inputs, out *Outputs) {
	if d.Setup.shake == nil {
		return
	}
	s, room, peak := &d.State, d.room(in), 0.0
	share, hz := d.Setup.shake.Step(&s.shake, &s.Car)
	if in.Wheel.Room > 0 {
		peak = in.Wheel.Headroom / in.Wheel.Room * room
	}
	out.Own = s.Guard.GateOwn(room)
	out.Vibration = Vibration{s.Guard.GateOwn(share * min(s.Force.Gain(), 1) * peak), hz}
}

// consents shows what keeps the torque back, or lets more of it pass.
func (d *Drive) consents(in *Inputs) (flags uint64) {
	s, g, most := &d.State, &d.State.Guard, d.Setup.Guard.MaxTorque
	allowed := g.Allowed()
	return flagged(
		flag{allowed, frame.HighTorque},
		flag{!allowed && min(in.Wheel.Rated, d.feel().Limit(), most) > guard.SafeTorque, frame.TorqueHeld},
		flag{d.Setup.Guard.DeadMan && !s.down(frame.KeyDeadMan), frame.LetGo},
		flag{g.Alone(), frame.HandsOff},
	)
}
