// Package race computes the state of a session from its events: phases, laps, penalties and classification. It is pure:
// events and times go in, standings come out. The state depends on the events alone. Those of the host must come in its
// order, and those of each rig in that rig's order; how they are mixed does not matter, and one that comes twice counts
// once. Laps count at their session times, so that a rig that was cut off for a while loses nothing.
package race

import (
	"fmt"
	"slices"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/kit/valid"
)

// Limits of what is kept, so that no member can fill the memory.
const (
	maxEvents = 8192 // of one member
	maxHosts  = 65536
	maxJoins  = 1024 // of one member, of those that change its data
	maxID     = 64   // length of an event's ID
	maxKnown  = 2 * session.MaxMembers
	forRigs   = 25_000 // events of the host: half of what the bus keeps of one member; the others are for race control
	maxSector = 8      // sectors of a lap, as in road/lap
)

// MaxSpeed is the highest mean speed of a lap that counts [m/s].
const MaxSpeed = 130

const second = 1_000_000_000 // [ns]

// State is the state of a session. The zero value is one without events.
type State struct {
	circuit   session.Circuit
	rules     session.Rules
	epoch     int64        // Unix time of session time 0 [ns]
	created   bool         // there is a session
	order     []session.ID // of the grid; nil if it is not fixed
	scheduled int64        // session time at which the start was fixed
	start     int64        // session time of the start; 0 if it is not fixed
	pauses    []span
	flag      session.Flag
	closed    int64  // session time of the end; 0 while it is open
	stopAsked int64  // session time of the last order to stop; 0 for none
	stopID    string // ID of that order
	last      int64  // session time of the newest event of the host
	notice    notice
	seen      map[string]bool // IDs of the host's events
	members   map[session.ID]*member
}

// span is a part of session time. to is 0 while it lasts.
type span struct{ from, to int64 }

type notice struct {
	text string
	at   int64
}

// member is a rig.
type member struct {
	id        session.ID
	slot      int
	entry     *session.Join // nil until it has joined
	entered   int64         // session time of its first Entered
	joins     int           // number of its Entered
	left      bool
	laps      []lap
	pits      []pit
	penalties []penalty
	stopped   int64  // session time of its last HasStopped that does not say to which stop
	answered  string // ID of the stop that its last HasStopped answers
	seen      map[string]bool
	dismissed map[string]bool
}

// lap is a lap as its rig sent it, and why it does not count, or "".
type lap struct {
	session.Lap
	id    string
	at    int64 // session time of its end
	fault string
}

type pit struct {
	at int64
	in bool
}

type penalty struct {
	at      int64
	seconds float64
	text    string
}

// Apply takes an event. from is the rig that sent it, or "" for the host. It returns an error if the event does not count,
// which says why; an event that comes again is no error.
func (s *State) Apply(from session.ID, e *session.Event) error {
	if e.ID == "" || len(e.ID) > maxID {
		return fmt.Errorf("an event has an ID of %d bytes: must be 1 to %d", len(e.ID), maxID)
	}
	if from == "" {
		return s.applyHost(e)
	}
	if e.Member != "" && e.Member != from {
		return fmt.Errorf("%s sends an event in another's name", from)
	}
	m := s.member(from)
	if m == nil {
		return fmt.Errorf("%s has not joined", from)
	}
	if m.seen[e.ID] {
		return nil
	}
	if len(m.seen) >= maxEvents {
		return fmt.Errorf("%s has sent %d events: no more are counted", from, maxEvents)
	}
	m.seen[e.ID] = true
	return s.applyRig(m, e)
}

// member returns a member, and makes it if it is new and there is room.
func (s *State) member(id session.ID) *member {
	m := s.members[id]
	if m == nil && len(s.members) < maxKnown {
		if s.members == nil {
			s.members = map[session.ID]*member{}
		}
		m = &member{id: id, seen: map[string]bool{}, dismissed: map[string]bool{}}
		s.members[id] = m
	}
	return m
}

func (s *State) applyRig(m *member, e *session.Event) error {
	switch e.Kind {
	case session.LapDone:
		if e.Lap == nil {
			return fmt.Errorf("%s sends a lap without its data", m.id)
		}
		m.laps = append(m.laps, lap{Lap: *e.Lap, id: e.ID, at: e.At})
		s.judge(m, len(m.laps)-1)
		if fault := m.laps[len(m.laps)-1].fault; fault != "" {
			return fmt.Errorf("lap %d of %s does not count: %s", e.Lap.Number, m.id, fault)
		}
	case session.PitEntry, session.PitExit:
		m.pits = append(m.pits, pit{e.At, e.Kind == session.PitEntry})
	case session.HasStopped:
		if e.Answers != "" {
			m.answered = e.Answers
		} else {
			m.stopped = max(m.stopped, e.At)
		}
	case session.Marked:
	default:
		return fmt.Errorf("%s sends an event that only the host may send", m.id)
	}
	return nil
}

// judge decides for each lap of a member, from an index on, whether it is possible.
func (s *State) judge(m *member, from int) {
	before := int64(0) // end of the last possible lap; 0 for none
	for i := range m.laps {
		l := &m.laps[i]
		if i >= from {
			l.fault = s.fault(m, l, before)
		}
		if l.fault == "" {
			before = l.at
		}
	}
}

