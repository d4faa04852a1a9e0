package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/operator"
	"rig.example/rig/internal/page"
)

// endSignals are the signals that end a drive in good order. SIGHUP comes when the terminal is closed.
var endSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// mover is a command that moves a device or applies a force. It takes signals as orders, see
// (*streams).orders. Any other command is ended at once by each of endSignals, and ignores SIGUSR1 and
// SIGUSR2.
type mover interface {
	// forcedExitText returns what the operator must know when a second signal has ended the program at
	// once, without parking the platform.
	forcedExitText() string
}

// notifySignals returns the signals that are orders for a mover, until stop is called.
func notifySignals() (signals <-chan os.Signal, stop func()) {
	// A drive must not end at once because the reader of its output has exited.
	signal.Ignore(syscall.SIGPIPE)
	c := make(chan os.Signal, 4)
	signal.Notify(c, append([]os.Signal{syscall.SIGUSR1, syscall.SIGUSR2}, endSignals...)...)
	return c, func() { signal.Stop(c); close(c) }
}

// orders translates signals into orders: SIGUSR2 is an emergency stop, SIGUSR1 confirms that a fault or
// stop is over, and the first of endSignals is the order to release. A second of endSignals ends the
// program at once after printing forcedExitText; the kernel then stops the wheel's force.
func (s *streams) orders(forcedExitText string) (orders <-chan operator.Order, stop func()) {
	signals, stop := s.signals()
	out := make(chan operator.Order, 4)
	errs, flush := s.err, s.flush
	go func() {
		released := false
		for sig := range signals {
			switch {
			case sig == syscall.SIGUSR1:
				out <- operator.ClearFault
			case sig == syscall.SIGUSR2:
				out <- operator.EmergencyStop
			case released:
				if forcedExitText != "" {
					fmt.Fprintln(errs, "\nrig: "+forcedExitText)
				}
				if flush != nil {
					flush()
				}
				os.Exit(exitFailed)
			default:
				released = true
				out <- operator.FadeOutAndPark
			}
		}
	}()
	return out, stop
}

// orderContexts returns two contexts that the operator's signals cancel: any order to end cancels ctx, and
// an emergency stop cancels both, even after an order to end. done must be called.
func (s *streams) orderContexts(m mover) (ctx, stopCtx context.Context, done func()) {
	orders, end := s.orders(m.forcedExitText())
	ctx, stopCtx, cancel := operator.Contexts(orders)
	return ctx, stopCtx, func() { end(); cancel() }
}

// runMover reads the configuration and calls do with it and the contexts of orderContexts. Unless pageSocket is
// nil, it keeps drives and other movers from using the same wheel or platform meanwhile.
func (s *streams) runMover(m mover, configPath string, pageSocket *string, do func(ctx, stopCtx context.Context, cfg config.Config) error) error {
	cfg, _, err := s.configuration(configPath)
	if err != nil {
		return err
	}
	if pageSocket != nil {
		socket, err := page.Reserve(*pageSocket)
		if err != nil {
			return err
		}
		defer socket.Close()
	}
	ctx, stopCtx, done := s.orderContexts(m)
	defer done()
	return do(ctx, stopCtx, cfg)
}

// rimMover is embedded in commands that may push the rim but never move the platform. It implements
// forcedExitText for them.
type rimMover struct{}

func (rimMover) forcedExitText() string { return "ended at once; the kernel stops the force" }

// untilInterrupted returns a context that the first of endSignals cancels. A second one ends the program at
// once. done cancels the context and removes the signal handler.
func untilInterrupted() (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, endSignals...)
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
