package recording

import (
	"encoding/json"
	"fmt"

	"github.com/foxglove/mcap/go/mcap"

	"rig.example/rig/internal/files/drivelog"
)

// Summary tells what a recording holds.
type Summary struct {
	Ticks   uint64  `json:"ticks"`      // recorded ticks
	Missing uint64  `json:"missing"`    // ticks that are missing between them
	Laps    int     `json:"laps"`       // finished laps, valid or not
	Best    float64 `json:"best_lap_s"` // shortest valid lap [s]; 0 without one
	Faults  int     `json:"faults"`
	Marks   int     `json:"marks"`
}

func (s *Summary) addLap(time float64, valid bool) {
	s.Laps++
	if valid && (s.Best == 0 || time < s.Best) {
		s.Best = time
	}
}

func (s *Summary) addEvent(kind drivelog.Kind) {
	switch kind {
	case drivelog.Mark:
		s.Marks++
	case drivelog.Fault:
		s.Faults++
	}
}

// add adds what happened in a block of a number of ticks.
func (s *Summary) add(block Summary, ticks uint64) {
	s.Ticks += ticks
	s.Faults += block.Faults
	s.Marks += block.Marks
	s.Laps += block.Laps
	if best := block.Best; best > 0 && (s.Best == 0 || best < s.Best) {
		s.Best = best
	}
}

// summaryName is the name of the metadata record that holds the summary, in its key summaryKey.
const (
	summaryName = "rig.summary"
	summaryKey  = "summary"
)

func (s *Summary) metadata() (*mcap.Metadata, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("recording: summary: %w", err)
	}
	return &mcap.Metadata{Name: summaryName, Metadata: map[string]string{summaryKey: string(text)}}, nil
}

// Summary returns what the recording holds. Without its index it reads all of it.
func (r *Recording) Summary() (s Summary, err error) {
	if r.summary != nil {
		return *r.summary, nil
	}
	next := uint64(0)
	for _, e := range r.Blocks {
		d, err := r.Block(e)
		if err != nil {
			continue // Damage tells of it
		}
		if next > 0 && d.First > next {
			s.Missing += d.First - next
		}
		next = d.First + uint64(d.Count)
		s.add(d.summary(), uint64(d.Count))
	}
	return s, nil
}

// summary returns what happened in a block.
func (d *Data) summary() (s Summary) {
	for i := range d.Laps {
		s.addLap(d.Laps[i].Time, d.Laps[i].Valid)
	}
	for i := range d.Events {
		s.addEvent(drivelog.Kind(d.Events[i].Kind))
	}
	return s
}
