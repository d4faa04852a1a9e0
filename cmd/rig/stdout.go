package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
)

// stdoutWriter writes to stdout. It stores the first write error, so that a lost result is always reported, and
// reported once.
type stdoutWriter struct {
	w          io.Writer
	firstError atomic.Pointer[stdoutError]
}

// stdoutError is the error for a result that could not be written to stdout.
type stdoutError struct{ cause error }

func (e *stdoutError) Error() string { return fmt.Sprintf("stdout cannot be written: %v", e.cause) }

func (o *stdoutWriter) Write(b []byte) (int, error) {
	if writeErr := o.firstError.Load(); writeErr != nil {
		return 0, writeErr
	}
	n, err := o.w.Write(b)
	return n, o.lose(err)
}

// lose stores err, unless it is nil, as the first write error, and returns it as one.
func (o *stdoutWriter) lose(err error) error {
	if err == nil {
		return nil
	}
	writeErr := &stdoutError{sink.WithoutPath(err)}
	o.firstError.Store(writeErr)
	return writeErr
}

// finalError returns err joined with the write error, if there was one. The write error occurs once in the
// result, even if err contains it.
func (o *stdoutWriter) finalError(err error) error {
	writeErr := o.firstError.Load()
	if writeErr == nil {
		return err
	}
	var all []error
	for _, e := range config.Faults(err) {
		if !errors.Is(e, writeErr) {
			all = append(all, e)
		}
	}
	return errors.Join(append(all, writeErr)...)
}

// stdout returns the program's stdout. If it was closed at the start, the writer returns an error: Go
// replaces a closed stdout by /dev/null, which would lose results silently.
func stdout() io.Writer {
	if isStdoutClosed() {
		return closedWriter{}
	}
	return os.Stdout
}

var errClosed = errors.New("it is closed")

// closedWriter replaces a stdout that was closed before the program started: every Write fails.
type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, errClosed }
