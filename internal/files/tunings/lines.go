package tunings

import (
	"fmt"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/drive"
)

// Keys holds the keys of the motion's gain factors in the table [tuning], in the order of drive.Factors and of
// frame.Motion.Tuning.
var Keys = [drive.Tunings]string{"gain", "surge", "sway", "heave", "roll", "pitch", "yaw", "road", "kerb", "shift", "slide", "belt"}

// Lines returns the table [tuning] for a configuration file that preserves the current factors, or
// nil if they equal the initial ones.
func Lines(current, initial cueing.Tuning) []string {
	if current == initial {
		return nil
	}
	list := []string{"[tuning]"}
	for i, factor := range drive.Factors(&current) {
		if *factor != 1 || *factor != *drive.Factors(&initial)[i] {
			list = append(list, fmt.Sprintf("%s = %g", Keys[i], *factor))
		}
	}
	return list
}
