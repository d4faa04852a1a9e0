package watch

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/frame"
)

// LapNow holds lap and sector times as JSON for scripts.
type LapNow struct {
	Number   uint64    `json:"number"` // of the present lap; 0 before the start line is crossed
	Count    uint64    `json:"count"`  // finished laps
	Time     *float64  `json:"time_s"` // time of the present lap; null if unknown, as all times here
	Last     *float64  `json:"last_s"`
	Best     *float64  `json:"best_s"`
	Delta    *float64  `json:"delta_s"`   // time lost against the best lap up to this place
	Sectors  []float64 `json:"sectors_s"` // times of the finished sectors of this lap
	Valid    bool      `json:"valid"`
	OffTrack bool      `json:"off_track"`
	WrongWay bool      `json:"wrong_way"`
	InPit    bool      `json:"in_pit"`
}

// lapNow converts the lap times of a frame to null for unknown values.
func lapNow(f *frame.Frame) LapNow {
	l := &f.Lap
	finished := min(l.Sector, frame.MaxSectors)
	return LapNow{
		Number: l.Number, Count: l.Count, Time: TimeOrNull(l.Time), Last: TimeOrNull(l.Last), Best: TimeOrNull(l.Best), Delta: NumberOrNull(l.Delta),
		Sectors: append([]float64{}, l.Splits[:finished]...),
		Valid:   l.Number > 0 && f.Flags&frame.LapInvalid == 0, OffTrack: f.Flags&frame.OffTrack != 0,
		WrongWay: f.Flags&frame.WrongWay != 0, InPit: f.Flags&frame.InPit != 0,
	}
}

// TimeOrNull returns a pointer to a lap time [s], or nil if it is unknown (0 or less).
func TimeOrNull(t float64) *float64 {
	if t > 0 {
		return &t
	}
	return nil
}

// lapText returns lap number, lap times and warnings in one line.
func lapText(f *frame.Frame) string {
	var b strings.Builder
	if f.Lap.Number > 0 {
		fmt.Fprintf(&b, "lap %d %s", f.Lap.Number, frame.FormatTime(f.Lap.Time, 1))
		if f.Flags&frame.LapInvalid != 0 {
			b.WriteString("!")
		}
		if !math.IsNaN(f.Lap.Delta) {
			fmt.Fprintf(&b, " %+.2f", f.Lap.Delta)
		}
		b.WriteString("  ")
	}
	if f.Lap.Best > 0 {
		fmt.Fprintf(&b, "best %s  ", frame.FormatTime(f.Lap.Best, 3))
	}
	for _, w := range lapWarnings(f) {
		b.WriteString(w + "  ")
	}
	return b.String()
}

// lapWarnings returns what the driver must know of where the car is.
func lapWarnings(f *frame.Frame) (list []string) {
	for _, w := range [...]struct {
		bit  uint64
		text string
	}{{frame.WrongWay, "WRONG WAY"}, {frame.OffTrack, "OFF TRACK"}, {frame.InPit, "PIT LANE"}} {
		if f.Flags&w.bit != 0 {
			list = append(list, w.text)
		}
	}
	return list
}
