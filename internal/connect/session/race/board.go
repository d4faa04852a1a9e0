package race

import (
	"cmp"
	"slices"

	"rig.example/rig/internal/connect/session"
)

// Times of the board [ns].
const (
	noticeFor = 30 * second   // a notice is shown
	stopFor   = 30 * second   // the ID of a stop is announced
	aloneFor  = 3600 * second // the laps of a rig that drives alone put the time forward, at most
)

// Created reports whether the session has its first event.
func (s *State) Created() bool { return s.created }

// Circuit returns the road of the session.
func (s *State) Circuit() session.Circuit { return s.circuit }

// Rules returns the rules of the race.
func (s *State) Rules() session.Rules { return s.rules }

// Epoch returns the Unix time of session time 0 [ns].
func (s *State) Epoch() int64 { return s.epoch }

// Last returns a session time that has passed for sure [ns]: that of the newest event of the host, or of the newest lap. As
// one rig alone must not put the time forward, the laps of two must be as new, if more than one has driven.
func (s *State) Last() int64 {
	first, next := int64(0), int64(0) // newest lap of a rig, and of any other
	for _, m := range s.members {
		newest := int64(0)
		for i := range m.laps {
			if l := &m.laps[i]; l.fault == "" {
				newest = max(newest, l.at)
			}
		}
		first, next = max(first, newest), max(next, min(first, newest))
	}
	if next == 0 {
		next = min(first, s.last+aloneFor)
	}
	return max(s.last, next)
}

// RoomForRigs reports whether the host may keep another event that a rig causes. What is left is for race control.
func (s *State) RoomForRigs() bool { return len(s.seen) < forRigs }

// MayEnter reports whether another Entered of a member counts.
func (s *State) MayEnter(id session.ID) bool {
	m := s.members[id]
	return s.RoomForRigs() && (m == nil && len(s.members) < maxKnown || m != nil && m.joins < maxJoins)
}

// Dismissals returns how many laps of a member were dismissed.
func (s *State) Dismissals(id session.ID) int {
	if m := s.members[id]; m != nil {
		return len(m.dismissed)
	}
	return 0
}

// Paused reports whether race control has paused the session.
func (s *State) Paused() bool { return len(s.pauses) > 0 && s.pauses[len(s.pauses)-1].to == 0 }

// Start returns the session time of the start, and of the moment when it was fixed [ns]; 0 if it is not fixed.
func (s *State) Start() (start, scheduled int64) { return s.start, s.scheduled }

// GridPlace returns the place of a member on the grid, from 1, or 0.
func (s *State) GridPlace(id session.ID) int { return slices.Index(s.order, id) + 1 }

// LinesOf returns how many laps of the race a member has ended, and the session time of the last one [ns].
func (s *State) LinesOf(id session.ID, now int64) (laps int, last int64) {
	if m := s.members[id]; m != nil && s.start != 0 {
		if lines := s.lines(m, now); len(lines) > 0 {
			return len(lines), lines[len(lines)-1].at
		}
	}
	return 0, 0
}

// Slot returns the number of a member in packets: that which it has, or else the lowest free one, or else the lowest of a rig
// that has left and has no laps. ok is false if all are taken.
func (s *State) Slot(id session.ID) (slot int, ok bool) {
	var taken, inUse [session.MaxMembers]bool
	for _, m := range s.members {
		if m.entry != nil {
			if m.id == id {
				return m.slot, true
			}
			taken[m.slot] = true
			inUse[m.slot] = !m.left || len(m.laps) > 0
		}
	}
	if slot = slices.Index(taken[:], false); slot < 0 {
		slot = slices.Index(inUse[:], false)
	}
	return slot, slot >= 0
}

// Has reports whether an event of a rig, or of the host for "", has been applied.
func (s *State) Has(from session.ID, id string) bool {
	if from == "" {
		return s.seen[id]
	}
	m := s.members[from]
	return m != nil && m.seen[id]
}

