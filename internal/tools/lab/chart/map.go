package chart

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Map is a picture of the ground from above, with north up.
type Map struct {
	Title, Subtitle      string
	Ground               image.Image
	SouthWest, NorthEast [2]float64 // corners of Ground: x to the east and y to the north [m]
	Traces               []Trace    // drawn in this order
	Labels               []Label    // drawn over the traces
	Key                  []Swatch   // names of the colors, drawn at the right
}

// Trace is a line over the ground.
type Trace struct {
	X, Y   []float64 // [m]
	Colour color.Color
	Width  float64 // width of the drawn line [pt]
	Dashed bool
}

// Label is a marker at a point, with a text beside it.
type Label struct {
	X, Y   float64 // [m]
	Text   string
	Colour color.Color
	Cross  bool // a cross instead of a dot
}

// Swatch is a color and its name in a key.
type Swatch struct {
	Colour color.Color
	Name   string
	Hatch  color.Color // of lines over the color; nil for none
}

const (
	maxMapSize = 24 * vg.Centimeter
	keyWidth   = 4.6 * vg.Centimeter
)

// Render returns the map in a format: svg or png.
func (m Map) Render(format string) ([]byte, error) {
	width, height := m.NorthEast[0]-m.SouthWest[0], m.NorthEast[1]-m.SouthWest[1]
	scale := maxMapSize / vg.Length(max(width, height, 1e-3))
	w, h := max(scale*vg.Length(width), 4*vg.Centimeter), max(scale*vg.Length(height), 4*vg.Centimeter)
	out, all := newPage(format, m.Title, m.Subtitle, w+keyWidth, max(h, 15*vg.Length(len(m.Key)+3)))
	top := all.Max.Y - headHeight
	area := draw.Canvas{Canvas: all.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: all.Min.X, Y: top - h}, Max: vg.Point{X: all.Min.X + w, Y: top}}}
	sheet := mapSheet{area, m.SouthWest, scale}
	area.DrawImage(vg.Rectangle{Min: area.Min, Max: sheet.at(m.NorthEast[0], m.NorthEast[1])}, m.Ground)
	for i := range m.Traces {
		sheet.trace(&m.Traces[i])
	}
	for i := range m.Labels {
		sheet.label(&m.Labels[i])
	}
	x := area.Max.X + margin
	sheet.drawSwatches(m.Key, x, top)
	sheet.scaleBar(width, x, top-15*vg.Length(len(m.Key)+2))
	return encode(out, format)
}

// mapSheet is the part of the sheet that shows the ground.
type mapSheet struct {
	draw.Canvas
	low   [2]float64
	scale vg.Length // per metre
}

// at returns the position of x, y [m] on the sheet.
func (s *mapSheet) at(x, y float64) vg.Point {
	return vg.Point{X: s.Min.X + s.scale*vg.Length(x-s.low[0]), Y: s.Min.Y + s.scale*vg.Length(y-s.low[1])}
}

// trace draws a trace.
func (s *mapSheet) trace(t *Trace) {
	style := draw.LineStyle{Color: t.Colour, Width: vg.Length(t.Width)}
	if t.Dashed {
		style.Dashes = []vg.Length{6, 4}
	}
	points := make([]vg.Point, len(t.X))
	for i := range points {
		points[i] = s.at(t.X[i], t.Y[i])
	}
	s.StrokeLines(style, points)
}

// label draws a label.
func (s *mapSheet) label(l *Label) {
	at := s.at(l.X, l.Y)
	glyph := draw.GlyphStyle{Color: l.Colour, Radius: 2.5, Shape: draw.CircleGlyph{}}
	if l.Cross {
		glyph.Radius, glyph.Shape = 4, draw.CrossGlyph{}
	}
	s.DrawGlyph(glyph, at)
	if l.Text == "" {
		return
	}
	at.X += 5
	style := smallStyle()
	for _, shift := range [...]vg.Point{{X: -0.7}, {X: 0.7}, {Y: -0.7}, {Y: 0.7}} { // a white outline for dark grounds
		style.Color = color.White
		s.FillText(style, vg.Point{X: at.X + shift.X, Y: at.Y + shift.Y}, l.Text)
	}
	style.Color = color.Black
	s.FillText(style, at, l.Text)
}

// smallStyle returns the style of small labels, vertically centered.
func smallStyle() text.Style {
	style := sansStyle(8)
	style.YAlign = draw.YCenter
	return style
}

// drawSwatches draws the key: colors and their names.
func (s *mapSheet) drawSwatches(list []Swatch, x, y vg.Length) {
	for _, k := range list {
		y -= 15
		box := vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + 11, Y: y + 11}}
		s.FillPolygon(k.Colour, []vg.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}})
		if k.Hatch != nil {
			style := draw.LineStyle{Color: k.Hatch, Width: 1.5}
			for _, at := range [...]vg.Length{4, 8, 11} {
				low, right := max(at-11, 0), min(at, 11)
				s.StrokeLines(style, []vg.Point{{X: x + low, Y: y + at - low}, {X: x + right, Y: y + at - right}})
			}
		}
		s.FillText(smallStyle(), vg.Point{X: x + 16, Y: y + 5.5}, k.Name)
	}
}

// scaleBar draws a scale bar of a round length that fits below the key.
func (s *mapSheet) scaleBar(mapWidth float64, x, y vg.Length) {
	limit := min(mapWidth, float64((keyWidth-2*margin)/s.scale))
	length := math.Pow(10, math.Floor(math.Log10(limit)))
	for _, factor := range [...]float64{5, 2} {
		if factor*length <= limit {
			length *= factor
			break
		}
	}
	end := x + s.scale*vg.Length(length)
	style := draw.LineStyle{Color: color.Black, Width: 1.2}
	s.StrokeLines(style, []vg.Point{{X: x, Y: y + 3}, {X: x, Y: y}, {X: end, Y: y}, {X: end, Y: y + 3}})
	s.FillText(smallStyle(), vg.Point{X: x, Y: y - 8}, strconv.FormatFloat(length, 'g', -1, 64)+" m")
}
