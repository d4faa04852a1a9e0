package evdev

// eventRingSize is the number of events that an Input stores, a power of two.
const eventRingSize = 256

// eventRing stores the last events of an Input for readers that need every press of a button: the state
// alone does not show a press that ended within the same tick.
type eventRing struct {
	count uint64 // position after the newest event; skip adds more than the ring holds, so that readers see a loss
	ring  [eventRingSize]Event
}

// put adds an event.
func (r *eventRing) put(ev *Event) {
	r.ring[r.count%eventRingSize] = *ev
	r.count++
}

// skip makes the next NextEvent of every reader report lost events.
func (r *eventRing) skip() { r.count += eventRingSize + 1 }

// EventEnd returns the position after the newest event, from which NextEvent can start.
func (in *Input) EventEnd() uint64 { return in.events.count }

// NextEvent returns the event of a button or axis at the position at, and advances at. ev is nil if there is
// none yet. lost reports whether events were lost, so that the reader must read the whole state instead.
func (in *Input) NextEvent(at *uint64) (ev *Event, lost bool) {
	r := &in.events
	if r.count-*at > eventRingSize {
		*at = r.count
		return nil, true
	}
	if *at == r.count {
		return nil, false
	}
	ev = &r.ring[*at%eventRingSize]
	*at++
	return ev, false
}
