package cueing

// Tuning changes gains while the car drives: factors on what the configuration says, 0..3,
// where 1 is as configured.
type Tuning struct {
	Gain             float64 // of everything
	Surge            float64
	Sway             float64
	Heave            float64
	Roll, Pitch, Yaw float64 // with tilt coordination's part
	Road, Kerb       float64
	Shift            float64
	Slide            float64
	Belt             float64
}

// PlainTuning is everything as configured.
func PlainTuning() Tuning {
	return Tuning{Gain: 1, Surge: 1, Sway: 1, Heave: 1, Roll: 1, Pitch: 1, Yaw: 1, Road: 1, Kerb: 1, Shift: 1, Slide: 1, Belt: 1}
}

// MostFactor is the largest factor of a Tuning.
const MostFactor = 3

const tuningTime = 0.5 // from 0 to MostFactor [s]

// tune follows the gains that are asked for.
type tune struct {
	step float64 // in a tick
}

type tuneState struct{ now, to Tuning }

func newTune(dt float64) tune { return tune{step: MostFactor / tuningTime * dt} }

func (t *tune) next(s *tuneState) {
	if s.now == s.to {
		return
	}
	to := s.to.factors()
	for i, f := range s.now.factors() {
		*f = min(max(*to[i], *f-t.step), *f+t.step)
	}
}

// factors lists t's fields.
func (t *Tuning) factors() [12]*float64 {
	return [12]*float64{
		&t.Gain, &t.Surge, &t.Sway, &t.Heave, &t.Roll, &t.Pitch, &t.Yaw,
		&t.Road, &t.Kerb, &t.Shift, &t.Slide, &t.Belt,
	}
}

// sane brings every factor into its range.
func (t Tuning) sane() Tuning {
	for _, f := range t.factors() {
		if *f != *f {
			*f = 1
		}
		*f = min(max(*f, 0), MostFactor)
	}
	return t
}
