package drive

import (
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/frame"
)

// tuner lets the driver change the platform's motion while driving.
type tuner struct {
	current   cueing.Tuning // present factors
	off       bool          // the driver has switched the motion off
	selected  int           // cue that the keys change, 1 and up
	shownTime float64       // time for which it is still shown [s]
	changed   bool          // not yet passed to the cue
}

func newTuner(t cueing.Tuning) tuner { return tuner{current: t, selected: 1, changed: true} }

// Tunings is the number of factors in a tuning.
const Tunings = 12

// Factors returns pointers to the factors of a tuning; the first is for all motion.
func Factors(t *cueing.Tuning) [Tunings]*float64 {
	return [...]*float64{&t.Gain, &t.Surge, &t.Sway, &t.Heave, &t.Roll, &t.Pitch, &t.Yaw, &t.Road, &t.Kerb, &t.Shift, &t.Slide, &t.Belt}
}

const (
	tuningStep     = 0.1
	tuningShownFor = 3 // [s]
)

// step applies the keys that were just pressed.
func (t *tuner) step(justPressed uint64, motion *cueing.State, dt float64) {
	t.shownTime = max(t.shownTime-dt, 0)
	if justPressed&tuningKeys != 0 {
		t.applyKeys(justPressed)
		t.shownTime, t.changed = tuningShownFor, true
	}
	if !t.changed {
		return
	}
	t.changed = false
	now := t.current
	if t.off {
		now.Gain = 0
	}
	motion.Tune(now)
}

// tune sets a factor by an order to a share of its configured value.
func (t *tuner) tune(factor int, share float64, configured *cueing.Tuning) {
	*Factors(&t.current)[factor] = share * *Factors(configured)[factor]
	t.shownTime, t.changed = tuningShownFor, true
}

const tuningKeys = frame.KeyMotionLess | frame.KeyMotionMore | frame.KeyCueNext | frame.KeyCueLess | frame.KeyCueMore | frame.KeyMotionToggle

func (t *tuner) applyKeys(justPressed uint64) {
	if justPressed&frame.KeyCueNext != 0 {
		t.selected = t.selected%(Tunings-1) + 1
	}
	t.off = t.off != (justPressed&frame.KeyMotionToggle != 0)
	list := Factors(&t.current)
	stepFactor(list[0], justPressed, frame.KeyMotionLess, frame.KeyMotionMore)
	stepFactor(list[t.selected], justPressed, frame.KeyCueLess, frame.KeyCueMore)
}

// stepFactor changes a factor by a step and rounds it to a multiple of the step.
func stepFactor(factor *float64, justPressed, less, more uint64) {
	steps := math.Round(*factor / tuningStep)
	switch {
	case justPressed&less != 0:
		steps--
	case justPressed&more != 0:
		steps++
	default:
		return
	}
	*factor = max(0, min(steps/(1/tuningStep), cueing.MaxFactor))
}

// flags returns the flags of the tuning.
func (t *tuner) flags() (flags uint64) {
	if t.off {
		flags |= frame.MotionOff
	}
	if t.shownTime > 0 {
		flags |= frame.TuningChanged
	}
	return flags
}

// Tuning returns the present factors of the motion.
func (s *State) Tuning() cueing.Tuning { return s.Cockpit.tuner.current }
