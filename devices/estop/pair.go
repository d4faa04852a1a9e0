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
}

// sample takes note of what was read at the moment at. What happened in a gap
// is unknown, so the time of being shut starts anew behind it.
func (c *contact) sample(r reading, at time.Duration) {
	fresh := c.seen && c.now == shut && at-c.at <= staleAfter
	if r == shut && !fresh {
		c.since = at
	}
	c.now, c.at, c.seen = r, at, true
}

// released tells whether it has been seen shut for as long as hold.
func (c *contact) released(hold time.Duration) bool {
	return c.seen && c.now == shut && c.at-c.since >= hold
}

// pair judges one contact, or two that must agree. It stops at the first open
// sample and lets go only when all contacts have been shut for a while.
type pair struct {
	contacts []contact
	hold     time.Duration // how long a released contact must stay so
	agree    time.Duration // how long contacts may differ

	differ  bool          // they differ now
	since   time.Duration // since when
	faulty  bool          // they differed for too long, and were not both released since
	verdict Cause
}

func newPair(n int, hold, agree time.Duration) pair {
	return pair{contacts: make([]contact, n), hold: hold, agree: agree, verdict: Starting}
}

// sample takes note of contact i and returns the verdict, None for "may run".
func (p *pair) sample(i int, r reading, at time.Duration) Cause {
	p.contacts[i].sample(r, at)
	p.compare(at)
	p.verdict = p.judge()
	return p.verdict
}

func (p *pair) compare(at time.Duration) {
	differ := false
	for _, c := range p.contacts[1:] {
		differ = c.seen && p.contacts[0].seen && (c.now == shut) != (p.contacts[0].now == shut)
	}
	if differ && !p.differ {
		p.since = at
	}
	p.differ = differ
	if differ && at-p.since > p.agree {
		p.faulty = true
	}
}

func (p *pair) judge() Cause {
	if p.released() {
		p.faulty = false
		return None
	}
	worst := p.worst()
	switch {
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
