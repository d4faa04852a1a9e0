package race

import (
	"fmt"

	"rig.example/rig/internal/connect/session"
)

// maxRefused is how many causes the results of a rig have.
const maxRefused = 20

// Results is the outcome of a session.
type Results struct {
	Session   session.ID         `json:"session"`
	Circuit   session.Circuit    `json:"circuit"`
	Rules     session.Rules      `json:"rules"`
	Created   int64              `json:"created"` // Unix time [s]
	Phase     session.Phase      `json:"phase"`
	Raced     bool               `json:"raced"` // there was a start; otherwise these are practice laps
	Standings []session.Standing `json:"standings"`
	Rigs      []Rig              `json:"rigs"` // in the order of Standings
}

// Rig is what one rig has driven.
type Rig struct {
	Member    session.ID `json:"member"`
	Driver    string     `json:"driver"`
	Laps      []Lap      `json:"laps"`
	Penalties []Penalty  `json:"penalties"`
	Refused   []string   `json:"refused"` // why laps that it sent are not counted: the first ones, and how many more there are
}

// Lap is a lap in the results.
type Lap struct {
	Lap     int       `json:"lap"`  // of the race, or of practice, from 1
	Race    float64   `json:"race"` // time of the race at its end, without penalties and pauses [s]; 0 in practice
	Time    float64   `json:"time"` // [s]
	Sectors []float64 `json:"sectors"`
	Valid   bool      `json:"valid"`
	InPit   bool      `json:"in_pit"`
}

// Penalty is one that the host or an official has given.
type Penalty struct {
	Seconds float64 `json:"seconds"`
	Text    string  `json:"text"`
}

// Results returns the outcome up to a session time.
func (s *State) Results(name session.ID, now int64) Results {
	rows := s.rows(now)
	res := Results{Session: name, Circuit: s.circuit, Rules: s.rules, Created: s.epoch / second, Phase: s.phase(rows, now), Raced: s.start != 0 && now >= s.start, Standings: []session.Standing{}, Rigs: []Rig{}}
	for _, r := range rows {
		res.Standings = append(res.Standings, r.Standing)
		rig := Rig{Member: r.Member, Driver: r.Driver, Laps: []Lap{}, Penalties: []Penalty{}, Refused: []string{}}
		if !res.Raced {
			for i := range r.m.laps {
				if l := &r.m.laps[i]; l.counts(r.m, now) {
					r.lines = append(r.lines, line{lap: l})
				}
			}
		}
		for i, l := range r.lines {
			rig.Laps = append(rig.Laps, Lap{i + 1, float64(l.time) / second, l.Time, append([]float64{}, l.Sectors...), l.Valid, l.InPit})
		}
		for _, p := range r.m.penalties {
			if p.at >= s.scheduled {
				rig.Penalties = append(rig.Penalties, Penalty{p.seconds, p.text})
			}
		}
		for _, l := range r.m.laps {
			if l.fault != "" {
				rig.Refused = append(rig.Refused, l.fault)
			}
		}
		if more := len(rig.Refused) - maxRefused; more > 0 {
			rig.Refused = append(rig.Refused[:maxRefused], fmt.Sprintf("and %d more", more))
		}
		res.Rigs = append(res.Rigs, rig)
	}
	return res
}
