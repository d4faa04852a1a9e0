package drive

import (
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// forceChain returns the force feedback for the connected wheel.
func (d *Drive) forceChain() *ffb.Chain { return d.Setup.ForceChains[d.State.forceChainIndex] }

// switchForceChain switches to the force preset of a newly found wheel while no torque flows, or in the
// tick
// in which the wheel appears, so that nobody feels the change.
func (d *Drive) switchForceChain(in *Inputs) {
	s := &d.State
	if in.ForceChainIndex == s.forceChainIndex || int(in.ForceChainIndex) >= len(d.Setup.ForceChains) || s.wheelWasPresent && torqueMayFlow(s.Guard.State()) {
		return
	}
	s.forceChainIndex = in.ForceChainIndex
	s.Force = d.forceChain().Start()
}

// torqueMayFlow reports whether the rim may get torque in state s.
func torqueMayFlow(s guard.State) bool { return s.Moves() || s == guard.Releasing }

// rimTorque returns the torque for the rim before the gate [N·m].
func (d *Drive) rimTorque(in *Inputs) float64 {
	s, w := &d.State, &in.Wheel
	s.Guard.ReserveTorque(d.ownEffectsMax(in))
	if d.Setup.rimServo {
		return d.servoTorque(in)
	}
	return d.forceChain().Torque(&s.Force, &s.Car, ffb.Wheel{Angle: s.Input.Steer, Present: w.Present, Rated: d.ratedTorque(in), Rate: w.Rate, Delay: w.Delay})
}

// ratedTorque returns the highest torque that the force may have [N·m]: the wheel's rating, the guard's
// limit and the configured limit, each less what the wheel's own effects may add.
func (d *Drive) ratedTorque(in *Inputs) float64 {
	ownEffects := d.ownEffectsMax(in)
	rated := min(in.Wheel.Rated, d.State.Guard.MaxTorque()-ownEffects)
	if ownEffects > 0 {
		rated = min(rated, d.forceChain().Limit()-ownEffects)
	}
	return rated
}

// ownEffectsMax returns the highest sum of the wheel's own effects, without fades [N·m]: the same share of
// the allowed torque as they have of the wheel's.
func (d *Drive) ownEffectsMax(in *Inputs) float64 {
	effects := in.Wheel.OwnEffectsMax
	if effects <= 0 {
		return 0
	}
	share := effects / (effects + in.Wheel.Rated)
	return min(effects, share*min(d.forceChain().Limit(), d.State.Guard.MaxTorque()))
}

// stepOwnEffects sets the torque that the wheel's own effects may have in this tick, and its vibration. A
// gain below 1, and a lower gain of the effects, weaken the vibration like the force.
func (d *Drive) stepOwnEffects(in *Inputs, out *Outputs) {
	if d.Setup.vibration == nil {
		return
	}
	s, allowed, peak := &d.State, d.ownEffectsMax(in), 0.0
	share, hz := d.Setup.vibration.Step(&s.vibration, &s.Car)
	if in.Wheel.OwnEffectsMax > 0 {
		peak = in.Wheel.VibrationMax / in.Wheel.OwnEffectsMax * allowed
	}
	out.OwnEffects = s.Guard.GateOwnEffects(allowed)
	out.Vibration = Vibration{s.Guard.GateOwnEffects(share * min(s.Force.Gain(), 1) * s.Force.EffectsShare() * peak), hz}
}

// torqueFlags returns the flags about limits of the torque.
func (d *Drive) torqueFlags(in *Inputs) (flags uint64) {
	s, g, limit := &d.State, &d.State.Guard, d.Setup.Guard.MaxTorque
	allowed := g.HighTorqueAllowed()
	return flagBits(
		flag{allowed, frame.HighTorque},
		flag{!allowed && min(in.Wheel.Rated, d.forceChain().Limit(), limit) > guard.SafeTorque, frame.TorqueLimited},
		flag{d.Setup.Guard.DeadMan && !s.Cockpit.keys.isDown(frame.KeyDeadMan), frame.DeadManReleased},
		flag{g.HandsOff(), frame.HandsOff},
	)
}
