package drivereport

import (
	"fmt"
	"math"

	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
)

// head is what the page says of a drive above the plots.
type head struct {
	Title   string
	Named   bool // the title is shown, to tell two drives apart
	Facts   []fact
	Sectors []int // their numbers
	Laps    []lapRow
	Events  []eventRow
}

type fact struct{ Name, Value string }

type lapRow struct {
	Number      int
	Time, Gap   string // Gap is the time lost against the best lap
	Sectors     []sector
	Best, Valid bool
}

type sector struct {
	Time string
	Best bool // of all valid laps
}

type eventRow struct {
	Seconds    float64
	Time, Text string
	Kind       drivelog.Kind
}

func headOf(log *drivelog.Log, title string, named bool) head {
	h := head{Title: title, Named: named, Facts: facts(log)}
	h.Sectors, h.Laps = lapRows(log.Laps)
	for _, e := range log.Events {
		h.Events = append(h.Events, eventRow{e.Time, clock(e.Time, 1), e.Text, e.Kind})
	}
	return h
}

func facts(log *drivelog.Log) []fact {
	date := "unknown"
	if !log.Began.IsZero() {
		date = log.Began.Format("2 January 2006, 15:04 MST")
	}
	list := []fact{
		{"Car", printable.Name(log.Car)},
		{"Circuit", printable.Name(log.Track)},
		{"Date", date},
		{"Length", fmt.Sprintf("%s min, %g samples/s", clock(float64(log.Len())/log.Rate, 1), log.Rate)},
	}
	if c := log.Channel(speed); c != nil {
		unit, factor := shown(c.Unit, "km/h")
		if top := largest(c.Values); valid.Finite(top) {
			list = append(list, fact{"Top speed", fmt.Sprintf("%.0f %s", top*factor, printable.Name(unit))})
		}
	}
	if c := clipping(log); c != nil {
		if share := mean(c.Values); valid.Finite(share) {
			list = append(list, fact{"Rim torque clipped", fmt.Sprintf("%.1f %% of the time", 100*share)})
		}
	}
	return list
}

// lapRows returns the table of laps and the numbers of its sectors.
func lapRows(laps []drivelog.Lap) (sectors []int, rows []lapRow) {
	best, bestSplits := math.Inf(1), []float64{}
	for _, l := range laps {
		for len(bestSplits) < len(l.Splits) {
			bestSplits = append(bestSplits, math.Inf(1))
			sectors = append(sectors, len(bestSplits))
		}
		if l.Valid && l.Time < best {
			best = l.Time
		}
		for i, t := range l.Splits {
			if l.Valid && t < bestSplits[i] {
				bestSplits[i] = t
			}
		}
	}
	for _, l := range laps {
		row := lapRow{Number: l.Number, Time: clock(l.Time, 3), Valid: l.Valid, Best: l.Valid && l.Time == best}
		if lost := l.Time - best; valid.Finite(lost) && !row.Best {
			row.Gap = printable.Minus(fmt.Sprintf("%+.3f", lost))
		}
		for i := range sectors {
			s := sector{Time: "–"}
			if i < len(l.Splits) {
				s = sector{clock(l.Splits[i], 3), l.Valid && l.Splits[i] == bestSplits[i]}
			}
			row.Sectors = append(row.Sectors, s)
		}
		rows = append(rows, row)
	}
	return sectors, rows
}

// largest returns the largest finite value, or NaN if there is none.
func largest(values []float64) float64 {
	top := math.NaN()
	for _, v := range values {
		if valid.Finite(v) && !(v <= top) {
			top = v
		}
	}
	return top
}

// mean returns the mean of the finite values, or NaN if there is none.
func mean(values []float64) float64 {
	sum, n := 0.0, 0.0
	for _, v := range values {
		if valid.Finite(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / n
}
