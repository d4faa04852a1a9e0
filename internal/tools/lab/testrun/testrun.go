// Package testrun reads and writes the files of one test run of a car, for `rig maneuver`. It reads
// tables of inputs and of a reference, and writes the recording as a table and the metrics as text,
// JSON and plots. The run itself is package sim/maneuver's.
package testrun

import (
	"bufio"
	"io"
	"strings"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

// programName is the subject in error messages.
const programName = "maneuver"

// Report is a manoeuvre's result with its car, and its comparison with a reference.
type Report struct {
	*maneuver.Result
	Car        string
	Assists    assist.Switches // assists that were on throughout
	Notes      []string        // notes of the manoeuvre and of the car
	Reference  *Reference      // nil without a comparison
	Deviations []trial.Deviation
	Channels   []channels.Channel // values of Row.Extra, which the table has instead of the recording's own columns; may be empty
}

// digits is the number of digits of every number in a table.
const digits = 10

// WriteCSV writes the recording as a table. The path "-" writes to out.
func (r *Report) WriteCSV(path string, out io.Writer) error {
	to := sink.Sink{Command: programName, Path: path, Out: out}
	return to.Fill(func(w io.Writer) error {
		if len(r.Channels) > 0 {
			return writeChannels(w, r.Channels, r.Rows)
		}
		return writeRows(w, r.Rows)
	})
}

// writeRows writes a header and the rows.
func writeRows(w io.Writer, rows []trial.Row) error {
	out := bufio.NewWriter(w)
	out.WriteString(strings.Join(trial.Columns(), ",") + "\n")
	for i := range rows {
		line := out.AvailableBuffer()
		for j, v := range rows[i].Values() {
			if j > 0 {
				line = append(line, ',')
			}
			line = appendNumber(line, v)
		}
		out.Write(append(line, '\n'))
	}
	return out.Flush()
}
