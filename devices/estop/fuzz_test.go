package estop

import (
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// What a byte of a fuzzed sequence says about one millisecond.
const (
	firstOpen = 1 << iota
	secondOpen
	firstStalls // its sampler does not run
	secondStalls
	firstEdge // an edge of the first contact is heard, rightly or not
	renew     // the relay's order is renewed
	takeBack  // it is taken back
	unplugged
)

// FuzzStop plays sequences of contacts, stalls and orders, and holds the laws:
// an open contact stops within 20 ms even if nobody samples it, and at once if
// somebody does; no stop is shorter than the debounce; no relay is on in a stop; no stop
// by a contact that opened alone ends.
func FuzzStop(f *testing.F) {
	f.Add([]byte{0, firstOpen, 0, firstOpen | secondOpen, unplugged, renew}, uint8(60))
	f.Add([]byte{firstStalls, firstStalls | firstOpen, secondStalls, takeBack, renew, firstEdge}, uint8(25))
	f.Fuzz(func(t *testing.T, seq []byte, repeat uint8) {
		if len(seq) > 64 {
			return
		}
		b := newBench(t, 2, DefaultConfig())
		b.run(60)
		var w watcher
		for _, x := range seq {
			for range 1 + int(repeat)%64 {
				play(b, &w, x)
				w.check(t, b)
			}
		}
	})
}

// watcher knows what really happened, in milliseconds.
type watcher struct {
	openFor    [2]int // how long each contact has been open without a break
	unseen     [2]int // how long its sampler has not run
	sinceFound int    // since a sampler or an edge found a contact open
	found      bool
	openings   [2]bool // which contact was found open in this stop
	lost       bool    // the adapter was unplugged in it
}

func play(b *bench, w *watcher, x byte) {
	b.time += time.Millisecond
	w.sinceFound++
	for i, p := range b.pins {
		isOpen := x&(firstOpen<<i) != 0 || x&unplugged != 0
		p.set(gpio.Level(x&(firstOpen<<i) == 0))
		p.unplug(x&unplugged != 0)
		w.openFor[i]++
		w.unseen[i]++
		if !isOpen {
			w.openFor[i] = 0
		}
		if x&(firstStalls<<i) == 0 {
			b.sample(i)
			w.unseen[i] = 0
			if isOpen {
				w.sinceFound, w.found = 0, true
				w.openings[i] = true
			}
		}
	}
	if x&firstEdge != 0 {
		b.publish(0, contactOpen, b.time)
		w.sinceFound, w.found = 0, true
		w.openings[0] = true
	}
	w.lost = w.lost || x&unplugged != 0
	if x&takeBack != 0 {
		b.Enable(false)
	}
	if x&renew != 0 {
		b.Enable(true)
	}
	_, stop := b.State()
	b.relay.step(stop)
}

func (w *watcher) check(t *testing.T, b *bench) {
	t.Helper()
	stopped, cause := b.State()
	if stopped != (cause != None) {
		t.Fatalf("stopped %v, but cause %q", stopped, cause)
	}
	if on, _ := b.Relay(); on && stopped {
		t.Fatalf("the relay is on and the cause is %q", cause)
	}
	if stopped {
		return
	}
	if w.openings[0] != w.openings[1] && !w.lost {
		t.Fatalf("runs after openings %v", w.openings)
	}
	w.openings, w.lost = [2]bool{}, false
	for i := range w.openFor {
		if w.openFor[i] > 20 {
			t.Fatalf("contact %d open for %d ms and not stopped", i, w.openFor[i])
		}
		if w.unseen[i] > 20 {
			t.Fatalf("contact %d unsampled for %d ms and not stopped", i, w.unseen[i])
		}
	}
	if w.found && w.sinceFound < 50 {
		t.Fatalf("runs %d ms after a contact was found open", w.sinceFound)
	}
}
