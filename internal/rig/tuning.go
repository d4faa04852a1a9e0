package rig

import (
	"fmt"
	"strings"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/drive"
	"rig.example/rig/internal/frame"
)

// tunings are the factors' keys in the table [tuning], in the order of drive.Factors.
var tunings = [...]string{"gain", "surge", "sway", "heave", "roll", "pitch", "yaw", "road", "kerb", "shift", "slide", "belt"}

// There is a key for each.
var _ [drive.Tunings]struct{} = [len(tunings)]struct{}{}

// TuningName is how screens call a factor of frame.Motion, empty where there is none.
func TuningName(i int) string {
	if i < 0 || i >= len(tunings) {
		return ""
	}
	return tunings[i]
}

// tunedLines are the table of a configuration that keeps a tuning; nothing where it is as it
// began.
func tunedLines(set, begun cueing.Tuning) []string {
	if set == begun {
		return nil
	}
	list := []string{"[tuning]"}
	for i, f := range drive.Factors(&set) {
		if *f != 1 || *f != *drive.Factors(&begun)[i] {
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
