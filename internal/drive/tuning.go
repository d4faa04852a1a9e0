package drive

import (
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/frame"
)

// tuner is how the driver changes the platform's motion while driving.
type tuner struct {
	set    cueing.Tuning
	off    bool
	chosen int     // cue that the keys change, 1 and up
	shown  float64 // time for which it is still shown [s]
	fresh  bool    // the cue does not know of it yet
}

func newTuner(t cueing.Tuning) tuner { return tuner{set: t, chosen: 1, fresh: true} }

// Tunings is how many factors a tuning has.
const Tunings = 12

// Factors are where the factors of a tuning are; the first is for all.
func Factors(t *cueing.Tuning) [Tunings]*float64 {
	return [...]*float64{&t.Gain, &t.Surge, &t.Sway, &t.Heave, &t.Roll, &t.Pitch, &t.Yaw, &t.Road, &t.Kerb, &t.Shift, &t.Slide, &t.Belt}
}

const (
	tuningStep  = 0.1
	tuningShown = 3 // [s]
)

// step obeys the keys that were not down a tick ago.
func (t *tuner) step(fresh uint64, motion *cueing.State, dt float64) {
	t.shown = max(t.shown-dt, 0)
	if fresh&tuningKeys != 0 {
		t.obey(fresh)
		t.shown, t.fresh = tuningShown, true
	}
	if !t.fresh {
		return
	}
	t.fresh = false
	now := t.set
	if t.off {
		now.Gain = 0
	}
	motion.Tune(now)
}

const tuningKeys = frame.KeyMotionLess | frame.KeyMotionMore | frame.KeyMotionNext | frame.KeyCueLess | frame.KeyCueMore | frame.KeyMotionOn

func (t *tuner) obey(fresh uint64) {
	if fresh&frame.KeyMotionNext != 0 {
		t.chosen = t.chosen%(Tunings-1) + 1
	}
	t.off = t.off != (fresh&frame.KeyMotionOn != 0)
	list := Factors(&t.set)
	turn(list[0], fresh, frame.KeyMotionLess, frame.KeyMotionMore)
	turn(list[t.chosen], fresh, frame.KeyCueLess, frame.KeyCueMore)
}

// turn moves a factor by a step, onto a multiple of the step.
func turn(factor *float64, fresh, less, more uint64) {
	steps := math.Round(*factor / tuningStep)
	switch {
	case fresh&less != 0:
		steps--
	case fresh&more != 0:
		steps++
	default:
		return
	}
	*factor = max(0, min(steps/(1/tuningStep), cueing.MostFactor))
}

// flags shows what the driver does to the motion.
func (t *tuner) flags() (flags uint64) {
	if t.off {
		flags |= frame.MotionOff
	}
	if t.shown > 0 {
		flags |= frame.TuningTold
	}
	return flags
}

// Tuning is what the driver has made of the motion's factors so far.
func (s *State) Tuning() cueing.Tuning { return s.tuner.set }
