package dash

import (
	"net/netip"
	"sync"
	"time"
)

// window counts events and says whether a number of them has happened within a period.
type window struct {
	period time.Duration
	times  []time.Time // of the newest events, a ring
	oldest int         // index of the oldest in times
}

// newWindow returns a window that is full after count events within a period.
func newWindow(count int, period time.Duration) *window {
	return &window{period: period, times: make([]time.Time, count)}
}

func (w *window) full(now time.Time) bool { return now.Sub(w.times[w.oldest]) < w.period }

func (w *window) add(now time.Time) {
	w.times[w.oldest] = now
	w.oldest = (w.oldest + 1) % len(w.times)
}

// newest returns the time of the newest event.
func (w *window) newest() time.Time { return w.times[(w.oldest+len(w.times)-1)%len(w.times)] }

// rate limits how often something may happen.
type rate struct {
	mu     sync.Mutex
	window *window
}

// allow counts one more event, or returns false if there were too many within the period.
func (r *rate) allow(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.window.full(now) {
		return false
	}
	r.window.add(now)
	return true
}

const (
	maxGuesses   = 10 // wrong tokens from one address within guessPeriod
	guessPeriod  = time.Minute
	maxAddresses = 1024 // that guesses remembers
)

// guesses counts wrong tokens by the address that sent them. The zero guesses is ready to use.
type guesses struct {
	mu        sync.Mutex
	byAddress map[netip.Addr]*window
}

// blocked reports whether an address has sent too many wrong tokens.
func (g *guesses) blocked(a netip.Addr, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	w := g.byAddress[a]
	return w != nil && w.full(now)
}

// add counts a wrong token.
func (g *guesses) add(a netip.Addr, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w := g.byAddress[a]
	if w == nil {
		g.makeRoom(now)
		w = newWindow(maxGuesses, guessPeriod)
		g.byAddress[a] = w
	}
	w.add(now)
}

// makeRoom forgets addresses without a recent wrong token if there are many, or else any one of them.
func (g *guesses) makeRoom(now time.Time) {
	if g.byAddress == nil {
		g.byAddress = map[netip.Addr]*window{}
	}
	if len(g.byAddress) < maxAddresses {
		return
	}
	for a, w := range g.byAddress {
		if now.Sub(w.newest()) >= guessPeriod {
			delete(g.byAddress, a)
		}
	}
	for a := range g.byAddress {
		if len(g.byAddress) < maxAddresses {
			return
		}
		delete(g.byAddress, a)
	}
}
