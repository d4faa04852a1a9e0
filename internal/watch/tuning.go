package watch

import (
	"fmt"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/drive"
)

// tunings are the factors' keys in the table [tuning], in the order of drive.Factors.
var tunings = [...]string{"gain", "surge", "sway", "heave", "roll", "pitch", "yaw", "road", "kerb", "shift", "slide", "belt"}

// There is a key for each.
var _ [drive.Tunings]struct{} = [len(tunings)]struct{}{}

// TuningName returns what screens call a factor of frame.Motion, empty where there is none.
func TuningName(i int) string {
	if i < 0 || i >= len(tunings) {
		return ""
	}
	return tunings[i]
}

// TunedLines returns the table of a configuration that keeps a tuning; nothing where it is as it
// began.
func TunedLines(set, begun cueing.Tuning) []string {
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
