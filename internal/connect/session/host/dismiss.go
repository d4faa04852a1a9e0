package host

import "rig.example/rig/internal/connect/session"

// Limits of the events about laps with an impossible time. A rig may send thousands of such laps.
const (
	dismissedAlone    = 20          // laps of a rig with an event of their own
	dismissedTogether = 32          // that share one later; their IDs fit into an event
	dismissedWait     = 60 * second // at most, until such an event is kept [ns]
)

// dismissed are laps of a rig of which the event is not kept yet.
type dismissed struct {
	laps  []string
	since int64 // session time of the first one
}

// dismissLater dismisses a lap now, and lets its event be kept later, together with others. h.mu must be held.
func (h *Host) dismissLater(from session.ID, lap string) {
	h.race.Dismiss(from, lap)
	h.changes++
	d := h.dismissed[from]
	if d == nil {
		d = &dismissed{since: h.now()}
		h.dismissed[from] = d
	}
	d.laps = append(d.laps, lap)
}

// dismissals returns the events for dismissed laps that are due, at most one for each rig.
func (h *Host) dismissals() (due []session.Event) {
	if !h.race.RoomForRigs() {
		return nil
	}
	for id, d := range h.dismissed {
		if n := min(len(d.laps), dismissedTogether); n == dismissedTogether || h.now() >= d.since+dismissedWait {
			due = append(due, session.Event{Kind: session.Dismissed, Member: id, Text: d.laps[0], Laps: d.laps[1:n]})
		}
	}
	return due
}

// dismissalKept notes that an event of dismissals is kept.
func (h *Host) dismissalKept(e *session.Event) {
	d := h.dismissed[e.Member]
	if e.Kind != session.Dismissed || d == nil {
		return
	}
	if d.laps = d.laps[1+len(e.Laps):]; len(d.laps) == 0 {
		delete(h.dismissed, e.Member)
	}
}