// Entry returns the data with which a member has joined, or nil, and whether it has left.
func (s *State) Entry(id session.ID) (entry *session.Join, left bool) {
	if m := s.members[id]; m != nil {
		return m.entry, m.left
	}
	return nil, false
}

// Phase returns what the session is at.
func (s *State) Phase(now int64) session.Phase { return s.phase(s.rows(now), now) }

func (s *State) phase(rows []row, now int64) session.Phase {
	switch {
	case s.closed != 0:
		return session.Ended
	case s.start != 0 && now < s.start:
		return session.Countdown
	case s.start != 0 && slices.ContainsFunc(rows, func(r row) bool { return r.finish != 0 }):
		return session.Finishing
	case s.start != 0:
		return session.Racing
	case s.order != nil:
		return session.Grid
	}
	return session.Practice
}

// MayClose reports whether the race is over: the winner has finished, and so has everybody else who drives, or the time
// for it has passed.
func (s *State) MayClose(now int64) bool {
	rows := s.rows(now)
	if s.phase(rows, now) != session.Finishing {
		return false
	}
	first, open := int64(0), false
	for _, r := range rows {
		if r.finish != 0 && (first == 0 || r.finish < first) {
			first = r.finish
		}
		open = open || r.finish == 0 && !r.m.left && (r.Grid > 0 || r.Laps > 0)
	}
	return !open || float64(s.RaceTime(now)-s.RaceTime(first)) >= s.rules.FinishTimeout*second
}

// Board returns what the host announces at a session time. Whether rigs are present is not known here.
func (s *State) Board(name session.ID, now int64) session.Board {
	rows := s.rows(now)
	b := session.Board{Session: name, Now: now, Phase: s.phase(rows, now), Paused: s.Paused(), Start: s.start, Rules: s.rules, Entries: s.Entries()}
	b.Flag = s.shown(b.Phase, now)
	if now < s.notice.at+noticeFor && s.notice.at != 0 {
		b.Notice = s.notice.text
	}
	if s.stopAsked != 0 && now < s.stopAsked+stopFor {
		b.Stop = s.stopID
	}
	for _, r := range rows {
		b.Standings = append(b.Standings, r.Standing)
		b.LapsLeft = max(s.rules.Laps-rows[0].Laps, 0)
	}
	if s.rules.Duration > 0 {
		b.TimeLeft = s.rules.Duration
		if s.start != 0 && now > s.start {
			b.TimeLeft = max(0, s.rules.Duration-float64(s.RaceTime(now))/second)
		}
	}
	return b
}

// shown returns the flag: that of race control, or else that of the phase.
func (s *State) shown(p session.Phase, now int64) session.Flag {
	switch {
	case s.flag != session.NoFlag:
		return s.flag
	case p == session.Finishing || p == session.Ended:
		return session.Checkered
	case p == session.Racing && now < s.start+10*second:
		return session.Green
	}
	return session.NoFlag
}

// Entries returns the members that have joined, by slot.
func (s *State) Entries() (list []session.Member) {
	const slack = second / 10
	for _, m := range s.members {
		if m.entry != nil {
			list = append(list, session.Member{
				ID: m.id, Slot: m.slot, Driver: m.entry.Driver, Car: m.entry.Car, Size: m.entry.Size, Left: m.left,
				Stopped: s.stopAsked != 0 && (m.answered == s.stopID || m.stopped != 0 && m.stopped >= s.stopAsked-slack),
			})
		}
	}
	slices.SortFunc(list, func(a, b session.Member) int { return cmp.Compare(a.Slot, b.Slot) })
	return list
}

// ByPractice returns the grid order of the best practice laps: those with none last.
func (s *State) ByPractice(now int64) (order []session.ID) {
	before := *s
	before.order, before.start = nil, 0
	for _, r := range before.rows(now) {
		if !r.m.left {
			order = append(order, r.Member)
		}
	}
	return order
}