// fault returns why a lap cannot have been driven, or "". before is the end of the lap before it, 0 for none.
func (s *State) fault(m *member, l *lap, before int64) string {
	const slack = second / 4 // the clock of a rig may have been corrected
	shortest := s.circuit.Length / MaxSpeed
	badSector := func(t float64) bool { return !(t >= 0 && t <= l.Time+0.01) }
	switch {
	case m.dismissed[l.id]:
		return "its time is impossible"
	case !valid.Finite(l.Time) || l.Time > 86400 || l.Number < 1 || len(l.Sectors) > maxSector || slices.ContainsFunc(l.Sectors, badSector):
		return "it has no possible time"
	case l.Time < shortest:
		return fmt.Sprintf("%.3f s, and the circuit takes %.1f s at %d m/s", l.Time, shortest, MaxSpeed)
	case l.at <= 0:
		return "it ends before the session began"
	case before != 0 && l.began() < before-slack:
		return "it begins before the lap before it has ended"
	}
	return ""
}

// began returns the session time at which a lap began, if it was not paused [ns].
func (l *lap) began() int64 { return l.at - int64(l.Time*second) }

func (s *State) applyHost(e *session.Event) error {
	if s.seen[e.ID] {
		return nil
	}
	if len(s.seen) >= maxHosts && e.Kind != session.Stopped {
		return fmt.Errorf("the session has %d events of race control: no more are kept; end it", maxHosts)
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[e.ID] = true
	s.last = max(s.last, e.At)
	switch e.Kind {
	case session.Created:
		if e.Circuit == nil || e.Rules == nil || s.created {
			return fmt.Errorf("the session is created twice, or without circuit and rules")
		}
		s.created, s.circuit, s.rules, s.epoch = true, *e.Circuit, *e.Rules, e.Epoch
	case session.Entered, session.Left, session.Penalized, session.Dismissed:
		return s.applyMember(e)
	default:
		s.applyControl(e)
	}
	return nil
}

// applyControl takes an event of the whole race.
func (s *State) applyControl(e *session.Event) {
	switch e.Kind {
	case session.Gridded:
		s.order = append([]session.ID{}, e.Order...)
	case session.Scheduled:
		s.scheduled, s.start = e.At, e.Start
	case session.Aborted:
		s.scheduled, s.start = 0, 0
		s.notice = notice{"start aborted", e.At}
	case session.PausedAt:
		if !s.Paused() {
			s.pauses = append(s.pauses, span{from: e.At})
		}
	case session.ResumedAt:
		if s.Paused() {
			s.pauses[len(s.pauses)-1].to = e.At
		}
	case session.Shown:
		s.flag = e.Flag
	case session.Said:
		s.notice = notice{e.Text, e.At}
		if e.Member != "" {
			s.notice.text = s.name(e.Member) + ": " + e.Text
		}
	case session.Stopped:
		s.stopAsked, s.stopID = e.At, e.ID
	case session.Closed:
		s.closed = max(e.At, 1)
	}
}

// applyMember takes an event of the host about one rig.
func (s *State) applyMember(e *session.Event) error {
	m := s.member(e.Member)
	if m == nil {
		return fmt.Errorf("%s is one member too many", e.Member)
	}
	switch e.Kind {
	case session.Entered:
		if m.joins >= maxJoins {
			return fmt.Errorf("%s has joined as another driver or with another car %d times; host another session", e.Member, maxJoins)
		}
		if e.Entry == nil || e.Slot < 0 || e.Slot >= session.MaxMembers {
			return fmt.Errorf("%s enters without its data", e.Member)
		}
		if m.entry == nil {
			m.entered = e.At
		}
		s.vacate(e.Slot, m)
		m.entry, m.slot, m.left = e.Entry, e.Slot, false
		m.joins++
	case session.Left:
		m.left = true
	case session.Penalized:
		m.penalties = append(m.penalties, penalty{e.At, e.Seconds, e.Text})
		s.notice = notice{fmt.Sprintf("%s: %s, %+g s", s.name(m.id), e.Text, e.Seconds), e.At}
	case session.Dismissed:
		s.Dismiss(m.id, e.Text)
		s.Dismiss(m.id, e.Laps...)
	}
	return nil
}

// vacate takes a slot from the rig that had it before, which has left.
func (s *State) vacate(slot int, to *member) {
	for _, m := range s.members {
		if m != to && m.entry != nil && m.slot == slot {
			m.entry = nil
		}
	}
}

// Dismiss lets laps of a member, by the IDs of their events, no longer count.
func (s *State) Dismiss(id session.ID, laps ...string) {
	if m := s.member(id); m != nil {
		for _, lap := range laps {
			m.dismissed[lap] = true
		}
		s.judge(m, 0)
	}
}

// name returns a member's driver, or its ID before it has joined.
func (s *State) name(id session.ID) string {
	if m := s.members[id]; m != nil && m.entry != nil {
		return m.entry.Driver
	}
	return string(id)
}
