package drive

import (
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/sim"
)

// Rim holds the constants of what the rim is made to do.
type Rim struct {
	ForceChains []*ffb.Chain // force feedback, one chain for each preset; New starts with the first

	vibration *ffb.Vibration // vibration of the wheel's own effects; nil if the wheel has none
	servo     bool           // the torque turns a real rim to the driver model's angle
}

// RimState is the state of what the rim is made to do.
type RimState struct {
	Force ffb.State

	vibration       ffb.VibrationState
	servo           servo              // turns a real rim for the driver model
	ramps           [forceFactors]ramp // ordered changes of the force, by Factor
	gainShownTime   float64            // remaining time for which a changed gain is shown [s]
	chainIndex      uint8              // index of the active chain in Rim.ForceChains
	wheelWasPresent bool               // the wheel was connected in the last tick
}

// rimInputs is what the rim's torque depends on beside the wheel.
type rimInputs struct {
	car       *sim.State
	steer     float64     // angle that steers the car [rad], positive left
	hands     float64     // angle that the driver model's hands hold [rad]
	state     guard.State // safety state
	maxTorque float64     // that the guard allows now [N·m]
}

// chain returns the force feedback for the connected wheel.
func (r *Rim) chain(s *RimState) *ffb.Chain { return r.ForceChains[s.chainIndex] }

// switchChain switches to the force preset of a newly found wheel while no torque flows, or in the tick
// in which the wheel appears, so that nobody feels the change.
func (r *Rim) switchChain(s *RimState, index uint8, state guard.State) {
	if index == s.chainIndex || int(index) >= len(r.ForceChains) || s.wheelWasPresent && torqueMayFlow(state) {
		return
	}
	s.chainIndex = index
	s.Force = r.chain(s).Start()
}

// torqueMayFlow reports whether the rim may get torque in state s.
func torqueMayFlow(s guard.State) bool { return s.Moves() || s == guard.Releasing }

// torque steps force feedback or servo and returns the torque for the rim before the gate [N·m].
func (r *Rim) torque(s *RimState, w *Wheel, in *rimInputs, dt float64) float64 {
	if r.servo {
		return s.servo.turn(w, in, r.servoLimit(s, w, in.maxTorque), dt)
	}
	return r.chain(s).Torque(&s.Force, in.car, ffb.Wheel{Angle: in.steer, Present: w.Present, Rated: r.ratedTorque(s, w, in.maxTorque), Rate: w.Rate, Delay: w.Delay})
}

// ratedTorque returns the highest torque that the force may have [N·m]: the wheel's rating, the guard's
// limit and the configured limit, each less what the wheel's own effects may add.
func (r *Rim) ratedTorque(s *RimState, w *Wheel, maxTorque float64) float64 {
	ownEffects := r.ownEffectsMax(s, w, maxTorque)
	rated := min(w.Rated, maxTorque-ownEffects)
	if ownEffects > 0 {
		rated = min(rated, r.chain(s).Limit()-ownEffects)
	}
	return rated
}

// ownEffectsMax returns the highest sum of the wheel's own effects, without fades [N·m]: the same share of
// the torque that the guard allows as they have of the wheel's.
func (r *Rim) ownEffectsMax(s *RimState, w *Wheel, maxTorque float64) float64 {
	effects := w.OwnEffectsMax
	if effects <= 0 {
		return 0
	}
	share := effects / (effects + w.Rated)
	return min(effects, share*min(r.chain(s).Limit(), maxTorque))
}

// ownEffects returns the torque that the wheel's own effects may have in this tick [N·m], and its vibration, before the
// gate. A gain below 1, and a lower gain of the effects, weaken the vibration like the force.
func (r *Rim) ownEffects(s *RimState, w *Wheel, car *sim.State, maxTorque float64) (allowed float64, v Vibration) {
	if r.vibration == nil {
		return 0, v
	}
	allowed = r.ownEffectsMax(s, w, maxTorque)
	share, hz := r.vibration.Step(&s.vibration, car)
	peak := 0.0
	if w.OwnEffectsMax > 0 {
		peak = w.VibrationMax / w.OwnEffectsMax * allowed
	}
	return allowed, Vibration{share * min(s.Force.Gain(), 1) * s.Force.EffectsShare() * peak, hz}
}

// handsOn returns the estimate of hands on the rim for the guard, 0..1. A rim that turns by itself needs none.
func (r *Rim) handsOn(s *RimState) float64 {
	if r.servo {
		return 1
	}
	return s.Force.Trace().HandsOn
}

const (
	gainStep     = 0.05
	gainShownFor = 3 // [s]
)

// adjustGain applies the keys for the gain of the force that were just pressed.
func (s *RimState) adjustGain(justPressed uint64, dt float64) {
	s.gainShownTime = max(s.gainShownTime-dt, 0)
	for _, k := range [...]struct {
		key  uint64
		step float64
	}{{frame.KeyGainMore, gainStep}, {frame.KeyGainLess, -gainStep}} {
		if justPressed&k.key != 0 {
			s.Force.Adjust(k.step)
			s.ramps[ForceGain].active = false // the driver's key counts more
			s.gainShownTime = gainShownFor
		}
	}
}
