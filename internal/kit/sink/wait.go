package sink

import (
	"errors"
	"io"
)

// Interrupt ends waiting when Done is closed. The waiting call then returns Err.
type Interrupt struct {
	Done <-chan struct{} // nil if nothing ever interrupts
	Err  error
}

// isCauseOf reports whether err is, or wraps, the interrupt's error.
func (i Interrupt) isCauseOf(err error) bool { return i.Err != nil && errors.Is(err, i.Err) }

// Wait calls work, which may block for ever, as reading from a pipe can. If the interrupt comes first,
// Wait returns its error. work then continues in a goroutine of its own until the program
// ends, because nothing can free a thread that waits in the kernel for a terminal.
func Wait[T any](i Interrupt, work func() (T, error)) (T, error) {
	if i.Done == nil {
		return work()
	}
	var zero T
	select {
	case <-i.Done:
		return zero, i.Err
	default:
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-i.Done:
		return zero, i.Err
	}
}

// Reader returns a reader of r whose Read returns i.Err after the interrupt.
func Reader(i Interrupt, r io.Reader) io.Reader { return interruptible{r: r, interrupt: i} }

// Writer returns a writer to w whose Write returns i.Err after the interrupt.
func Writer(i Interrupt, w io.Writer) io.Writer { return interruptible{w: w, interrupt: i} }

// interruptible reads from r or writes to w until the interrupt.
type interruptible struct {
	r         io.Reader
	w         io.Writer
	interrupt Interrupt
}

func (w interruptible) Read(p []byte) (int, error) {
	return Wait(w.interrupt, func() (int, error) { return w.r.Read(p) })
}

func (w interruptible) Write(p []byte) (int, error) {
	return Wait(w.interrupt, func() (int, error) { return w.w.Write(p) })
}
