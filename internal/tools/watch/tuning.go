package watch

import (
	"fmt"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/drive"
)

// tuningKeys holds the keys of the motion's gain factors in the table [tuning], in the order of
// drive.Factors.
var tuningKeys = [...]string{"gain", "surge", "sway", "heave", "roll", "pitch", "yaw", "road", "kerb", "shift", "slide", "belt"}

// This does not compile unless there is a key for each factor.
var _ [drive.Tunings]struct{} = [len(tuningKeys)]struct{}{}

// TuningName returns the name of factor i of frame.Motion.Tuning, or "" if there is none.
func TuningName(i int) string {
	if i < 0 || i >= len(tuningKeys) {
		return ""
	}
	return tuningKeys[i]
}

// TuningLines returns the table [tuning] for a configuration file that preserves the current factors, or
// nil if they equal the initial ones.
func TuningLines(current, initial cueing.Tuning) []string {
	if current == initial {
		return nil
	}
	list := []string{"[tuning]"}
	for i, factor := range drive.Factors(&current) {
		if *factor != 1 || *factor != *drive.Factors(&initial)[i] {
			list = append(list, fmt.Sprintf("%s = %g", tuningKeys[i], *factor))
		}
	}
	return list
}
