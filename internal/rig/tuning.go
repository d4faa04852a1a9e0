package rig

import (
	"fmt"
	"math"
	"strings"

	"rig/cueing"
	"rig/internal/config"
	"rig/internal/frame"
)

// tuner is how the driver changes the platform's motion while driving.
type tuner struct {
	begun  cueing.Tuning // of the configuration
	set    cueing.Tuning
	off    bool
	chosen int     // cue that the keys change, 1 and up
	told   float64 // time for which it is still shown [s]
	fresh  bool    // the cue does not know of it yet
}

func newTuner(t cueing.Tuning) tuner { return tuner{begun: t, set: t, chosen: 1, fresh: true} }

// tunings are the factors' keys in the table [tuning], in the order of factors.
var tunings = [...]string{"gain", "surge", "sway", "heave", "roll", "pitch", "yaw", "road", "kerb", "shift", "slide", "belt"}

// A frame has room for all of them.
var _ [frame.MaxTunings - len(tunings)]struct{}

// TuningName is how screens call a factor of frame.Motion, empty where there is none.
func TuningName(i int) string {
	if i < 0 || i >= len(tunings) {
		return ""
	}
	return tunings[i]
}

// factors are where the factors of a tuning are; the first is for all.
func factors(t *cueing.Tuning) [len(tunings)]*float64 {
	return [...]*float64{&t.Gain, &t.Surge, &t.Sway, &t.Heave, &t.Roll, &t.Pitch, &t.Yaw, &t.Road, &t.Kerb, &t.Shift, &t.Slide, &t.Belt}
}

const (
	tuningStep = 0.1
	tuningTold = 3 // [s]
)

// step obeys the keys that were not down a tick ago.
func (t *tuner) step(fresh uint64, cue *cueing.State, dt float64) {
	t.told = max(t.told-dt, 0)
	if fresh&tuningKeys != 0 {
		t.obey(fresh)
		t.told, t.fresh = tuningTold, true
	}
	if !t.fresh {
		return
	}
	t.fresh = false
	now := t.set
	if t.off {
		now.Gain = 0
	}
	cue.Tune(now)
}

const tuningKeys = frame.KeyMotionLess | frame.KeyMotionMore | frame.KeyMotionNext | frame.KeyCueLess | frame.KeyCueMore | frame.KeyMotionOn

func (t *tuner) obey(fresh uint64) {
	if fresh&frame.KeyMotionNext != 0 {
		t.chosen = t.chosen%(len(tunings)-1) + 1
	}
	t.off = t.off != (fresh&frame.KeyMotionOn != 0)
	list := factors(&t.set)
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
	*factor = max(0, min(steps/(1/tuningStep), config.MostTuning))
}

// flags shows what the driver does to the motion.
func (t *tuner) flags() (flags uint64) {
	if t.off {
		flags |= frame.MotionOff
	}
	if t.told > 0 {
		flags |= frame.TuningTold
	}
	return flags
}

// lines are the table of a configuration that keeps what the driver has tuned; nothing
// where he left it.
func (t *tuner) lines() []string {
	if t.set == t.begun {
		return nil
	}
	list := []string{"[tuning]"}
	for i, f := range factors(&t.set) {
		if *f != 1 || *f != *factors(&t.begun)[i] {
			list = append(list, fmt.Sprintf("%s = %g", tunings[i], *f))
		}
	}
	return list
}

// printTuning is what the operator is told at the end.
func printTuning(lines []string) string {
	if lines == nil {
		return ""
	}
	return "the motion was tuned; to keep it, let these be the table in the configuration:\n    " + strings.Join(lines, "\n    ") + "\n"
}

// tunedText tells of the factor that was changed last.
func tunedText(f *frame.Frame) string {
	if f.Flags&frame.MotionOff != 0 {
		return "motion off: J or the button for motion_on switches it on"
	}
	i := int(min(f.Motion.Chosen, frame.MaxTunings-1))
	return fmt.Sprintf("motion %.0f %%, %s %.0f %%", 100*f.Motion.Tuning[0], TuningName(i), 100*f.Motion.Tuning[i])
}
