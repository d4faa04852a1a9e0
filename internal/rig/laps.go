package rig

import (
	"fmt"
	"io"
	"slices"

	"rig.example/rig/internal/drive"
	"rig.example/rig/internal/frame"
)

// LapTime is one lap in a drive's summary.
type LapTime struct {
	Number  int       `json:"number"`
	Time    float64   `json:"time_s"`
	Sectors []float64 `json:"sectors_s"`
	Valid   bool      `json:"valid"`
	Off     float64   `json:"off_track_s"`
	Cuts    int       `json:"cuts"`
	Pit     float64   `json:"pit_lane_s"`
}

// laps returns the latest laps in their order.
func (r *Rig) laps() []LapTime {
	l, list := &r.drive.State.Laps, []LapTime{}
	for n := max(l.Clock.Count-drive.KeptLaps, 0); n < l.Clock.Count; n++ {
		d := &l.Done[n%drive.KeptLaps]
		list = append(list, LapTime{d.Number, d.Time, slices.Clone(d.Sectors[:r.drive.Sectors()]), d.Valid, d.Off, d.Cuts, d.Pit})
	}
	return list
}

// printLaps writes laps for people to read.
func printLaps(w io.Writer, list []LapTime, best *float64) {
	for _, l := range list {
		fmt.Fprintf(w, "lap %-3d %s ", l.Number, frame.Clock(l.Time, 3))
		for _, s := range l.Sectors {
			fmt.Fprintf(w, "%8.3f", s)
		}
		fmt.Fprintln(w, l.remarks())
	}
	if best != nil {
		fmt.Fprintf(w, "best lap %s\n", frame.Clock(*best, 3))
	}
}

// remarks tells what was wrong with a lap, or nothing.
func (l *LapTime) remarks() (text string) {
	if !l.Valid {
		text = "  invalid"
	}
	if l.Off > 0 {
		text += fmt.Sprintf(", %.1f s off the track", l.Off)
	}
	if l.Cuts > 0 {
		text += fmt.Sprintf(", cuts: %d", l.Cuts)
	}
	if l.Pit > 0 {
		text += fmt.Sprintf("  %.1f s in the pit lane", l.Pit)
	}
	return text
}
