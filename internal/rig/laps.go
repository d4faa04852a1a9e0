package rig

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

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

// LapNow is the circuit's clock for scripts.
type LapNow struct {
	Number   uint64    `json:"number"` // 0 before the start line is passed
	Count    uint64    `json:"count"`
	Time     *float64  `json:"time_s"` // null where not known, as all times here
	Last     *float64  `json:"last_s"`
	Best     *float64  `json:"best_s"`
	Delta    *float64  `json:"delta_s"`   // to the best lap, at the same place
	Sectors  []float64 `json:"sectors_s"` // that were driven in this lap
	Valid    bool      `json:"valid"`
	OffTrack bool      `json:"off_track"`
	WrongWay bool      `json:"wrong_way"`
	InPit    bool      `json:"in_pit"`
}

func lapNow(f *frame.Frame) LapNow {
	l := &f.Lap
	done := min(l.Sector, frame.MaxSectors)
	return LapNow{
		Number: l.Number, Count: l.Count, Time: timeOf(l.Time), Last: timeOf(l.Last), Best: timeOf(l.Best), Delta: known(l.Delta),
		Sectors: append([]float64{}, l.Splits[:done]...),
		Valid:   l.Number > 0 && f.Flags&frame.LapInvalid == 0, OffTrack: f.Flags&frame.OffTrack != 0,
		WrongWay: f.Flags&frame.WrongWay != 0, InPit: f.Flags&frame.InPit != 0,
	}
}

// timeOf returns a time of the circuit's clock, or nothing where it is not known.
func timeOf(t float64) *float64 {
	if t > 0 {
		return &t
	}
	return nil
}

// lapText is the circuit's clock in a line.
func lapText(f *frame.Frame) string {
	var b strings.Builder
	if f.Lap.Number > 0 {
		fmt.Fprintf(&b, "lap %d %s", f.Lap.Number, frame.Clock(f.Lap.Time, 1))
		if f.Flags&frame.LapInvalid != 0 {
			b.WriteString("!")
		}
		if !math.IsNaN(f.Lap.Delta) {
			fmt.Fprintf(&b, " %+.2f", f.Lap.Delta)
		}
		b.WriteString("  ")
	}
	if f.Lap.Best > 0 {
		fmt.Fprintf(&b, "best %s  ", frame.Clock(f.Lap.Best, 3))
	}
	for _, w := range [...]struct {
		bit  uint64
		text string
	}{{frame.WrongWay, "WRONG WAY  "}, {frame.OffTrack, "OFF TRACK  "}, {frame.InPit, "PIT LANE  "}} {
		if f.Flags&w.bit != 0 {
			b.WriteString(w.text)
		}
	}
	return b.String()
}
