package rimlab

import (
	"fmt"
	"image/color"
	"io"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/lab/chart"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/sink"
)

var (
	atOnce   = color.RGBA{150, 210, 150, 255}
	soon     = color.RGBA{205, 232, 180, 255}
	late     = color.RGBA{255, 236, 160, 255}
	swinging = color.RGBA{236, 130, 110, 255}
)

// CheckPicture refuses a picture's name without a format.
func CheckPicture(path string) error {
	if _, ok := chart.Format(path); ok {
		return nil
	}
	return &config.Problem{File: "--picture", Text: fmt.Sprintf("%q: end the name with .svg or .png", path)}
}

// WritePicture draws the map into a file that ends with .svg or .png.
func (m *Map) WritePicture(path string) error {
	if err := CheckPicture(path); err != nil {
		return err
	}
	format, _ := chart.Format(path)
	data, err := m.Render(format)
	if err != nil {
		return err
	}
	return sink.Sink{By: "picture", Path: path}.Fill(func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Render draws the map as svg or png: a table of delay over speed for each wheel and
// each way to hold it.
func (m *Map) Render(format string) ([]byte, error) {
	c := chart.Cells{
		Title: "How long a pushed rim takes to come to rest: " + m.Car,
		Below: "Seconds until it stays within 1°, after a release at 0.2 rad or 2 N·m for 100 ms, the worse of both; ten are watched",
		Over:  "speed [km/h]",
		Key: []chart.Swatch{
			{Colour: atOnce, Name: "within 1 s"}, {Colour: soon, Name: "within 3 s"}, {Colour: late, Name: "later"},
			{Colour: swinging, Name: "keeps swinging: amplitude and frequency"},
		},
	}
	for _, v := range m.grid.Speeds {
		c.Columns = append(c.Columns, fmt.Sprintf("%g", tidy(v*3.6)))
	}
	size := len(m.grid.Delays) * len(m.grid.Speeds)
	for h := range m.grid.Hands { // wheels beside each other
		for w := range m.grid.Wheels {
			at := (w*len(m.grid.Hands) + h) * size
			c.Tables = append(c.Tables, m.table(m.Points[at:at+size]))
		}
	}
	return c.Render(format)
}

func (m *Map) table(points []Point) chart.CellTable {
	t := chart.CellTable{Title: points[0].Wheel + ": " + points[0].Hand, Side: "delay"}
	n := len(m.grid.Speeds)
	for i := range m.grid.Delays {
		t.Rows = append(t.Rows, fmt.Sprintf("%g ms", points[i*n].Delay))
		row := make([]chart.Cell, n)
		for j, p := range points[i*n : (i+1)*n] {
			row[j] = p.cell()
		}
		t.Cells = append(t.Cells, row)
	}
	return t
}

func (p Point) cell() chart.Cell {
	c := chart.Cell{Colour: late, Text: fmt.Sprintf("%.1f", p.After)}
	switch {
	case !p.Settles:
		return chart.Cell{Colour: swinging, Text: fmt.Sprintf("%.1f° %.1f Hz", p.Amplitude, p.Frequency)}
	case p.After <= 1:
		c.Colour = atOnce
	case p.After <= 3:
		c.Colour = soon
	}
	return c
}

// Print writes the verdict in words: how many points there are, and which swing.
func (m *Map) Print(w io.Writer) error {
	bad := m.Swinging()
	_, err := io.WriteString(w, printable.Sprintf("%s: the rim settles at %d of %d points\n", m.Car, len(m.Points)-len(bad), len(m.Points)))
	for _, p := range bad {
		if err == nil {
			_, err = fmt.Fprintf(w, "  swings: %s\n", p)
		}
	}
	return err
}
