package cueing

// State is everything that cueing keeps from tick to tick. It is a plain value: a copy is a
// snapshot, and equal states with equal inputs give equal poses. Cue.Start returns the first State;
// a State must be used only with the Cue that returned it.
type State struct {
	headState headState
	direct    directModeState
	washout   washoutState
	extra     extraCuesState
	tune      tunerState
	shares    sharesState
	limits    limitsState
	pose      Pose // of the last tick
	trace     Trace
	fault     bool
}

// Start returns the state of a platform at neutral and at rest, with UnitTuning and all shares at 1.
func (c *Cue) Start() State {
	s := State{tune: tunerState{current: UnitTuning(), target: UnitTuning()}, shares: unitShares()}
	c.Reset(&s)
	return s
}

// Reset puts a state back to neutral, at rest, but keeps the tuning and the shares. The platform must
// be there too.
func (c *Cue) Reset(s *State) {
	*s = State{tune: s.tune, shares: s.shares, trace: Trace{Gains: unitGains()}}
	c.washout.reset(&s.washout)
}

// Tune sets the target of the tuning, which is followed linearly within half a second. Factors are
// limited to 0..MaxFactor; NaN counts as 1.
func (s *State) Tune(t Tuning) { s.tune.target = t.clamped() }

// Trace returns the parts of the last pose. They change with the next one.
func (s *State) Trace() *Trace { return &s.trace }

// Fault reports whether the last inputs, or the pose that followed from them, were not finite.
func (s *State) Fault() bool { return s.fault }
