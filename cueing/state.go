package cueing

// State is all that cueing remembers from tick to tick. It is a plain value: a copy is a
// snapshot, and equal states go on equally. Begin with Cue.Start; a State belongs to the Cue
// that it was started with.
type State struct {
	sense   senseState
	direct  directState
	washout washoutState
	extra   extraState
	tune    tuneState
	limits  limitsState
	pose    Pose // of the last tick
	trace   Trace
	fault   bool
}

// Start returns the state of a platform that is neutral and at rest, with plain tuning.
func (c *Cue) Start() State {
	s := State{tune: tuneState{now: PlainTuning(), to: PlainTuning()}}
	c.Reset(&s)
	return s
}

// Reset puts a state back to neutral, at rest; tuning stays. The platform must be there too.
func (c *Cue) Reset(s *State) {
	tuning := s.tune
	*s = State{}
	s.tune, s.trace.Gains = tuning, evenGains()
	c.washout.reset(&s.washout)
}

// Tune asks for other gains. They are followed in straight lines, all within half a second;
// a factor that is NaN counts as 1.
func (s *State) Tune(t Tuning) { s.tune.to = t.sane() }

// Trace returns how the last pose came about. It changes with the next.
func (s *State) Trace() *Trace { return &s.trace }

// Fault reports whether the last inputs, or the pose that followed from them, were not finite.
func (s *State) Fault() bool { return s.fault }
