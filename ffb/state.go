package ffb

import "math"

// State is all that one tick of the force hands to the next: what was felt, what was learned
// of the car's torque, and the gain that the driver chose. It has no pointers, so that copying
// it is a snapshot and == compares it. It begins with Feel.Start, and belongs
// to the Feel that it was started with.
type State struct {
	strength strengthState
	effects  effectsState
	rim      rimState
	rebuild  rebuildState
	clips    clipState
	trace    Trace
	applied  float64 // of the last torque, what the rim was let have [N·m]
	tick     uint64  // of the car, when it was last seen
	begun    bool    // tick is from a call before
	clip     bool
	fault    bool
}

// SetApplied notes what the rim was let have of the last torque [N·m], where something after
// Feel holds it back: else a rim that does not follow it seems to be held. NaN and Inf are
// ignored.
func (s *State) SetApplied(torque float64) {
	if finite(torque) {
		s.applied = torque
	}
}

// Gain returns the gain that is in force.
func (s *State) Gain() float64 { return s.strength.gain }

// Adjust changes the gain by step, within the limits of its key.
func (s *State) Adjust(step float64) {
	const grid = 1000 // so that steps there and back meet
	if to := math.Round((s.strength.gain+step)*grid) / grid; finite(to) {
		s.strength.gain = min(max(to, 0), mostGain)
	}
}

// Trace returns what the last torque was after each stage. It changes with the next.
func (s *State) Trace() *Trace { return &s.trace }

// Clipping reports whether the last torque asked for was more than the rim may give.
func (s *State) Clipping() bool { return s.clip }

// Fault reports whether the last call met NaN or Inf, in what it was given or in what it remembers.
func (s *State) Fault() bool { return s.fault }

// moved reports whether the car was stepped since the last call.
func (s *State) moved(tick uint64) bool {
	moved := s.begun && tick != s.tick
	s.tick, s.begun = tick, true
	return moved
}

// memory is finite if all is that is remembered and would not show in the torque soon: what
// was learned, what notices a rim that swings, and the design of the reconstruction.
func (s *State) memory() float64 {
	g, r := &s.strength.peak, &s.rim
	return g.value + g.experience + s.strength.held + s.rebuild.g + s.rebuild.delay + r.slope.square + r.slope.felt.accel +
		r.lead.accel + r.swing.sign + r.swing.since + r.swing.peak + r.swing.last
}
