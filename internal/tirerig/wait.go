package tirerig

import (
	"errors"
	"io"
)

var errInterrupted = errors.New("tire: interrupted before the end of the table; run it again")

// wait does work that may take for ever, as reading from a pipe, and gives it
// up once told. What it gives up goes on in its own goroutine until the program
// ends: nothing else frees a thread that waits in the kernel for a terminal.
func wait[T any](told <-chan struct{}, work func() (T, error)) (T, error) {
	if told == nil {
		return work()
	}
	var none T
	select {
	case <-told:
		return none, errInterrupted
	default:
	}
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := work()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-told:
		return none, errInterrupted
	}
}

// waiting reads or writes until it is told to give up.
type waiting struct {
	r    io.Reader
	w    io.Writer
	told <-chan struct{}
}

func (w waiting) Read(p []byte) (int, error) {
	return wait(w.told, func() (int, error) { return w.r.Read(p) })
}

func (w waiting) Write(p []byte) (int, error) {
	return wait(w.told, func() (int, error) { return w.w.Write(p) })
}
