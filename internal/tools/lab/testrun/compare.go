package testrun

import (
	"strings"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/sim/trial"
)

// CompareWith compares the run with a reference, unless ref is nil. It returns an error if the two have
// no time in common.
func (r *Report) CompareWith(ref *Reference) error {
	if ref == nil {
		return nil
	}
	r.Reference = ref
	r.Deviations = trial.Compare(r.Rows, ref.Rows)
	if len(r.Deviations) == 0 {
		return &config.Problem{File: ref.Name, Text: "no value is within the time of the run; both t_s columns must begin at the same time"}
	}
	if len(ref.Ignored) > 0 {
		r.Notes = append(r.Notes, "not compared, because a recording has no such column: "+printable.Line(strings.Join(ref.Ignored, ", ")))
	}
	return nil
}
