package lifecycle

import (
	"context"
	"errors"
	"time"
)

// HangLimit is the longest wait for a driver that does not answer, while a device is being closed.
const HangLimit = 500 * time.Millisecond

// ErrHung is returned if a driver does not answer.
var ErrHung = errors.New("its driver does not answer; unplug the device")

// CallOrAbandon calls f, which may hang in a driver, on a goroutine of its own, and waits until it returns.
// After the end of ctx it waits no longer than HangLimit. It reports whether f has returned; if not, it
// calls late when f does.
func CallOrAbandon(ctx context.Context, f, late func()) bool {
	done := make(chan struct{})
	go func() { f(); close(done) }()
	select {
	case <-done:
		return true
	case <-ctx.Done():
	}
	select {
	case <-done:
		return true
	case <-time.After(HangLimit):
	}
	go func() { <-done; late() }()
	return false
}

// CloseOrAbandon calls f, which closes a device and may hang in its driver, on a goroutine of its own, and
// returns the error of f. If f has not returned after HangLimit, CloseOrAbandon returns hung, and f
// continues.
func CloseOrAbandon(f func() error, hung error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(HangLimit):
		return hung
	}
}
