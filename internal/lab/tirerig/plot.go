package tirerig

import (
	"io"

	"rig.example/rig/internal/lab/chart"
	"rig.example/rig/internal/sink"
)

// mostPanels and mostCurves are what one can still read.
const (
	mostPanels = 6
	mostCurves = 40
)

// WritePlot draws the sweep into a file that ends with .svg or .png.
func (r *Result) WritePlot(path string) error {
	if err := CheckPlot(path); err != nil {
		return err
	}
	rows := r.panels()
	if n := len(rows[0]); n > mostPanels {
		return wrong("--plot", "%d loads would be %d diagrams; give at most %d with --fz", n, n, mostPanels)
	}
	if n := len(rows[0][0].curves); n > mostCurves {
		return wrong("--plot", "%d curves in one diagram; give fewer loads or slip angles, at most %d together", n, mostCurves)
	}
	format, _ := chart.Format(path)
	data, err := r.sheet(rows).Render(format)
	if err != nil {
		return err
	}
	return sink.Sink{By: subject, Path: path}.Fill(func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// CheckPlot refuses a name whose ending is no format of a plot.
func CheckPlot(path string) error {
	if _, ok := chart.Format(path); ok {
		return nil
	}
	return wrong("--plot", "%q: end the name with .svg or .png", path)
}

// sheet is the picture of a sweep, with which tire it is of and what is held.
func (r *Result) sheet(rows [][]panel) chart.Sheet {
	s := chart.Sheet{Title: r.headline(), Below: r.conditions(), Shared: true}
	for _, row := range rows {
		var drawn []chart.Panel
		for _, p := range row {
			drawn = append(drawn, p.drawn())
		}
		s.Rows = append(s.Rows, drawn)
	}
	return s
}

func (p panel) drawn() chart.Panel {
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
