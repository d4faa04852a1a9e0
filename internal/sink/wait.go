package sink

import (
	"errors"
	"io"
)

// Interrupt ends waiting: with Err, once Told closes.
type Interrupt struct {
	Told <-chan struct{} // nil for never
	Err  error
}

// caused tells whether an error is that of the interrupt.
func (i Interrupt) caused(err error) bool { return i.Err != nil && errors.Is(err, i.Err) }

// Wait does work that may take for ever, as reading from a pipe, and gives it
// up once told. What it gives up goes on in its own goroutine until the program
// ends: nothing else frees a thread that waits in the kernel for a terminal.
func Wait[T any](i Interrupt, work func() (T, error)) (T, error) {
	if i.Told == nil {
		return work()
	}
	var none T
	select {
	case <-i.Told:
		return none, i.Err
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
	case <-i.Told:
		return none, i.Err
	}
}

// Reader returns r, whose reading the interrupt ends.
func Reader(i Interrupt, r io.Reader) io.Reader { return waiting{r: r, interrupt: i} }

// Writer returns w, whose writing the interrupt ends.
func Writer(i Interrupt, w io.Writer) io.Writer { return waiting{w: w, interrupt: i} }

// waiting reads or writes until it is told to give up.
type waiting struct {
	r         io.Reader
	w         io.Writer
	interrupt Interrupt
}

func (w waiting) Read(p []byte) (int, error) {
	return Wait(w.interrupt, func() (int, error) { return w.r.Read(p) })
}

func (w waiting) Write(p []byte) (int, error) {
	return Wait(w.interrupt, func() (int, error) { return w.w.Write(p) })
}
