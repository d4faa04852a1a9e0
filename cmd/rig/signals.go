package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"rig.example/rig/internal/operator"
)

// toEnd are the signals that end a drive in good order: a closed terminal, too.
var toEnd = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// mover is a command that moves something, or pushes: signals give it orders. Every other
// command is ended at once by a signal to end and does not mind the others.
type mover interface {
	// lastWords is what the operator must know when a second signal to end ends the program
	// at once.
	lastWords() string
}

// notified returns the signals that a mover heeds, until stop.
func notified() (signals <-chan os.Signal, stop func()) {
	// Whoever read the output may be gone; that must not end what moves.
	signal.Ignore(syscall.SIGPIPE)
	c := make(chan os.Signal, 4)
	signal.Notify(c, append([]os.Signal{syscall.SIGUSR1, syscall.SIGUSR2}, toEnd...)...)
	return c, func() { signal.Stop(c); close(c) }
}

// orders turns signals into orders: SIGUSR2 is an emergency stop, SIGUSR1 confirms that a
// fault or stop is over, and the first signal to end releases. A second one ends the program
// at once, whereupon the kernel stops the wheel.
func (s *streams) orders(lastWords string) (orders <-chan operator.Order, stop func()) {
	signals, stop := s.signals()
	out := make(chan operator.Order, 4)
	go func() {
		released := false
		for sig := range signals {
			switch {
			case sig == syscall.SIGUSR1:
				out <- operator.Clear
			case sig == syscall.SIGUSR2:
				out <- operator.Stop
			case released:
				if lastWords != "" {
					fmt.Fprintln(s.err, "\nrig: "+lastWords)
				}
				os.Exit(exitFailed)
			default:
				released = true
				out <- operator.Release
			}
		}
	}()
	return out, stop
}

// operated returns contexts that the operator's signals end: ctx by any that is to end the
// command, and stopped, whenever it comes, by an emergency stop.
func (s *streams) operated(m mover) (ctx, stopped context.Context, done func()) {
	orders, end := s.orders(m.lastWords())
	ctx, stopped, cancel := operator.Obey(orders)
	return ctx, stopped, func() { end(); cancel() }
}

// untilInterrupted returns a context that the first signal to end ends, and what gives both
// back. A second signal ends the program at once.
func untilInterrupted() (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, toEnd...)
	go func() {
		if _, ok := <-signals; !ok {
			return
		}
		cancel()
		if _, ok := <-signals; ok {
			os.Exit(exitFailed)
		}
	}()
	return ctx, func() { cancel(); signal.Stop(signals); close(signals) }
}
