package rig

import (
	"fmt"
	"io"
	"slices"
	"time"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/road"
)

// LapTime is a finished lap in a drive's summary. Its counts and times are for the whole lap.
type LapTime struct {
	Number  int       `json:"number"`
	Time    float64   `json:"time_s"`
	Sectors []float64 `json:"sectors_s"`
	Valid   bool      `json:"valid"`
	Off     float64   `json:"off_track_s"`
	Cuts    int       `json:"cuts"`
	Pit     float64   `json:"pit_lane_s"`
}

// limitLaps lets a drive with a number of laps begin on the grid and end after them. A driver model gives up if a lap takes
// too long, because nobody may be there; a person may take any time.
func (r *Rig) limitLaps(o *Options) error {
	if o.Laps == 0 {
		return nil
	}
	const shortest, slowest = 5 * time.Minute, 13 // a driver model's limit for a lap, and on a long circuit its speed [m/s]
	s := &r.drive.Setup
	if s.Circuit.Roadless {
		return fmt.Errorf("%s: it has no road, so no laps; leave --laps out", s.Circuit.Title)
	}
	if s.LapLimit = o.Laps; o.Demo {
		s.WaitTimeout = max(shortest.Seconds(), s.Circuit.Length()/slowest)
	}
	if s.Grid != (drive.Grid{}) || !s.Circuit.Closed() {
		return nil
	}
	behind, _ := road.GridDistance(1)
	return r.drive.StartOnGrid(drive.Grid{Behind: behind})
}

// laps returns the latest finished laps, oldest first.
func (r *Rig) laps() []LapTime {
	l, list := &r.drive.State.Laps, []LapTime{}
	for n := max(l.Clock.Count-drive.StoredLaps, 0); n < l.Clock.Count; n++ {
		d := &l.Done[n%drive.StoredLaps]
		list = append(list, LapTime{d.Number, d.Time, slices.Clone(d.Sectors[:r.drive.Timing().Sectors()]), d.Valid, d.OffTrackTime, d.Cuts, d.PitTime})
	}
	return list
}

// printLaps writes laps as text.
func printLaps(w io.Writer, list []LapTime, best *float64) {
	for _, l := range list {
		fmt.Fprintf(w, "lap %-3d %s ", l.Number, frame.FormatTime(l.Time, 3))
		for _, s := range l.Sectors {
			fmt.Fprintf(w, "%8.3f", s)
		}
		fmt.Fprintln(w, l.remarks())
	}
	if best != nil {
		fmt.Fprintf(w, "best lap %s\n", frame.FormatTime(*best, 3))
	}
}

// remarks returns why a lap is invalid and time lost off the track or in the pit lane, or "".
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
