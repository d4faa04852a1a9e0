package tirerig

import (
	"rig.example/rig/internal/tools/lab/chart"
	"rig.example/rig/internal/tools/lab/picture"
)

// Limits beyond which a plot would be unreadable.
const (
	maxPanels = 6
	maxCurves = 40
)

// WritePlot draws the sweep into a file that ends with .svg or .png.
func (r *Result) WritePlot(path string) error {
	rows := r.panels()
	if n := len(rows[0]); n > maxPanels {
		return flagError("--plot", "%d loads would be %d diagrams; give at most %d with --fz", n, n, maxPanels)
	}
	if n := len(rows[0][0].curves); n > maxCurves {
		return flagError("--plot", "%d curves in one diagram; give fewer loads or slip angles, at most %d together", n, maxCurves)
	}
	return picture.Write(r.sheet(rows), programName, "--plot", path)
}

// sheet returns the picture of a sweep, with the tire's name and the conditions.
func (r *Result) sheet(rows [][]panel) chart.Sheet {
	s := chart.Sheet{Title: r.headline(), Subtitle: r.conditionsLine(), SharedLegend: true}
	for _, row := range rows {
		var drawn []chart.Panel
		for _, p := range row {
			drawn = append(drawn, p.chartPanel())
		}
		s.Rows = append(s.Rows, drawn)
	}
	return s
}

// chartPanel converts a panel for package chart.
func (p panel) chartPanel() chart.Panel {
	names := p.names()
	d := chart.Panel{Title: p.title, X: p.x.label, Y: p.y.label, Square: p.square}
	for i, c := range p.curves {
		s := chart.Series{Name: names[i]}
		for _, row := range c.Rows {
			s.X, s.Y = append(s.X, p.x.of(row)), append(s.Y, p.y.of(row))
		}
		d.Series = append(d.Series, s)
	}
	return d
}
