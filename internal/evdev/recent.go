package evdev

// recentEvents is how many events an Input remembers, a power of two.
const recentEvents = 256

// recent are the last events of an Input, for those who need every press: the
// state alone forgets one that ended within a tick.
type recent struct {
	count uint64 // of all events so far
	ring  [recentEvents]Event
}

func (r *recent) put(ev *Event) {
	r.ring[r.count%recentEvents] = *ev
	r.count++
}

// gap makes everyone who reads later miss something.
func (r *recent) gap() { r.count += recentEvents + 1 }

// Seen returns the place behind the newest event, to begin with Next.
func (in *Input) Seen() uint64 { return in.recent.count }

// Next returns the event of a button or axis at the place at, and moves that
// on; nil when there is none yet. lost tells that events were lost between, so
// that the state must be looked at as a whole.
func (in *Input) Next(at *uint64) (ev *Event, lost bool) {
	r := &in.recent
	if r.count-*at > recentEvents {
		*at = r.count
		return nil, true
	}
	if *at == r.count {
		return nil, false
	}
	ev = &r.ring[*at%recentEvents]
	*at++
	return ev, false
}
