package race

import (
	"cmp"
	"slices"

	"rig.example/rig/internal/connect/session"
)

// line is a crossing of the line that ends a lap of the race.
type line struct {
	*lap
	time int64 // since the start, without pauses [ns]
}

// row is a member's part in the classification.
type row struct {
	session.Standing
	m      *member
	lines  []line
	finish int64 // session time of its finish; 0 if it has not finished
}

// raceTime returns the time of its last line since the start, without pauses and with penalties [s]; 0 before the first.
func (r *row) raceTime() float64 {
	if len(r.lines) == 0 {
		return 0
	}
	return float64(r.lines[len(r.lines)-1].time)/second + r.Penalty
}

// Standings returns the classification at a session time: of the race from its start on, and of practice before.
func (s *State) Standings(now int64) []session.Standing {
	rows := s.rows(now)
	list := make([]session.Standing, len(rows))
	for i := range rows {
		list[i] = rows[i].Standing
	}
	return list
}

// rows returns the members that have joined, in the order of the classification.
func (s *State) rows(now int64) []row {
	if s.closed != 0 {
		now = min(now, s.closed)
	}
	var rows []row
	for _, m := range s.members {
		if m.entry != nil {
			rows = append(rows, row{m: m, Standing: session.Standing{Member: m.id, Driver: m.entry.Driver, Car: m.entry.Car, Grid: s.GridPlace(m.id), Gap: -1, Status: "driving"}})
		}
	}
	if s.start != 0 && now >= s.start {
		s.classify(rows, now)
	} else {
		s.rank(rows, now)
	}
	for i := range rows {
		rows[i].Place = i + 1
	}
	return rows
}

// rank sorts before a race: by the grid where it is fixed, else by the fastest valid lap.
func (s *State) rank(rows []row, now int64) {
	for i := range rows {
		r := &rows[i]
		for j := range r.m.laps {
			if l := &r.m.laps[j]; l.counts(r.m, now) {
				r.Laps++
				r.take(l)
			}
		}
		s.setStatus(r, now)
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(orLast(float64(a.Grid)), orLast(float64(b.Grid))), cmp.Compare(orLast(a.Best), orLast(b.Best)), cmp.Compare(a.Member, b.Member))
	})
}

// orLast returns v, or a number behind all others for 0, which is unknown.
func orLast(v float64) float64 {
	if v == 0 {
		return 1e9
	}
	return v
}

// take takes the time of a lap.
func (r *row) take(l *lap) {
	r.Last = l.Time
	if l.Valid && (r.Best == 0 || l.Time < r.Best) {
		r.Best = l.Time
	}
}

// counts reports whether a lap is possible and has ended, after its rig had joined.
func (l *lap) counts(m *member, now int64) bool {
	return l.fault == "" && l.at <= now && l.at >= m.entered
}

// classify sorts by laps, then by the time of the last line with penalties.
func (s *State) classify(rows []row, now int64) {
	for i := range rows {
		rows[i].lines = s.lines(rows[i].m, now)
	}
	winner := s.winner(rows)
	for i := range rows {
		s.count(&rows[i], winner, now)
	}
	slices.SortFunc(rows, func(a, b row) int {
		order := cmp.Or(cmp.Compare(b.Laps, a.Laps), cmp.Compare(orLast(float64(a.Grid)), orLast(float64(b.Grid))), cmp.Compare(a.Member, b.Member))
		if a.Laps == b.Laps && a.Laps > 0 {
			return cmp.Or(cmp.Compare(a.Time, b.Time), order)
		}
		return order
	})
	for i := range rows {
		setGap(&rows[i], &rows[0])
	}
}

// setGap sets the gap at the last line of r, in laps and seconds.
func setGap(r, leader *row) {
	n := len(r.lines)
	r.LapsDown = leader.Laps - r.Laps
	if n > 0 && n <= len(leader.lines) {
		ahead := float64(leader.lines[n-1].time)/second + leader.Penalty
		r.Gap = max(0, r.Time-ahead)
	}
}

