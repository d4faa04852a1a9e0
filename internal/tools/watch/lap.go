package watch

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/core/frame"
)

// Laps says which laps a drive consists of.
type Laps struct {
	Limit  int     // how many are to be driven; 0 is no limit
	Length float64 // of a lap [m]
}

// Line returns how far a drive with a limit is, in one line for a log: lap, time, speed, torque and roll.
func (l *Laps) Line(f *frame.Frame) string {
	if f.Lap.Number == 0 {
		return "before the start line, " + StateName(f.State)
	}
	return fmt.Sprintf("lap %s, %s, %s, %s, rim %s, platform roll %s", l.number(f), percent(l.progress(f)), frame.FormatTime(f.Lap.Time, 1), speedText(f, 0), torqueText(f.RimTorque), angleText(f.Pose[frame.Roll]))
}

// progress returns the driven share of the present lap, 0..1.
func (l *Laps) progress(f *frame.Frame) float64 {
	if f.Lap.Number == 0 || !(l.Length > 0) {
		return 0
	}
	return min(max(f.Lap.Distance/l.Length, 0), 1)
}

// bar draws the driven share of the present lap.
func (l *Laps) bar(f *frame.Frame) string {
	const columns = 20
	n := int(columns * l.progress(f))
	return "[" + strings.Repeat("█", n) + strings.Repeat(" ", columns-n) + "] " + percent(l.progress(f))
}

// number returns the number of the present lap, and of how many if that is known.
func (l *Laps) number(f *frame.Frame) string {
	if l.Limit == 0 {
		return fmt.Sprint(f.Lap.Number)
	}
	return fmt.Sprintf("%d of %d", f.Lap.Number, l.Limit)
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
