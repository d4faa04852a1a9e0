package lifecycle

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Runner connects the methods Run and Close of a device: Run may be called once, and Close ends it and waits
// for its end. The zero value is ready to use. Its methods may be called from any goroutine.
type Runner struct {
	mu     sync.Mutex
	closed bool
	cancel context.CancelFunc // nil before Begin
	done   chan struct{}      // closed when Run has returned; nil before Begin
}

// Begin returns the context of Run, which ends with ctx or with Close. Run must call end once, when it
// returns. A second Begin returns an error.
func (r *Runner) Begin(ctx context.Context) (run context.Context, end func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done != nil {
		return nil, nil, errors.New("Run was called twice")
	}
	run, cancel := context.WithCancel(ctx)
	if r.closed {
		cancel()
	}
	done := make(chan struct{})
	r.cancel, r.done = cancel, done
	return run, func() { cancel(); close(done) }, nil
}

// Done returns a channel that is closed once Run has returned; nil before Begin.
func (r *Runner) Done() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.done
}

// Close ends Run and waits for its end, but no longer than limit, unless limit is 0. It reports whether Run
// has returned or never began. It may be called twice.
func (r *Runner) Close(limit time.Duration) bool {
	r.mu.Lock()
	r.closed = true
	cancel, done := r.cancel, r.done
	r.mu.Unlock()
	if done == nil {
		return true
	}
	cancel()
	var timeout <-chan time.Time // nil: never
	if limit > 0 {
		timeout = time.After(limit)
	}
	select {
	case <-done:
		return true
	case <-timeout:
		return false
	}
}
