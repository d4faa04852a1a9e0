package chart

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

func TestCellsShowColorsAndTexts(t *testing.T) {
	red, green := color.RGBA{200, 40, 40, 255}, color.RGBA{150, 210, 150, 255}
	c := ColorTables{
		Title: "A table", Subtitle: "and what it is", ColumnTitle: "speed", Columns: []string{"0", "20"},
		Tables: []ColorTable{{Title: "free", RowTitle: "delay", Rows: []string{"2 ms"}, Cells: [][]Cell{{{red, "5.0"}, {green, "0.1"}}}}},
		Key:    []Swatch{{Colour: red, Name: "swings"}},
	}
	svg, err := c.Render("svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"A table", "2 ms", "swings", "5.0", "#C82828"} {
		if !strings.Contains(string(svg), word) {
			t.Errorf("%q is not in the picture", word)
		}
	}
	data, err := c.Render("png")
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[color.RGBA]int{}
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			r, g, b, _ := m.At(x, y).RGBA()
			seen[color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}]++
		}
	}
	if seen[red] < 100 || seen[green] < 100 {
		t.Errorf("%d red and %d green pixels", seen[red], seen[green])
	}
}
