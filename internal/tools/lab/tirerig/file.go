package tirerig

import (
	"errors"
	"fmt"
	"io"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
)

// programName is the subject in error messages.
const programName = "tire"

// errInterrupted is the error of a batch that was interrupted.
var errInterrupted = errors.New("tire: interrupted before the end of the table; run it again")

// WriteCSV writes the sweep's rows to a file as comma-separated values. The path "-" writes to out.
func (r *Result) WriteCSV(path string, out io.Writer) error {
	to := sink.Sink{Command: programName, Path: path, Out: out}
	return to.Fill(func(w io.Writer) error { return writeRows(w, r.Rows) })
}

// bufferSize is the size of the output buffer [bytes].
const bufferSize = 64 << 10

// readError returns an error about a file that cannot be read, without repeating its name.
func readError(name string, err error) error {
	if errors.Is(err, errInterrupted) {
		return err
	}
	return &config.Problem{File: name, Text: fmt.Sprintf("cannot be read: %v", sink.WithoutPath(err))}
}
