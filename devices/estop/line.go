package estop

import (
	"sync"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/gpio"
)

const (
	presenceInterval = 100 * time.Millisecond // between two checks whether the adapter of a low line is still present
	rearmInterval    = 500 * time.Millisecond // between two attempts to use a lost line again
	edgeTimeout      = 100 * time.Millisecond // of one wait for an edge; each wait allocates in the library
	noEdgePause      = 10 * time.Millisecond  // between two checks whether there is an edge to wait for
)

// line reads one contact. One goroutine polls it with read and checkPresent, another waits in
// waitForOpening.
type line struct {
	pin      gpio.PinIn
	pull     gpio.Pull
	isClosed atomic.Bool // the contact is closed, so that its opening can be waited for

	mu       sync.Mutex // held while the line is being waited on or set up
	hasEdges bool       // the adapter reports edges

	// The following fields belong to the polling goroutine.
	unreadable        bool          // the line cannot be read
	wasLow            bool          // it was low at the last read
	presenceUnchecked bool          // it became low, and checkPresent has not checked yet that its adapter is present
	nextCheck         time.Duration // time of the next regular checkPresent
}

// arm makes the line an input that reports the opening of the contact by an edge. If the adapter has no
// edges, the line is only polled. arm fails if the line cannot be used.
func (l *line) arm() error {
	l.hasEdges = true
	if l.pin.In(l.pull, gpio.FallingEdge) == nil {
		return nil
	}
	l.hasEdges = false
	return l.pin.In(l.pull, gpio.NoEdge)
}

// waitForOpening waits for at most edgeTimeout until the contact opens, and reports whether it did.
func (l *line) waitForOpening() bool {
	start := time.Now()
	if l.waitForEdge() {
		return true
	}
	time.Sleep(noEdgePause - time.Since(start)) // waitForEdge returns at once if there is no edge to wait for
	return false
}

func (l *line) waitForEdge() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.hasEdges && l.isClosed.Load() && l.pin.WaitForEdge(edgeTimeout)
}

// read samples the line. After the line became low, it counts as open without further reads until
// checkPresent has run, because the library logs every read that fails.
func (l *line) read() reading {
	switch {
	case l.unreadable:
		return contactUnreadable
	case l.presenceUnchecked:
		return contactOpen
	}
	low := l.pin.Read() == gpio.Low
	l.presenceUnchecked = low && !l.wasLow
	l.wasLow = low
	l.isClosed.Store(!low)
	if low {
		return contactOpen
	}
	return contactClosed
}

// checkPresent checks, when that is due, whether the adapter of a low line was unplugged: Read returns low
// then, and no error. It may take a while, so it runs after the stop was published.
func (l *line) checkPresent(now time.Duration) {
	due := l.presenceUnchecked || (l.wasLow || l.unreadable) && now >= l.nextCheck
	if !due || !l.mu.TryLock() {
		return
	}
	defer l.mu.Unlock()
	l.presenceUnchecked = false
	l.unreadable = l.arm() != nil
	l.nextCheck = now + presenceInterval
	if l.unreadable {
		l.nextCheck = now + rearmInterval
	}
}
