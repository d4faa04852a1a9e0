package tunings

import (
	"fmt"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/drive"
)

// keys holds the keys of the motion's gain factors in the table [tuning], in the order of
// drive.Factors.
var keys = [...]string{"gain", "surge", "sway", "heave", "roll", "pitch", "yaw", "road", "kerb", "shift", "slide", "belt"}

// This does not compile unless there is a key for each factor.
var _ [drive.Tunings]struct{} = [len(keys)]struct{}{}

// KeyName returns the key of factor i of frame.Motion.Tuning, or "" if there is none.
func KeyName(i int) string {
	if i < 0 || i >= len(keys) {
		return ""
	}
	return keys[i]
}

// Lines returns the table [tuning] for a configuration file that preserves the current factors, or
// nil if they equal the initial ones.
func Lines(current, initial cueing.Tuning) []string {
	if current == initial {
		return nil
	}
	list := []string{"[tuning]"}
	for i, factor := range drive.Factors(&current) {
		if *factor != 1 || *factor != *drive.Factors(&initial)[i] {
			list = append(list, fmt.Sprintf("%s = %g", keys[i], *factor))
		}
	}
	return list
}

// KeyNames returns the names of all factors, in the order of drive.Factors.
func KeyNames() []string { return keys[:] }
