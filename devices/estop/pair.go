package estop

import "time"

// reading is the state of a contact at one sample of its line.
type reading uint8

const (
	contactClosed     reading = iota // the line is high: the rig may run
	contactOpen                      // the line is low, or was low since the last sample
	contactUnreadable                // the line cannot be read
)

// sampleTimeout is the longest time between two samples of a line: a line that is sampled later is a stop.
const sampleTimeout = 20 * time.Millisecond

// contact has the present state of one contact, and its last opening.
type contact struct {
	state       reading
	sampled     bool          // it was sampled at least once
	sampledAt   time.Duration // time of the last sample
	closedSince time.Duration // time of the first sample of those in a row at which it was closed

	openedSinceRelease bool          // it has opened since the pair was released last
	lastClosedAt       time.Duration // time of the last closed sample before that opening
	openedAt           time.Duration // time of the first open sample
}

// sample adds what was read at the time at. After a gap without samples the closed time starts again,
// because the contact may have been open in between.
func (c *contact) sample(r reading, at time.Duration) {
	fresh := c.sampled && c.state == contactClosed && at-c.sampledAt <= sampleTimeout
	if r == contactClosed && !fresh {
		c.closedSince = at
	}
	switch {
	case r == contactUnreadable: // the line was lost; the contact did not open
		c.openedSinceRelease = false
	case r == contactOpen && c.sampled && c.state == contactClosed:
		c.openedSinceRelease, c.lastClosedAt, c.openedAt = true, c.sampledAt, at
	}
	c.state, c.sampledAt, c.sampled = r, at, true
}

// isReleased reports whether the contact has been closed for at least hold.
func (c *contact) isReleased(hold time.Duration) bool {
	return c.sampled && c.state == contactClosed && c.sampledAt-c.closedSince >= hold
}

// pair decides whether the rig must stop, from one contact or from two that must agree. It stops at the
// first open sample. It releases the stop only after all contacts have been closed for the debounce time
// and, if one of two has opened, only if both opened together: a welded contact shows in no other way.
type pair struct {
	contacts      []contact
	debounceTime  time.Duration // how long a contact must stay closed to count as released
	maxDifferTime time.Duration // how long the contacts may differ

	differs      bool          // the contacts differ now
	differsSince time.Duration // time since which they have differed
	disagreed    bool          // since the last release they have differed for too long
	bothOpened   bool          // since the last release they have opened together
	stuckContact Cause         // the contact that did not open with the other, until both open together; or None
	cause        Cause         // the present result
}

func newPair(n int, hold, agree time.Duration) pair {
	return pair{contacts: make([]contact, n), debounceTime: hold, maxDifferTime: agree, cause: Starting}
}

// sample adds a sample of contact i and returns the present cause of a stop, None if the rig may run.
func (p *pair) sample(i int, r reading, at time.Duration) Cause {
	p.contacts[i].sample(r, at)
	if len(p.contacts) == 2 {
		p.compare(at)
	}
	p.cause = p.currentCause()
	return p.cause
}

// compare compares the two contacts at the time at.
func (p *pair) compare(at time.Duration) {
	a, b := &p.contacts[0], &p.contacts[1]
	p.bothOpened = a.openedSinceRelease && b.openedSinceRelease && (p.bothOpened || p.openedTogether())
	differ := a.sampled && b.sampled && (a.state == contactClosed) != (b.state == contactClosed)
	if differ && !p.differs {
		p.differsSince = at
	}
	p.differs = differ
	if !differ || at-p.differsSince <= p.maxDifferTime {
		return
	}
	p.disagreed = true
	// If both opened together, the open contact only closes late and the other one is not stuck.
	if (a.state == contactOpen || b.state == contactOpen) && !p.openedTogether() {
		p.bothOpened = false
		p.setStuckContact()
	}
}

// openedTogether reports whether the last openings of both contacts lie within maxDifferTime, as far as the
// samples show.
func (p *pair) openedTogether() bool {
	a, b := &p.contacts[0], &p.contacts[1]
	return a.openedSinceRelease && b.openedSinceRelease && max(a.lastClosedAt-b.openedAt, b.lastClosedAt-a.openedAt) <= p.maxDifferTime
}

// setStuckContact sets which contact did not open with the other one, unless one is set already.
func (p *pair) setStuckContact() {
	if p.stuckContact != None {
		return
	}
	a, b := &p.contacts[0], &p.contacts[1]
	isFirstStuck := a.state == contactClosed
	if b.state == contactClosed && isFirstStuck { // both are closed again: the stuck one opened longer ago, or never
		isFirstStuck = !a.openedSinceRelease || b.openedSinceRelease && a.openedAt < b.openedAt
	}
	if p.stuckContact = SecondStuckClosed; isFirstStuck {
		p.stuckContact = FirstStuckClosed
	}
}

// currentCause returns the cause of a stop after a sample, None if the rig may run.
func (p *pair) currentCause() Cause {
	if p.isReleased() {
		return p.release()
	}
	worst := p.worstReading()
	switch {
	case p.stuckContact != None:
		return p.stuckContact
	case p.disagreed:
		return Disagreement
	case worst == contactUnreadable:
		return Unreadable
	case worst == contactOpen:
		return Opened
	case p.cause == None: // the contacts are closed, but were not sampled for too long
		return NotSampled
	}
	return p.cause // until the contacts have been closed for the debounce time
}

// release ends a stop and returns None, unless a contact has opened without the other one, now or earlier.
func (p *pair) release() Cause {
	if len(p.contacts) == 2 && !p.bothOpened && (p.contacts[0].openedSinceRelease || p.contacts[1].openedSinceRelease) {
		p.setStuckContact()
	}
	if p.bothOpened {
		p.stuckContact = None
	}
	if p.stuckContact != None {
		return p.stuckContact
	}
	for i := range p.contacts {
		p.contacts[i].openedSinceRelease = false
	}
	p.disagreed, p.bothOpened = false, false
	return None
}

// isReleased reports whether all contacts are released.
func (p *pair) isReleased() bool {
	for i := range p.contacts {
		if !p.contacts[i].isReleased(p.debounceTime) {
			return false
		}
	}
	return true
}

// worstReading returns the most serious state of the contacts.
func (p *pair) worstReading() (r reading) {
	for _, c := range p.contacts {
		r = max(r, c.state)
	}
	return r
}
