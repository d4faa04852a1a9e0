package testrun

import (
	"strings"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/printable"
	"rig.example/rig/sim/trial"
)

// Against compares the run with a reference, if there is one. It fails where
// the two have no time in common.
func (r *Report) Against(ref *Reference) error {
	if ref == nil {
		return nil
	}
	r.Reference = ref
	r.Deviations = trial.Compare(r.Rows, ref.Rows)
	if len(r.Deviations) == 0 {
		return &config.Problem{File: ref.Name, Text: "no value of it lies within the time of the run; make the columns t_s begin alike"}
	}
	if len(ref.Ignored) > 0 {
		r.Notes = append(r.Notes, "not compared, for a recording has no such column: "+printable.Line(strings.Join(ref.Ignored, ", ")))
	}
	return nil
}
