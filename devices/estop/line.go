package estop

import (
	"sync"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/gpio"
)

const (
	doubtEvery = 100 * time.Millisecond // how often a low line is asked whether it is still there
	retryEvery = 500 * time.Millisecond // how often a lost line is tried again
	listenFor  = 100 * time.Millisecond // one wait for an edge; each costs the library some garbage
	idle       = 10 * time.Millisecond  // between two looks whether there is an edge to wait for
)

// line reads one contact. One goroutine polls it with read and doubt, another
// waits in fell.
type line struct {
	pin  gpio.PinIn
	pull gpio.Pull
	shut atomic.Bool // it may open: there is an edge to wait for

	busy  sync.Mutex // held while the line is being waited on or set up
	edges bool       // the adapter reports edges

	// What only the polling goroutine uses.
	lost bool          // the line cannot be read
	low  bool          // it read low the last time
	odd  bool          // it became low and was not doubted yet
	next time.Duration // when a low line is doubted, or a lost one tried, again
}

// arm makes the line an input that reports openings, or one that is only
// polled if its adapter knows no edges. It fails if the line is gone.
func (l *line) arm() error {
	l.edges = true
	if l.pin.In(l.pull, gpio.FallingEdge) == nil {
		return nil
	}
	l.edges = false
	return l.pin.In(l.pull, gpio.NoEdge)
}

// fell waits a while for the contact to open, and tells whether it did.
func (l *line) fell() bool {
	start := time.Now()
	if l.edge() {
		return true
	}
	time.Sleep(idle - time.Since(start)) // a line without edges, or a broken one, does not wait
	return false
}

func (l *line) edge() bool {
	l.busy.Lock()
	defer l.busy.Unlock()
	return l.edges && l.shut.Load() && l.pin.WaitForEdge(listenFor)
}

// read looks at the line. One that became low counts as open, unseen, until it
// was doubted: the library logs each failed look.
func (l *line) read() reading {
	switch {
	case l.lost:
		return lost
	case l.odd:
		return open
	}
	low := l.pin.Read() == gpio.Low
	l.odd = low && !l.low
	l.low = low
	l.shut.Store(!low)
	if low {
		return open
	}
	return shut
}

// doubt finds out whether a line that reads low is one that is gone, for Read
// has no error. It may take a while and comes after the stop is known.
func (l *line) doubt(now time.Duration) {
	due := l.odd || (l.low || l.lost) && now >= l.next
	if !due || !l.busy.TryLock() {
		return
	}
	defer l.busy.Unlock()
	l.odd = false
	l.lost = l.arm() != nil
	l.next = now + doubtEvery
	if l.lost {
		l.next = now + retryEvery
	}
}
