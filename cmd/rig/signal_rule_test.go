package main

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// Whatever came before and in which order, the first signal is the order to end, and only a SIGINT readTime after the
// offer ends at once.
func TestOnlyAReadOfferIsAnsweredByAnEndAtOnce(t *testing.T) {
	const offer = "offer"
	steps := []any{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2, offer}
	gaps := []time.Duration{0, time.Millisecond, readTime - 1, readTime}
	begin := time.Unix(0, 0)
	var rule func(r signalRule, at time.Time, before []any, offeredFor time.Duration)
	count := map[effect]int{}
	rule = func(r signalRule, at time.Time, before []any, offeredFor time.Duration) {
		if len(before) == 2*4 {
			return
		}
		for _, gap := range gaps {
			for _, step := range steps {
				r, at, offeredFor, before := r, at.Add(gap), offeredFor, append(before[:len(before):len(before)], step, gap)
				if offeredFor >= 0 {
					offeredFor += gap
				}
				sig, isSignal := step.(os.Signal)
				if !isSignal {
					if !r.ordered || offeredFor >= 0 {
						continue // it is offered once, after the order
					}
					r.offer(at)
					rule(r, at, before, 0)
					continue
				}
				want := noEffect
				switch {
				case step == syscall.SIGUSR1:
					want = confirm
				case step == syscall.SIGUSR2:
					want = emergencyStop
				case !r.ordered:
					want = endInOrder
				case step == syscall.SIGINT && offeredFor >= readTime:
					want = endAtOnce
				}
				got := r.signal(sig, at)
				if count[got]++; got != want {
					t.Fatalf("%v: %v, want %v", before, got, want)
				}
				rule(r, at, before, offeredFor)
			}
		}
	}
	rule(signalRule{}, begin, nil, -1)
	if len(count) != 5 {
		t.Errorf("only these effects were tried: %v", count)
	}
}
