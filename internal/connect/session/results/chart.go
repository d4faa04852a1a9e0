package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/connect/session/race"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
)

// chart is a picture of lines over the laps of a race.
type chart struct {
	Title         string
	Width, Height float64
	Left, Right   float64
	Bottom        float64
	Lines         []curve
	Ticks         []tick // of the vertical axis
	Laps          []tick // of the horizontal axis
}

type curve struct {
	Name   string
	Color  int // 0 to 7
	Dashed bool
	Points string  // as SVG has them
	EndY   float64 // of the name
}

type tick struct {
	At   float64
	Text string
}

// Size of a chart, and its margins.
const (
	chartWidth, chartHeight        = 900.0, 360.0
	left, right, top, chartsBottom = 44.0, 170.0, 10.0, 26.0
	lineHeight                     = 13.0
)

// chartsOf returns the places and the gaps to the leader by lap.
func chartsOf(r race.Results) []chart {
	most := 0
	for _, rig := range r.Rigs {
		most = max(most, len(rig.Laps))
	}
	if most == 0 {
		return nil
	}
	places, gaps := make([][]float64, len(r.Rigs)), make([][]float64, len(r.Rigs))
	for i, s := range r.Standings {
		if s.Grid > 0 {
			places[i] = []float64{float64(s.Grid)}
		} else {
			places[i] = []float64{math.NaN()}
		}
		gaps[i] = []float64{0}
	}
	longest := 0.0
	for lap := range most {
		var order []int
		for i, rig := range r.Rigs {
			if lap < len(rig.Laps) {
				order = append(order, i)
			}
		}
		at := func(i int) float64 { return r.Rigs[i].Laps[lap].Race }
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(a, b)) })
		for place, i := range order {
			gap := at(i) - at(order[0])
			places[i], gaps[i] = append(places[i], float64(place+1)), append(gaps[i], gap)
			longest = max(longest, gap)
		}
	}
	return []chart{
		newChart("Place by lap", r, places, most, 1, float64(len(r.Rigs))),
		newChart("Gap to the leader by lap [s], without penalties", r, gaps, most, 0, max(longest, 1)),
	}
}

// newChart returns a chart with a line for each rig. The values of a rig are those at the end of each lap, from the start
// on; low is at the top.
func newChart(title string, r race.Results, values [][]float64, laps int, low, high float64) chart {
	c := chart{Title: title, Width: chartWidth, Height: chartHeight, Left: left, Right: chartWidth - right, Bottom: chartHeight - chartsBottom}
	x := func(lap int) float64 { return round(left + (c.Right-left)*float64(lap)/float64(laps)) }
	y := func(v float64) float64 { return round(top + (c.Bottom-top)*(v-low)/max(high-low, 1)) }
	for i, rig := range r.Rigs {
		line := curve{Name: printable.Name(rig.Driver), Color: i % 8, Dashed: i/8%2 == 1}
		var points []string
		for lap, v := range values[i] {
			if valid.Finite(v) {
				points = append(points, fmt.Sprintf("%g,%g", x(lap), y(v)))
				line.EndY = y(v)
			}
		}
		if line.Points = strings.Join(points, " "); len(points) > 1 {
			c.Lines = append(c.Lines, line)
		}
	}
	spread(c.Lines)
	step := math.Max(1, niceStep((high-low)/8))
	for v := low; v <= high; v += step {
		c.Ticks = append(c.Ticks, tick{y(v), fmt.Sprintf("%g", v)})
	}
	for lap := 0; lap <= laps; lap += int(math.Max(1, niceStep(float64(laps)/15))) {
		c.Laps = append(c.Laps, tick{x(lap), fmt.Sprint(lap)})
	}
	return c
}

func round(v float64) float64 { return math.Round(v*10) / 10 }

// niceStep returns 1, 2 or 5 times a power of ten, at least v.
func niceStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(max(v, 1))))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v {
			return m * power
		}
	}
	return 10 * power
}

// spread moves the names of lines apart, so that none covers another.
func spread(lines []curve) {
	order := make([]*curve, len(lines))
	for i := range lines {
		order[i] = &lines[i]
	}
	slices.SortStableFunc(order, func(a, b *curve) int { return cmp.Compare(a.EndY, b.EndY) })
	for i := range order {
		if i > 0 {
			order[i].EndY = max(order[i].EndY, order[i-1].EndY+lineHeight)
		}
	}
}
