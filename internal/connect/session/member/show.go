package member

import (
	"math"
	"slices"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/playout"
	"rig.example/rig/internal/core/frame"
)

const second = 1e9 // [ns]

var phases = map[session.Phase]uint64{
	session.Practice: frame.PhasePractice, session.Grid: frame.PhaseGrid, session.Countdown: frame.PhaseCountdown,
	session.Racing: frame.PhaseRacing, session.Finishing: frame.PhaseFinishing, session.Ended: frame.PhaseEnded,
}

var flags = map[session.Flag]uint64{session.Green: frame.FlagGreen, session.Yellow: frame.FlagYellow, session.Red: frame.FlagRed, session.Checkered: frame.FlagCheckered}

// show sets what is shown at the own time now [ns].
func (m *member) show(now int64) {
	o := &m.shown
	*o = frame.Others{Due: now}
	at := m.clock.At(now)
	if m.clock.Synced() || m.board.Entries != nil {
		m.showSession(now, at)
	}
	if !m.clock.Synced() {
		return
	}
	for slot := range session.MaxMembers {
		if slot == m.joined.Slot || o.Count == frame.MaxOthers {
			continue
		}
		if s, shown := m.players.Show(slot, at); shown {
			o.Cars[o.Count] = m.car(&s)
			o.Count++
			o.Session.Late = max(o.Session.Late, s.Late)
		}
	}
}

// showSession sets the state of the session: phase, flag, the own place and those beside it.
func (m *member) showSession(now, at int64) {
	const heardFor = 1.5 // [s]
	b, s := &m.board, &m.shown.Session
	*s = frame.Session{
		Phase: phases[b.Phase], Flag: flags[b.Flag], Paused: frame.OneIf(b.Paused), Clock: float64(at) / second, ToStart: math.NaN(), TimeLeft: math.NaN(),
		GridPlace: uint64(m.joined.Grid), Laps: m.frame.Lap.Count, LapsLeft: uint64(max(0, b.LapsLeft)), Of: uint64(len(b.Standings)),
		GapAhead: math.NaN(), GapBehind: math.NaN(),
	}
	if m.clock.Synced() {
		s.Uncertainty = m.clock.Uncertainty(now)
	}
	if l := m.link; l != nil {
		s.Connected = frame.OneIf(m.clock.Synced() && float64(now-l.heard)/second < heardFor)
		s.Lost = l.loss.share
	}
	if b.Start != 0 {
		s.ToStart = float64(b.Start-at) / second
	}
	if b.Rules.Duration > 0 {
		s.TimeLeft = b.TimeLeft
	}
	s.SetNotice(b.Notice)
	m.showPlace()
}

// showPlace sets the own place, and who is ahead and behind.
func (m *member) showPlace() {
	s, list := &m.shown.Session, m.board.Standings
	own := slices.IndexFunc(list, func(l session.Standing) bool { return l.Member == m.o.Invitation.Member })
	if own < 0 {
		return
	}
	s.Place, s.Penalty = uint64(max(0, list[own].Place)), list[own].Penalty
	if list[own].Grid > 0 {
		s.GridPlace = uint64(list[own].Grid)
	}
	if own > 0 {
		s.Ahead, s.GapAhead = frame.TextOf(list[own-1].Driver), gap(&list[own-1], &list[own])
	}
	if own+1 < len(list) {
		s.Behind, s.GapBehind = frame.TextOf(list[own+1].Driver), gap(&list[own], &list[own+1])
	}
}

// gap returns the time between two cars of the classification [s], or NaN if it is unknown.
func gap(ahead, behind *session.Standing) float64 {
	if ahead.Gap < 0 || behind.Gap < 0 || ahead.LapsDown != behind.LapsDown {
		return math.NaN()
	}
	return behind.Gap - ahead.Gap
}

// car returns another car as the window shows it.
func (m *member) car(shown *playout.Shown) frame.OtherCar {
	s := &shown.State
	size, c := m.o.Join.Size, frame.OtherCar{
		Slot: uint64(s.Slot), Pos: s.Pos, Att: s.Att, Vel: s.Vel, Rate: s.Rate, Steer: s.Steer, Brake: s.Brake, Opacity: shown.Opacity, Late: shown.Late,
		InPit: frame.OneIf(s.Flags&session.InPit != 0), Flash: frame.OneIf(s.Flags&session.HeadlightFlash != 0),
	}
	for i := range m.board.Entries {
		if e := &m.board.Entries[i]; e.Slot == s.Slot {
			size, c.Name, c.Place = e.Size, frame.TextOf(e.Driver), m.placeOf(e.ID)
		}
	}
	c.Length, c.Width, c.Height, c.CGHeight = size.Length, size.Width, size.Height, size.CGHeight
	c.CGToFront, c.Wheelbase, c.WheelRadius = size.CGToFront, size.Wheelbase, size.WheelRadius
	c.Gap, c.LapsAhead = m.apart(s, shown.Ahead)
	return c
}

func (m *member) placeOf(id session.ID) uint64 {
	for i := range m.board.Standings {
		if l := &m.board.Standings[i]; l.Member == id {
			return uint64(max(0, l.Place))
		}
	}
	return 0
}

// apart returns how far another car is ahead along the circuit [m], at most half a lap, and by how many full laps more.
// since is how far it has driven since the time at which it is shown [m].
func (m *member) apart(s *session.State, since float64) (gap float64, laps int64) {
	length := m.o.Join.Circuit.Length
	if !(length > 0) {
		return math.NaN(), 0
	}
	ahead := s.Distance + since - m.distance()
	gap = math.Remainder(ahead, length)
	total := float64(s.Laps-int(m.frame.Lap.Count))*length + ahead
	return gap, int64(math.Round((total - gap) / length))
}
