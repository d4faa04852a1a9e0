package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/sink"
)

// output is stdout. It keeps why it could not be written, so that no result is lost without a
// word, and none is told of more than once.
type output struct {
	w    io.Writer
	lost atomic.Pointer[lostOutput]
}

// lostOutput tells that a result is lost.
type lostOutput struct{ cause error }

func (e *lostOutput) Error() string { return fmt.Sprintf("stdout cannot be written: %v", e.cause) }

func (o *output) Write(b []byte) (int, error) {
	if lost := o.lost.Load(); lost != nil {
		return 0, lost
	}
	n, err := o.w.Write(b)
	if err == nil {
		return n, nil
	}
	lost := &lostOutput{sink.Bare(err)}
	o.lost.Store(lost)
	return n, lost
}

// settle returns what went wrong in all: err, and once that a result is lost.
func (o *output) settle(err error) error {
	lost := o.lost.Load()
	if lost == nil {
		return err
	}
	var all []error
	for _, e := range config.Faults(err) {
		if !errors.Is(e, lost) {
			all = append(all, e)
		}
	}
	return errors.Join(append(all, lost)...)
}

// stdout is the program's stdout. Go opens /dev/null in the place of one that was closed:
// results would be lost without a word.
func stdout() io.Writer {
	if closedStdout() {
		return closed{}
	}
	return os.Stdout
}

var errClosed = errors.New("it is closed")

// closed is a descriptor that was closed before the program began.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errClosed }
