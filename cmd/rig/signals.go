package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
)

// mover is a command that moves a device or applies a force. It takes signals as orders, see
// (*streams).orders. Any other command either ends in good order, see (*streams).untilInterrupted, or at once by each of
// endSignals, and ignores SIGUSR1 and SIGUSR2.
type mover interface {
	// forcedExitText returns what the operator must know when Ctrl-C has ended the program at once, without parking
	// the platform.
	forcedExitText() string
}

// orderSignals returns the signals that are orders for a mover, until stop is called.
func (s *streams) orderSignals() (signals <-chan os.Signal, stop func()) {
	return s.notify(append([]os.Signal{syscall.SIGUSR1, syscall.SIGUSR2}, endSignals...)...)
}

// notify returns the given signals until stop is called. Once an order to end has come they do nothing from then on, instead
// of what they do to other programs: another of endSignals must not kill the process on its way to its exit.
func (s *streams) notify(which ...os.Signal) (signals <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 8)
	signal.Notify(c, which...)
	return c, func() {
		if !s.endOrdered.Load() {
			signal.Stop(c)
		}
	}
}

// orders translates signals into orders: SIGUSR2 is an emergency stop, SIGUSR1 confirms that a fault or
// stop is over, and of endSignals the first is the order to release. What a later one does, signalRule says; the
// kernel then stops the wheel's force. Other goroutines may send orders too.
func (s *streams) orders(m mover) (orders chan operator.Order, stop func()) {
	signals, stopSignals := s.signals()
	orders = make(chan operator.Order, 4)
	stopObeying := s.obeySignals(signals, m.forcedExitText(), func(o operator.Order) { orders <- o })
	return orders, func() { stopObeying(); stopSignals() }
}

// untilInterrupted returns a context for a command that moves nothing. The first of endSignals cancels it. What a later
// one does, signalRule says. done cancels the context and removes the signal handler.
func (s *streams) untilInterrupted() (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals, stopSignals := s.notify(endSignals...)
	stopObeying := s.obeySignals(signals, "ended at once", func(operator.Order) { cancel() })
	return ctx, func() { cancel(); stopObeying(); stopSignals() }
}

// offerAfter is how long after the order to end the offer comes to end at once. Most commands have ended by then.
const offerAfter = 300 * time.Millisecond

// obeySignals calls give in a goroutine with the order that each signal means, until stop is called. It offers to end at
// once if that is not offerAfter after the order to end.
func (s *streams) obeySignals(signals <-chan os.Signal, forcedExitText string, give func(operator.Order)) (stop func()) {
	at := *s // as it is now: the command may put other outputs there
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		var rule signalRule
		shown := make(chan time.Time, 1)
		for {
			select {
			case <-ctx.Done():
				return
			case t := <-shown:
				rule.offer(t)
			case sig := <-signals:
				switch rule.signal(sig, time.Now()) {
				case confirm:
					give(operator.ClearFault)
				case emergencyStop:
					give(operator.EmergencyStop)
				case endInOrder:
					at.endOrdered.Store(true)
					go at.offerEnd(ctx, shown)
					give(operator.FadeOutAndPark)
				case endAtOnce:
					at.endAtOnce(forcedExitText)
				}
			}
		}
	}()
	return stop
}

// offerEnd offers to end at once unless ctx ends within offerAfter, and sends the time at which that was shown.
func (s *streams) offerEnd(ctx context.Context, shown chan<- time.Time) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(offerAfter):
	}
	text := "Ctrl-C once more ends at once"
	if at := s.place.String(); at != "" {
		text = at + "; " + text + " and leaves it there"
	}
	s.log.Info(text)
	for ctx.Err() == nil {
		if s.flush == nil || s.flush() == nil {
			shown <- time.Now()
			return
		}
		time.Sleep(offerAfter)
	}
}

// endAtOnce says that, and where the platform stands, and ends the program. It does not wait long for the reader.
func (s *streams) endAtOnce(text string) {
	const longest = 500 * time.Millisecond
	if at := s.place.String(); at != "" {
		text += "; " + at
	}
	told := make(chan struct{})
	go func() {
		defer close(told)
		fmt.Fprintln(s.err, "\nrig: "+text)
		if s.flush != nil {
			_ = s.flush()
		}
	}()
	select {
	case <-told:
	case <-time.After(longest):
	}
	os.Exit(exitFailed)
}

// rimMover is embedded in commands that may push the rim but never move the platform. It implements
// forcedExitText for them.
type rimMover struct{}

func (rimMover) forcedExitText() string { return "ended at once; the kernel stops the force" }

// runMover reads the configuration and calls do with it and the contexts of guarded.
func (s *streams) runMover(m mover, configPath string, pageSocket *string, do func(ctx, stopCtx context.Context, cfg config.Config) error) error {
	cfg, _, err := s.configuration(configPath)
	if err != nil {
		return err
	}
	return s.guarded(m, pageSocket, func(ctx, stopCtx context.Context) error { return do(ctx, stopCtx, cfg) })
}