// lines returns the laps of a member that belong to the race, until a session time. A lap counts if it began after the
// start; a car that moved too early has its penalty for it.
func (s *State) lines(m *member, until int64) (lines []line) {
	const early = 5 * second
	for i := range m.laps {
		if l := &m.laps[i]; l.counts(m, until) && l.at > s.start && l.began() >= s.start-early {
			lines = append(lines, line{l, s.RaceTime(l.at)})
		}
	}
	return lines
}

// RaceTime returns the time between the start and a session time, without pauses [ns].
func (s *State) RaceTime(at int64) int64 {
	t := at - s.start
	for _, p := range s.pauses {
		to := p.to
		if to == 0 {
			to = at
		}
		t -= max(0, min(to, at)-max(p.from, s.start))
	}
	return t
}

// winner returns the session time of the winner's finish, or 0. A race over laps is won by the first to have driven
// them; a race over time by the first to end the lap after those that were completed before its end.
func (s *State) winner(rows []row) (at int64) {
	laps := s.rules.Laps
	if laps == 0 {
		if s.rules.Duration == 0 {
			return 0
		}
		for i := range rows {
			n := 0
			for _, l := range rows[i].lines {
				if float64(l.time) < s.rules.Duration*second {
					n++
				}
			}
			laps = max(laps, n+1)
		}
	}
	for i := range rows {
		if len(rows[i].lines) >= laps && (at == 0 || rows[i].lines[laps-1].at < at) {
			at = rows[i].lines[laps-1].at
		}
	}
	return at
}

// count fills in a row of a race. winner is the session time of the winner's finish, or 0: each car finishes at its first
// line from then on.
func (s *State) count(r *row, winner, now int64) {
	for i, l := range r.lines {
		if winner != 0 && l.at >= winner {
			r.finish, r.lines = l.at, r.lines[:i+1]
			break
		}
	}
	for _, l := range r.lines {
		r.take(l.lap)
		if !l.Valid {
			r.Cuts++
		}
	}
	r.Laps = len(r.lines)
	until := now
	if r.finish != 0 {
		until = r.finish
	}
	r.PitStops = r.m.pitStops(s.start, until)
	r.Penalty = s.penaltyOf(r)
	r.Time = r.raceTime()
	s.setStatus(r, now)
}

// penaltyOf returns the sum of the penalties of a row [s]: those given since the start was fixed, those for cuts, and at
// the end those for stops that are missing.
func (s *State) penaltyOf(r *row) (sum float64) {
	for _, p := range r.m.penalties {
		if p.at >= s.scheduled {
			sum += p.seconds
		}
	}
	sum += float64(max(0, r.Cuts-s.rules.CutsAllowed)) * s.rules.CutPenalty
	if r.finish != 0 || s.closed != 0 {
		sum += float64(max(0, s.rules.PitStops-r.PitStops)) * s.rules.PitPenalty
	}
	return sum
}

func (s *State) setStatus(r *row, now int64) {
	raced := s.start != 0 && now >= s.start
	switch {
	case r.finish != 0 || s.closed != 0 && !raced:
		r.Status = "finished"
	case s.closed != 0 || r.m.left:
		r.Status = "retired"
	case r.m.inPit(now):
		r.Status = "pit"
	}
}

// pitStops returns how often a member has left the pit lane within a part of session time, having entered it.
func (m *member) pitStops(from, to int64) (n int) {
	in := false
	for _, p := range m.pits {
		if in && !p.in && p.at > from && p.at <= to {
			n++
		}
		in = p.in
	}
	return n
}

// inPit reports whether a member is in the pit lane at a session time.
func (m *member) inPit(now int64) (in bool) {
	for _, p := range m.pits {
		if p.at <= now {
			in = p.in
		}
	}
	return in
}
