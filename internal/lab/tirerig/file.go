package tirerig

import (
	"errors"
	"fmt"
	"io"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/sink"
)

// subject is who writes, in errors.
const subject = "tire"

var errInterrupted = errors.New("tire: interrupted before the end of the table; run it again")

// WriteCSV writes the sweep's rows into a file; "-" is out.
func (r *Result) WriteCSV(path string, out io.Writer) error {
	to := sink.Sink{By: subject, Path: path, Out: out}
	return to.Fill(func(w io.Writer) error { return writeRows(w, r.Rows) })
}

// bufferSize is how much of a table is written at once [bytes].
const bufferSize = 64 << 10

// unreadable says that a file cannot be read, without naming it twice.
func unreadable(name string, err error) error {
	if errors.Is(err, errInterrupted) {
		return err
	}
	return &config.Problem{File: name, Text: fmt.Sprintf("cannot be read: %v", sink.Bare(err))}
}

// Stdout returns w with errors that call it stdout.
func Stdout(w io.Writer) io.Writer { return sink.Stdout(subject, w) }
