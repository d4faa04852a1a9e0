// Package operator carries an operator's orders to what moves: to a drive, which takes them as they
// are, and to a command that moves something without one, whose context they end. In go orders,
// by key or signal; out come contexts with their cause. It stops no device itself.
package operator

import (
	"context"
	"errors"
)

// Order is what an operator wants.
type Order int

// The orders.
const (
	Release Order = iota // fade out, park and return
	Stop                 // emergency stop by software: no torque, and the platform stands
	Clear                // a fault or stop is over
)

// What ends a command that moves something before it is done.
var (
	ErrInterrupted = errors.New("interrupted")
	ErrStopped     = errors.New("stopped by the operator (SIGUSR2)")
)

// EndedBy returns why a context ended: by the operator, unless its cause says otherwise.
func EndedBy(ctx context.Context) error {
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
