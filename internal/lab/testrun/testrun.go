// Package testrun reads and writes what belongs to one test run of a car, as `rig maneuver`
// drives it: in go tables of inputs and of a reference, out come the recording as a table, and
// figures as text, JSON and plots. It drives nothing itself: package sim/maneuver does.
package testrun

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/sink"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

// subject is who writes, in errors.
const subject = "maneuver"

// Stdout returns w with errors that call it stdout.
func Stdout(w io.Writer) io.Writer { return sink.Stdout(subject, w) }

// Report is a driven manoeuvre: with which car, and how far from a reference.
type Report struct {
	*maneuver.Result
	Car        string
	Assists    assist.Switches // that were on throughout
	Notes      []string        // of the manoeuvre and of the car
	Reference  *Reference
	Deviations []trial.Deviation
}

// digits of every number in a table.
const digits = 10

// WriteCSV writes the recording as a table; "-" is out.
func (r *Report) WriteCSV(path string, out io.Writer) error {
	to := sink.Sink{By: subject, Path: path, Out: out}
	return to.Fill(func(w io.Writer) error { return writeRows(w, r.Rows) })
}

func writeRows(w io.Writer, rows []trial.Row) error {
	out := bufio.NewWriter(w)
	out.WriteString(strings.Join(trial.Columns(), ",") + "\n")
	for i := range rows {
		line := out.AvailableBuffer()
		for j, v := range rows[i].Values() {
			if j > 0 {
				line = append(line, ',')
			}
			line = strconv.AppendFloat(line, v+0, 'g', digits, 64) // not -0
		}
		out.Write(append(line, '\n'))
	}
	return out.Flush()
}

// wrong is a fault of how the program was asked: flag names what is wrong.
func wrong(flag, text string) error { return &config.Problem{File: flag, Text: text} }
