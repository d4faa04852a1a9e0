package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/internal/tools/lab/chart"
	"rig.example/rig/internal/tools/lab/picture"
)

// WritePlot draws the chosen metric: over the value of a single axis, as a heat map of two, and else its spread over
// each axis and its histogram. The name of the file must end with .svg or .png.
func (r *Report) WritePlot(path string) error {
	s := r.stat(r.Metric)
	switch {
	case s == nil:
		return fmt.Errorf("maneuver: %s is not drawn: no point has a metric", path)
	case r.Plan.Random == 0 && len(r.Plan.Axes) == 2:
		return picture.Write(r.heatMap(s), "maneuver", "--plot", path)
	}
	return picture.Write(r.sheet(s), "maneuver", "--plot", path)
}

// label returns name and unit of a metric.
func (s *stat) label() string {
	if s.unit == "" {
		return s.name
	}
	return s.name + " [" + s.unit + "]"
}

// heatMap returns the map of a metric over both axes of a grid.
func (r *Report) heatMap(s *stat) chart.HeatMap {
	rows, columns := &r.Plan.Axes[0], &r.Plan.Axes[1]
	m := chart.HeatMap{
		Title: s.label(), Subtitle: r.Plan.String(), X: columns.label(), Y: rows.label(),
		Columns: columns.Values, Rows: rows.Values, Unit: s.unit,
	}
	for range rows.Values {
		m.Values = append(m.Values, slices.Repeat([]float64{math.NaN()}, len(columns.Values)))
	}
	for i, result := range r.results {
		n := len(columns.Values)
		m.Values[result.Index/n][result.Index%n] = r.value(i, s.name)
	}
	return m
}

// label returns the key with its unit, if that is not part of it.
func (a *Axis) label() string {
	if a.Key == SpeedKey {
		return a.Key + " [km/h]"
	}
	return a.Key
}

// sheet returns a panel for each axis, and one with the histogram if there are several axes or random points.
func (r *Report) sheet(s *stat) chart.Sheet {
	const panelsPerRow = 3
	var panels []chart.Panel
	for k := range r.Plan.Axes {
		panels = append(panels, r.axisPanel(s, k))
	}
	if r.Plan.Random > 0 || len(panels) > 1 {
		panels = append(panels, r.histogram(s))
	}
	return chart.Sheet{Title: s.label(), Subtitle: r.Plan.String(), Rows: chart.InRows(panels, panelsPerRow)}
}

// axisPanel returns the panel of the metric over axis k. Values that are texts are numbered.
func (r *Report) axisPanel(s *stat, k int) chart.Panel {
	a := &r.Plan.Axes[k]
	p := chart.Panel{X: a.label(), Y: s.label()}
	isText := slices.ContainsFunc(a.Values, a.isText)
	if isText {
		var names []string
		for i, v := range a.Values {
			names = append(names, fmt.Sprintf("%d %s", i+1, v))
		}
		p.X += ": " + strings.Join(names, ", ")
	}
	curve := chart.Series{Dots: isText || r.Plan.Random > 0 || len(r.Plan.Axes) > 1}
	for i, result := range r.results {
		text := r.Plan.Values(result.Index)[k]
		x, err := strconv.ParseFloat(text, 64)
		if isText || err != nil {
			x = float64(slices.Index(a.Values, text) + 1)
		}
		curve.X, curve.Y = append(curve.X, x), append(curve.Y, r.value(i, s.name))
	}
	p.Series = []chart.Series{curve}
	return p
}

// histogram returns the panel with the number of points in intervals of the metric, about as many as the square root of
// the number of points.
func (r *Report) histogram(s *stat) chart.Panel {
	n := min(max(5, int(math.Sqrt(float64(len(s.order))))), 60)
	count := make([]float64, n)
	width := (s.high - s.low) / float64(n)
	for _, i := range s.order {
		at := 0
		if width > 0 {
			at = min(n-1, int((r.value(i, s.name)-s.low)/width))
		}
		count[at]++
	}
	curve := chart.Series{X: []float64{s.low}, Y: []float64{0}}
	for i, c := range count {
		curve.X = append(curve.X, s.low+width*float64(i), s.low+width*float64(i+1))
		curve.Y = append(curve.Y, c, c)
	}
	curve.X, curve.Y = append(curve.X, s.high), append(curve.Y, 0)
	return chart.Panel{X: s.label(), Y: "points", Series: []chart.Series{curve}}
}
