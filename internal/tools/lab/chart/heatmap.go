package chart

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rig.example/rig/internal/kit/valid"
)

// HeatMap is a picture of a table of numbers: a colored cell for each.
type HeatMap struct {
	Title, Subtitle string
	X, Y            string      // what varies from column to column, and from row to row
	Columns, Rows   []string    // names, from the left and from the bottom
	Values          [][]float64 // by row, then column; gray for NaN and Inf
	Unit            string      // of the values, for the key
}

const (
	heatSize     = 16 * vg.Centimeter // of the longer side of the map
	heatCell     = 2.2 * vg.Centimeter
	heatLabels   = 2.6 * vg.Centimeter // room left of the map and, two thirds, below it
	heatKeySteps = 64
	heatTextSize = 1.2 * vg.Centimeter // smallest cell that shows its number
)

// missingColor is that of a cell without a value.
var missingColor = color.Gray{205}

// Render returns the map in a format: svg or png.
func (m HeatMap) Render(format string) ([]byte, error) {
	columns, rows := vg.Length(len(m.Columns)), vg.Length(len(m.Rows))
	cell := min(heatCell, heatSize/max(columns, rows))
	low, high := m.valueRange()
	out, all := newPage(format, m.Title, m.Subtitle, columns*cell+heatLabels+keyWidth, max(rows*cell, 4*vg.Centimeter)+heatLabels*2/3)
	corner := vg.Point{X: all.Min.X + heatLabels, Y: all.Max.Y - headHeight - rows*cell} // lower left
	for i, row := range m.Values {
		for j, v := range row {
			m.drawCell(all, corner.X+cell*vg.Length(j), corner.Y+cell*vg.Length(i+1), cell, v, (v-low)/(high-low))
		}
	}
	m.drawNames(all, corner, cell)
	m.drawKey(all, vg.Point{X: corner.X + columns*cell + margin, Y: all.Max.Y - headHeight}, low, high)
	return encode(out, format)
}

// valueRange returns the least and the greatest value, which differ.
func (m HeatMap) valueRange() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, row := range m.Values {
		for _, v := range row {
			if valid.Finite(v) {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	if !(low < high) {
		if !valid.Finite(low) {
			low = 0
		}
		high = low + 1
	}
	return low, high
}

// drawCell draws the cell of a value with its upper left corner at x, y. share is where the value is in the range.
func (m HeatMap) drawCell(on draw.Canvas, x, y, size vg.Length, v, share float64) {
	fill, ink := color.Color(missingColor), color.Color(color.Black)
	text := "none"
	if valid.Finite(v) {
		fill, text = heatColor(share), strconv.FormatFloat(v, 'g', 3, 64)
		if share < 0.5 {
			ink = color.White
		}
	}
	fillRect(on, fill, x, y, size, size)
	if size >= heatTextSize {
		style := smallStyle()
		style.XAlign, style.Color = draw.XCenter, ink
		on.FillText(style, vg.Point{X: x + size/2, Y: y - size/2}, text)
	}
}

// heatColor returns the color of a share of the range.
func heatColor(share float64) color.Color {
	return curveColor(int(math.Round(share*heatKeySteps)), heatKeySteps+1)
}

// drawNames draws the names of rows and columns, as many as there is room for, and of the axes.
func (m HeatMap) drawNames(on draw.Canvas, corner vg.Point, cell vg.Length) {
	style := smallStyle()
	every := func(room vg.Length) int { return max(1, int(math.Ceil(float64(room/cell)))) }
	style.XAlign = draw.XRight
	for i := 0; i < len(m.Rows); i += every(lineHeight) {
		on.FillText(style, vg.Point{X: corner.X - 4, Y: corner.Y + cell*(vg.Length(i)+0.5)}, m.Rows[i])
	}
	style.XAlign = draw.XCenter
	for j := 0; j < len(m.Columns); j += every(heatTextSize) {
		on.FillText(style, vg.Point{X: corner.X + cell*(vg.Length(j)+0.5), Y: corner.Y - lineHeight/2 - 3}, m.Columns[j])
	}
	title := sansStyle(10)
	title.XAlign, title.YAlign = draw.XCenter, draw.YCenter
	on.FillText(title, vg.Point{X: corner.X + cell*vg.Length(len(m.Columns))/2, Y: corner.Y - 2.2*lineHeight}, m.X)
	title.Rotation = math.Pi / 2
	on.FillText(title, vg.Point{X: on.Min.X + lineHeight/2, Y: corner.Y + cell*vg.Length(len(m.Rows))/2}, m.Y)
}

// drawKey draws the scale of the colors, with its upper left corner at a point.
func (m HeatMap) drawKey(on draw.Canvas, at vg.Point, low, high float64) {
	const height = 3.2 * vg.Centimeter
	const step = height / heatKeySteps
	for i := range heatKeySteps {
		fillRect(on, heatColor(1-float64(i)/(heatKeySteps-1)), at.X, at.Y-step*vg.Length(i), 11, step+0.3)
	}
	style := smallStyle()
	for _, share := range [...]float64{0, 0.5, 1} {
		text := strconv.FormatFloat(low+share*(high-low), 'g', 4, 64) + " " + m.Unit
		on.FillText(style, vg.Point{X: at.X + 16, Y: at.Y - height*vg.Length(1-share)}, text)
	}
	fillRect(on, missingColor, at.X, at.Y-height-11, 11, 11)
	on.FillText(style, vg.Point{X: at.X + 16, Y: at.Y - height - 16.5}, "none")
}
