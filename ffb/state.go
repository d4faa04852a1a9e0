package ffb

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// State holds what one tick of a Chain passes to the next: filters, the learned peak of the car's torque,
// and the driver's gain. It has no pointers, so that a copy is a snapshot and == compares it. Get it from
// Chain.Start, and use it only with that Chain.
type State struct {
	strength       strengthState
	effects        effectsState
	rim            rimState
	reconstruction reconstructionState
	clips          clipState
	trace          Trace
	applied        float64 // torque that the rim really got in the last tick [N·m]
	tick           uint64  // the car's tick at the last call
	tickKnown      bool    // tick is valid; false before the first call
	clipping       bool    // result of Clipping
	fault          bool    // result of Fault
	tuned          tuned
}

// SetApplied sets the torque that the rim really gets in this tick [N·m]. It must be called if that is
// less than Chain.Torque returned; otherwise a rim that does not follow the torque would seem to be held
// by hands. NaN and Inf are ignored.
func (s *State) SetApplied(torque float64) {
	if valid.Finite(torque) {
		s.applied = torque
	}
}

// Gain returns the present gain, as configured or adjusted by the driver.
func (s *State) Gain() float64 { return s.strength.gain }

// tuned are factors on configured values that an order has changed.
type tuned struct {
	effects float64 // on all effects, 0..1
	cutoff  float64 // on the cut-off of the reconstruction, MinCutoffShare..1
}

// MinCutoffShare is the lowest factor on the cut-off of the reconstruction: the delay grows with its inverse, and a rim
// that answers late swings.
const MinCutoffShare = 0.5

// EffectsShare returns the factor on all effects, 0..1.
func (s *State) EffectsShare() float64 { return s.tuned.effects }

// SetEffectsShare sets the factor on all effects and limits it to 0..1. NaN is ignored.
func (s *State) SetEffectsShare(share float64) {
	if valid.Finite(share) {
		s.tuned.effects = min(max(share, 0), 1)
	}
}

// CutoffShare returns the factor on the configured cut-off of the reconstruction, 0.5..1.
func (s *State) CutoffShare() float64 { return s.tuned.cutoff }

// SetCutoffShare sets the factor on the configured cut-off of the reconstruction and limits it to 0.5..1: half of the
// cut-off doubles the delay. NaN is ignored.
func (s *State) SetCutoffShare(share float64) {
	if valid.Finite(share) {
		s.tuned.cutoff = min(max(share, MinCutoffShare), 1)
	}
}

// SetGain sets the gain and limits it to 0..2. NaN is ignored.
func (s *State) SetGain(gain float64) {
	if valid.Finite(gain) {
		s.strength.gain = min(max(gain, 0), maxGain)
	}
}

// Adjust changes the gain by step and limits it to 0..2.
func (s *State) Adjust(step float64) {
	const grid = 1000 // rounds to 1/1000, so that steps up and down cancel exactly
	if to := math.Round((s.strength.gain+step)*grid) / grid; valid.Finite(to) {
		s.strength.gain = min(max(to, 0), maxGain)
	}
}

// Trace returns the torque of the last tick after each stage. The next call of Chain.Torque overwrites it.
func (s *State) Trace() *Trace { return &s.trace }

// Clipping reports whether the torque requested in the last tick exceeded the limit.
func (s *State) Clipping() bool { return s.clipping }

// Fault reports whether the last call of Chain.Torque found NaN or Inf in its arguments or its state.
func (s *State) Fault() bool { return s.fault }

// carStepped reports whether the car was stepped since the last call.
func (s *State) carStepped(tick uint64) bool {
	stepped := s.tickKnown && tick != s.tick
	s.tick, s.tickKnown = tick, true
	return stepped
}

// hiddenStateSum returns a sum that is finite only if the states are finite that do not affect the torque
// in the same tick: the learned peak, the swing detector and the coefficients of the reconstruction.
func (s *State) hiddenStateSum() float64 {
	g, r := &s.strength.peak, &s.rim
	return s.tuned.effects + s.tuned.cutoff + g.value + g.timeInBends + s.strength.adaptedPeak + s.reconstruction.g + s.reconstruction.delay + r.stiffness.square + r.stiffness.felt.accel + r.stiffness.damping +
		r.lead.accel + r.swing.sign + r.swing.age + r.swing.peak + r.swing.lastPeak
}
