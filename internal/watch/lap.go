package watch

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/frame"
)

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
		Number: l.Number, Count: l.Count, Time: TimeOf(l.Time), Last: TimeOf(l.Last), Best: TimeOf(l.Best), Delta: Known(l.Delta),
		Sectors: append([]float64{}, l.Splits[:done]...),
		Valid:   l.Number > 0 && f.Flags&frame.LapInvalid == 0, OffTrack: f.Flags&frame.OffTrack != 0,
		WrongWay: f.Flags&frame.WrongWay != 0, InPit: f.Flags&frame.InPit != 0,
	}
}

// TimeOf returns a time of the circuit's clock [s], or nil where it is not known.
func TimeOf(t float64) *float64 {
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
