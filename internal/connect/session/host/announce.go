package host

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/race"
)

// boardPeriod is how often the host announces the state of the race.
const boardPeriod = time.Second / 4

// goneAfter is how long a rig may be silent before it counts as retired [ns]. It is in again as soon as it is heard.
const goneAfter = 120 * second

// Announce publishes the board, and decides what follows from the time: penalties for jump starts, rigs that do not
// come back, and the end of the race.
func (h *Host) Announce() {
	h.mu.Lock()
	defer h.mu.Unlock()
	lives := h.relay.lives()
	h.storeDue(append(h.decide(lives[:]), h.dismissals()...))
	h.saveResults()
	if err := h.bus.Publish(session.BoardSubject(h.Session), h.board(lives[:])); err != nil {
		h.Log.Debug("board", "error", err)
	}
}

// failurePause is how long the host waits until it tries again to keep what was not kept [ns].
const failurePause = 5 * second

// storeDue keeps events that are due. Those that are not kept become due again.
func (h *Host) storeDue(due []session.Event) {
	if h.now() < h.decideAt {
		return
	}
	for _, e := range due {
		if err := h.store(context.Background(), e); err != nil {
			h.Log.Error("event not kept", "error", err)
			h.decideAt = h.now() + failurePause
			return
		}
		h.dismissalKept(&e)
	}
}

// saveResults keeps the results of a session that has ended if they have changed.
func (h *Host) saveResults() {
	now := h.now()
	if !h.unsaved || h.Results == nil || now < h.saveAt || h.race.Phase(now) != session.Ended {
		return
	}
	if err := h.Results(h.race.Results(h.Session, now)); err != nil {
		h.Log.Error("results not kept", "error", err)
		h.saveAt = now + failurePause
		return
	}
	h.unsaved = false
}

// decide returns the events that are due.
func (h *Host) decide(lives []live) (due []session.Event) {
	now := h.now()
	start, _ := h.race.Start()
	for _, e := range h.race.Entries() {
		l := lives[e.Slot]
		id := fmt.Sprintf("jump-%d-%s", start, e.ID)
		if l.jumped && !h.race.Has("", id) {
			due = append(due, session.Event{ID: id, Kind: session.Penalized, Member: e.ID, Seconds: h.race.Rules().JumpPenalty, Text: "jump start"})
		}
		entry, _ := h.race.Entry(e.ID)
		switch {
		case !e.Left && now > max(l.heard, h.begun)+goneAfter && h.race.RoomForRigs():
			due = append(due, session.Event{Kind: session.Left, Member: e.ID})
		case e.Left && l.heard != 0 && now < l.heard+presentFor && h.race.MayEnter(e.ID):
			due = append(due, session.Event{Kind: session.Entered, Member: e.ID, Slot: e.Slot, Entry: entry})
		}
	}
	if h.race.MayClose(now) {
		due = append(due, session.Event{Kind: session.Closed})
	}
	return due
}

// board returns the state of the race with what the packets tell: who is there, and places and gaps between the lines.
func (h *Host) board(lives []live) session.Board {
	now := h.now()
	b := h.race.Board(h.Session, now)
	if h.notice != "" && now < h.noticeAt+10*second && b.Notice == "" {
		b.Notice = h.notice
	}
	slots := map[session.ID]int{}
	for i := range b.Entries {
		e := &b.Entries[i]
		slots[e.ID] = e.Slot
		e.Present = !e.Left && lives[e.Slot].heard != 0 && now < lives[e.Slot].heard+presentFor
	}
	for i := range b.Standings {
		s := &b.Standings[i]
		if at := lives[slots[s.Member]]; (s.Status == "driving" || s.Status == "pit") && (at.heard == 0 || now >= at.heard+presentFor) {
			s.Status = "absent"
		}
	}
	if b.Phase == session.Racing || b.Phase == session.Finishing {
		h.setLive(&b, lives, slots)
	}
	return b
}

// setLive sets places and gaps by where the cars are, for those that have not finished.
func (h *Host) setLive(b *session.Board, lives []live, slots map[session.ID]int) {
	if len(b.Standings) == 0 {
		return
	}
	progress := func(s *session.Standing) float64 {
		if l := lives[slots[s.Member]]; l.known && s.Status != "finished" {
			return l.driven
		}
		return float64(s.Laps) * h.Circuit.Length
	}
	slices.SortStableFunc(b.Standings, func(a, c session.Standing) int { return cmp.Compare(progress(&c), progress(&a)) })
	first := &b.Standings[0]
	leader := slots[first.Member]
	for i := range b.Standings {
		s := &b.Standings[i]
		s.Place = i + 1
		l := lives[slots[s.Member]]
		if !l.known || s.Status == "finished" || first.Status == "finished" || !lives[leader].known {
			continue
		}
		s.LapsDown = int(math.Floor((lives[leader].driven - l.driven) / h.Circuit.Length))
		s.Gap = -1
		if at, ok := h.relay.when(leader, l.driven); ok {
			s.Gap = max(0, float64(h.race.RaceTime(l.at)-h.race.RaceTime(at))/second)
		}
	}
}

// answers are those that need not be computed for each question. They are never changed.
type answers struct {
	at      int64 // session time [ns]
	changes int   // of the race until then
	board   *session.Board
	results *race.Results
}

// refresh forgets answers that may have changed since.
func (h *Host) refresh() {
	if now := h.now(); h.fresh.changes != h.changes || now-h.fresh.at >= int64(boardPeriod) {
		h.fresh = answers{at: now, changes: h.changes}
	}
}

// query answers what anybody may ask.
func (h *Host) query(data []byte) any {
	var q session.Query
	if len(data) > maxMessage || json.Unmarshal(data, &q) != nil {
		return session.Answer{Error: "the question cannot be read; all must have the same build of rig"}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refresh()
	if !q.Results {
		if h.fresh.board == nil {
			lives := h.relay.lives()
			board := h.board(lives[:])
			h.fresh.board = &board
		}
		return *h.fresh.board
	}
	if h.fresh.results == nil {
		results := h.race.Results(h.Session, h.now())
		h.fresh.results = &results
	}
	results := *h.fresh.results
	rigs := results.Rigs
	results.Rigs = nil
	for _, rig := range rigs {
		if rig.Member == q.Member {
			rig.Laps = fitting(rig.Laps[max(0, min(q.From, len(rig.Laps))):])
			rig.Penalties = rig.Penalties[max(0, len(rig.Penalties)-mostPenalties):]
			results.Standings, results.Rigs = nil, append(results.Rigs, rig)
		}
	}
	return results
}

// mostPenalties is how many penalties of a rig an answer has: the newest.
const mostPenalties = 10

// fitting returns the laps, from the first on, that fit into an answer with everything else that it holds.
func fitting(laps []race.Lap) []race.Lap {
	const room = 32 << 10 // [bytes]
	size := 0
	for i := range laps {
		data, _ := json.Marshal(&laps[i]) // its numbers are finite
		if size += len(data) + 1; size > room {
			return laps[:i]
		}
	}
	return laps
}

// Refusals returns how many packets were refused, by cause, in words.
func (h *Host) Refusals() string { return h.relay.refusals() }

// RaceRules returns the rules of the race.
func (h *Host) RaceRules() session.Rules {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.race.Rules()
}
