package ffb

import (
	"math"

	"rig.example/rig/internal/valid"
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
	return g.value + g.timeInBends + s.strength.adaptedPeak + s.reconstruction.g + s.reconstruction.delay + r.stiffness.square + r.stiffness.felt.accel + r.stiffness.damping +
		r.lead.accel + r.swing.sign + r.swing.age + r.swing.peak + r.swing.lastPeak
}
