// Package export writes a drive into the file formats of other programs: CSV, MoTeC i2 (.ld and .ldx) and ASAM MDF 4.
//
// A drivelog.Log and an io.Writer go in; the bytes of one file come out, or an error that says what is wrong and what
// to do. Errors of the log are found before the first byte is written. The samples are streamed. The functions read no
// clock and open no file: the same log makes the same bytes.
package export

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
)

// bufferSize is how many bytes are collected before they are written.
const bufferSize = 1 << 16

// stream calls write with a buffer before w, and returns the first error of w. write need not look at errors: after
// one, the buffer writes nothing.
func stream(w io.Writer, write func(out *bufio.Writer)) error {
	out := bufio.NewWriterSize(w, bufferSize)
	write(out)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// check returns an error if log cannot be written in any format.
func check(log *drivelog.Log) error {
	if log.Len() == 0 {
		return errors.New("export: the log has no samples; choose a part of the drive that has some")
	}
	if !valid.Finite(log.Rate) || log.Rate <= 0 {
		return fmt.Errorf("export: rate is %g Hz: must be more than 0 and finite; choose another rate", log.Rate)
	}
	if !valid.Finite(log.Start) {
		return fmt.Errorf("export: the log starts at %g s: must not be NaN or Inf; read the recording again", log.Start)
	}
	first := log.Channels[0]
	for _, c := range log.Channels {
		if len(c.Values) != log.Len() {
			return fmt.Errorf("export: channel %s has %d samples and %s has %d: must be equal; resample them to one rate",
				printable.Name(c.Name), len(c.Values), printable.Name(first.Name), log.Len())
		}
	}
	return nil
}
