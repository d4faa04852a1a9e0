package estop

import "time"

// reading is what one look at a line found.
type reading uint8

const (
	shut reading = iota // the line is high: may run
	open                // the line is low, or was since the last look
	lost                // the line cannot be read
)

// staleAfter is how long a line may go without being sampled.
const staleAfter = 20 * time.Millisecond

// contact is one contact's history, as far as it matters.
type contact struct {
	now   reading
	seen  bool          // it was sampled at all
	at    time.Duration // when it was sampled last
	since time.Duration // since when it has been shut

	opened bool          // it was seen to open, and is there still
	before time.Duration // when it was seen shut, the last time before
	fell   time.Duration // when it was seen open then
}

// sample takes note of what was read at the moment at. What happened in a gap
// is unknown, so the time of being shut starts anew behind it.
func (c *contact) sample(r reading, at time.Duration) {
	fresh := c.seen && c.now == shut && at-c.at <= staleAfter
	if r == shut && !fresh {
		c.since = at
	}
	switch {
	case r == lost: // then it was not the contact that opened
		c.opened = false
	case r == open && c.seen && c.now == shut:
		c.opened, c.before, c.fell = true, c.at, at
	}
	c.now, c.at, c.seen = r, at, true
}

// released tells whether it has been seen shut for as long as hold.
func (c *contact) released(hold time.Duration) bool {
	return c.seen && c.now == shut && c.at-c.since >= hold
}

// pair judges one contact, or two that must agree. It stops at the first open
// sample and lets go only when all contacts have been shut for a while, and, if one
// opened, both were seen to open together: a welded contact shows nowhere else.
type pair struct {
	contacts []contact
	hold     time.Duration // how long a released contact must stay so
	agree    time.Duration // how long contacts may differ

	differ  bool          // they differ now
	since   time.Duration // since when
	faulty  bool          // they differed for too long, and were not both released since
	proved  bool          // both opened together, and were not both released since
	stuck   Cause         // which did not open with the other, until both do; else None
	verdict Cause
}

func newPair(n int, hold, agree time.Duration) pair {
	return pair{contacts: make([]contact, n), hold: hold, agree: agree, verdict: Starting}
}

// sample takes note of contact i and returns the verdict, None for "may run".
func (p *pair) sample(i int, r reading, at time.Duration) Cause {
	p.contacts[i].sample(r, at)
	if len(p.contacts) == 2 {
		p.compare(at)
	}
	p.verdict = p.judge()
	return p.verdict
}

func (p *pair) compare(at time.Duration) {
	a, b := &p.contacts[0], &p.contacts[1]
	p.proved = a.opened && b.opened && (p.proved || p.together())
	differ := a.seen && b.seen && (a.now == shut) != (b.now == shut)
	if differ && !p.differ {
		p.since = at
	}
	p.differ = differ
	if !differ || at-p.since <= p.agree {
		return
	}
	p.faulty = true
	if (a.now == open || b.now == open) && !p.together() { // not one that closes late
		p.proved = false
		p.accuse()
	}
}

// together tells whether both contacts opened last within the time of agreement, as far
// as samples tell.
func (p *pair) together() bool {
	a, b := &p.contacts[0], &p.contacts[1]
	return a.opened && b.opened && max(a.before-b.fell, b.before-a.fell) <= p.agree
}

// accuse names the contact that did not open with the other one, unless one is named.
func (p *pair) accuse() {
	if p.stuck != None {
		return
	}
	a, b := &p.contacts[0], &p.contacts[1]
	first := a.now == shut
	if b.now == shut && first { // both are shut again: it is the one that opened longer ago, or never
		first = !a.opened || b.opened && a.fell < b.fell
	}
	if p.stuck = SecondShut; first {
		p.stuck = FirstShut
	}
}

func (p *pair) judge() Cause {
	if p.released() {
		return p.release()
	}
	worst := p.worst()
	switch {
	case p.stuck != None:
		return p.stuck
	case p.faulty:
		return Disagree
	case worst == lost:
		return Lost
	case worst == open:
		return Opened
	case p.verdict == None: // shut, but not sampled for a while
		return Stale
	}
	return p.verdict // until the release has lasted
}

// release lets go of a stop, unless a contact opened that time or before without the other.
func (p *pair) release() Cause {
	if len(p.contacts) == 2 && !p.proved && (p.contacts[0].opened || p.contacts[1].opened) {
		p.accuse()
	}
	if p.proved {
		p.stuck = None
	}
	if p.stuck != None {
		return p.stuck
	}
	for i := range p.contacts {
		p.contacts[i].opened = false
	}
	p.faulty, p.proved = false, false
	return None
}

func (p *pair) released() bool {
	for i := range p.contacts {
		if !p.contacts[i].released(p.hold) {
			return false
		}
	}
	return true
}

func (p *pair) worst() (r reading) {
	for _, c := range p.contacts {
		r = max(r, c.now)
	}
	return r
}
