package cueing

// Tuning changes gains during a drive: factors on the configured gains, 0..MaxFactor, 1 for
// unchanged.
type Tuning struct {
	Gain             float64 // on every component
	Surge            float64
	Sway             float64
	Heave            float64
	Roll, Pitch, Yaw float64 // including tilt coordination
	Road, Kerb       float64 // on the cues of the road's surface and of kerbs
	Shift            float64 // on the cues of gear changes
	Slide            float64 // on the traction-loss actuator
	Belt             float64 // on the tension of the belts
}

// UnitTuning returns a tuning that changes nothing.
func UnitTuning() Tuning {
	return Tuning{Gain: 1, Surge: 1, Sway: 1, Heave: 1, Roll: 1, Pitch: 1, Yaw: 1, Road: 1, Kerb: 1, Shift: 1, Slide: 1, Belt: 1}
}

// MaxFactor is the largest factor of a Tuning.
const MaxFactor = 3

const tuningTime = 0.5 // of a change from 0 to MaxFactor [s]

// tuner moves the tuning to its target at a limited rate.
type tuner struct {
	maxStep float64 // of a factor in a tick
}

type tunerState struct{ current, target Tuning }

func newTuner(dt float64) tuner { return tuner{maxStep: MaxFactor / tuningTime * dt} }

// next moves every factor one tick towards its target.
func (t *tuner) next(s *tunerState) {
	if s.current == s.target {
		return
	}
	targets := s.target.factors()
	for i, f := range s.current.factors() {
		*f = min(max(*targets[i], *f-t.maxStep), *f+t.maxStep)
	}
}

// factors returns pointers to all factors.
func (t *Tuning) factors() [12]*float64 {
	return [12]*float64{
		&t.Gain, &t.Surge, &t.Sway, &t.Heave, &t.Roll, &t.Pitch, &t.Yaw,
		&t.Road, &t.Kerb, &t.Shift, &t.Slide, &t.Belt,
	}
}

// clamped returns the tuning with every factor within its range, and 1 for NaN.
func (t Tuning) clamped() Tuning {
	for _, f := range t.factors() {
		if *f != *f {
			*f = 1
		}
		*f = min(max(*f, 0), MaxFactor)
	}
	return t
}
