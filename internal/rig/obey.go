package rig

import (
	"context"
	"errors"
)

// What ends a command that moves something before it is done.
var (
	ErrInterrupted = errors.New("interrupted")
	ErrStopped     = errors.New("stopped by the operator (SIGUSR2)")
)

// endedBy is why a context ended: by the operator, unless its cause says otherwise.
func endedBy(ctx context.Context) error {
	if why := context.Cause(ctx); why != context.Canceled {
		return why
	}
	return ErrInterrupted
}

// Obey returns contexts for what moves without a drive. Release ends ctx, whose cause is then
// ErrInterrupted. Stop ends stopped, also after a Release, and ctx as well: torque goes and the
// platform stands, with ErrStopped as the cause. Clear does nothing, for there is nothing to
// go on with. cancel is called once, and ends both.
func Obey(orders <-chan Order) (ctx, stopped context.Context, cancel func()) {
	stopped, stop := context.WithCancelCause(context.Background())
	ctx, release := context.WithCancelCause(stopped)
	over := make(chan struct{})
	go func() {
		for {
			select {
			case o := <-orders:
				switch o {
				case Release:
					release(ErrInterrupted)
				case Stop:
					stop(ErrStopped)
				}
			case <-over:
				return
			}
		}
	}()
	return ctx, stopped, func() { close(over); stop(context.Canceled); release(nil) }
}
