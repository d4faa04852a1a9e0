package rimlab

import (
	"fmt"
	"image/color"
	"io"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/tools/lab/chart"
	"rig.example/rig/internal/tools/lab/picture"
)

// Colors of the map by settling time.
var (
	quickColor    = color.RGBA{150, 210, 150, 255}
	soonColor     = color.RGBA{205, 232, 180, 255}
	lateColor     = color.RGBA{255, 236, 160, 255}
	swingingColor = color.RGBA{236, 130, 110, 255}
)

// WritePicture draws the map into a file that ends with .svg or .png.
func (m *Map) WritePicture(path string) error { return picture.Write(m, "picture", "--picture", path) }

// Render draws the map as svg or png: a table of delay over speed for each wheel and each hand.
func (m *Map) Render(format string) ([]byte, error) {
	c := chart.ColorTables{
		Title:       "How long a pushed rim takes to come to rest: " + m.Car,
		Subtitle:    "Seconds until it stays within 1°, after a release at 0.2 rad or 2 N·m for 100 ms, the worse of both; 10 s are simulated",
		ColumnTitle: "speed [km/h]",
		Key: []chart.Swatch{
			{Colour: quickColor, Name: "within 1 s"}, {Colour: soonColor, Name: "within 3 s"}, {Colour: lateColor, Name: "later"},
			{Colour: swingingColor, Name: "keeps oscillating: amplitude and frequency"},
		},
	}
	for _, v := range m.grid.Speeds {
		c.Columns = append(c.Columns, fmt.Sprintf("%g", roundOff(v*3.6)))
	}
	size := len(m.grid.Delays) * len(m.grid.Speeds)
	for h := range m.grid.Hands { // one row of tables for each hand, with the wheels side by side
		for w := range m.grid.Wheels {
			at := (w*len(m.grid.Hands) + h) * size
			c.Tables = append(c.Tables, m.table(m.Points[at:at+size]))
		}
	}
	return c.Render(format)
}

// table returns the table of one wheel and hand.
func (m *Map) table(points []Point) chart.ColorTable {
	t := chart.ColorTable{Title: points[0].Wheel + ": " + points[0].Hand, RowTitle: "delay"}
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

// cell returns the cell of a point.
func (p Point) cell() chart.Cell {
	c := chart.Cell{Colour: lateColor, Text: fmt.Sprintf("%.1f", p.SettleTime)}
	switch {
	case !p.Settles:
		return chart.Cell{Colour: swingingColor, Text: fmt.Sprintf("%.1f° %.1f Hz", p.Amplitude, p.Frequency)}
	case p.SettleTime <= 1:
		c.Colour = quickColor
	case p.SettleTime <= 3:
		c.Colour = soonColor
	}
	return c
}

// Print writes how many points settle, and lists the others.
func (m *Map) Print(w io.Writer) error {
	bad := m.Unsettled()
	_, err := io.WriteString(w, printable.Sprintf("%s: the rim settles at %d of %d points\n", m.Car, len(m.Points)-len(bad), len(m.Points)))
	for _, p := range bad {
		if err == nil {
			_, err = fmt.Fprintf(w, "  oscillates: %s\n", p)
		}
	}
	return err
}
