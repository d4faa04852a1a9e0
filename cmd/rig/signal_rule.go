package main

import (
	"os"
	"syscall"
	"time"
)

// endSignals are the signals that end a program in good order. SIGHUP comes when the terminal is closed.
var endSignals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// signalRule decides what each signal does, from their order and times alone. SIGUSR1 confirms, SIGUSR2 is an emergency
// stop, and the first of endSignals is the order to end.
// Programs send several for one cause: a shell passes SIGHUP to its jobs and the kernel sends it again when the terminal
// is closed, timeout sends SIGTERM to the process and to its group. So no later one does anything but a SIGINT, by which a
// person says to have read that it ends the program at once.
type signalRule struct {
	ordered bool      // the order to end has come
	offered time.Time // when the person was shown what another Ctrl-C does; zero before
}

// readTime is how long a person needs to read the offer: an earlier Ctrl-C was not meant as its answer.
const readTime = 500 * time.Millisecond

// effect is what a signal does.
type effect int

const (
	noEffect      effect = iota
	confirm              // that a fault or stop is over
	emergencyStop        // by software
	endInOrder           // fade out, park and end
	endAtOnce
)

// offer notes that the offer was shown.
func (r *signalRule) offer(at time.Time) { r.offered = at }

// signal returns the effect of a signal.
func (r *signalRule) signal(sig os.Signal, at time.Time) effect {
	switch {
	case sig == syscall.SIGUSR1:
		return confirm
	case sig == syscall.SIGUSR2:
		return emergencyStop
	case !r.ordered:
		r.ordered = true
		return endInOrder
	case sig == syscall.SIGINT && !r.offered.IsZero() && at.Sub(r.offered) >= readTime:
		return endAtOnce
	}
	return noEffect
}
