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

// Map is a picture of the ground as seen from above, north up.
type Map struct {
	Title, Below string
	Ground       image.Image
	Low, High    [2]float64 // corners of what it shows: x and y [m]
	Traces       []Trace    // drawn in this order
	Labels       []Label    // on top of them
	Key          []Swatch   // at the right
}

// Trace is a line over the ground.
type Trace struct {
	X, Y   []float64 // [m]
	Colour color.Color
	Width  float64 // on the paper [pt]
	Dashed bool
}

// Label is a mark at a place, with a text beside it.
type Label struct {
	X, Y   float64 // [m]
	Text   string
	Colour color.Color
	Cross  bool // a cross in place of a dot
}

// Swatch says what a colour is.
type Swatch struct {
	Colour color.Color
	Name   string
}

const (
	mapLongest = 24 * vg.Centimeter
	keyWidth   = 4.6 * vg.Centimeter
)

// Render draws the map in a format.
func (m Map) Render(format string) ([]byte, error) {
	wide, high := m.High[0]-m.Low[0], m.High[1]-m.Low[1]
	scale := mapLongest / vg.Length(max(wide, high, 1e-3))
	w, h := max(scale*vg.Length(wide), 4*vg.Centimeter), max(scale*vg.Length(high), 4*vg.Centimeter)
	head := Sheet{Title: m.Title, Below: m.Below}.head()
	tall := max(h, 15*vg.Length(len(m.Key)+3))
	out := paper(format, max(w+keyWidth, head.width())+2*margin, tall+headHeight+2*margin)
	all := draw.Crop(draw.New(out), margin, -margin, margin, -margin)
	all.SetColor(color.White)
	all.Fill(draw.New(out).Rectangle.Path())
	head.draw(all)
	top := all.Max.Y - headHeight
	area := draw.Canvas{Canvas: all.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: all.Min.X, Y: top - h}, Max: vg.Point{X: all.Min.X + w, Y: top}}}
	sheet := mapSheet{area, m.Low, scale}
	area.DrawImage(vg.Rectangle{Min: area.Min, Max: sheet.at(m.High[0], m.High[1])}, m.Ground)
	for i := range m.Traces {
		sheet.trace(&m.Traces[i])
	}
	for i := range m.Labels {
		sheet.label(&m.Labels[i])
	}
	x := area.Max.X + margin
	sheet.key(m.Key, x, top)
	sheet.bar(wide, x, top-15*vg.Length(len(m.Key)+2))
	return encode(out, format)
}

// mapSheet is the part of the paper that shows the ground.
type mapSheet struct {
	draw.Canvas
	low   [2]float64
	scale vg.Length // for each metre
}

func (s *mapSheet) at(x, y float64) vg.Point {
	return vg.Point{X: s.Min.X + s.scale*vg.Length(x-s.low[0]), Y: s.Min.Y + s.scale*vg.Length(y-s.low[1])}
}

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
	style := small()
	for _, by := range [...]vg.Point{{X: -0.7}, {X: 0.7}, {Y: -0.7}, {Y: 0.7}} { // a rim, for dark grounds
		style.Color = color.White
		s.FillText(style, vg.Point{X: at.X + by.X, Y: at.Y + by.Y}, l.Text)
	}
	style.Color = color.Black
	s.FillText(style, at, l.Text)
}

func small() text.Style {
	style := sans(8)
	style.YAlign = draw.YCenter
	return style
}

// key lists what the colours are.
func (s *mapSheet) key(list []Swatch, x, y vg.Length) {
	for _, k := range list {
		y -= 15
		box := vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + 11, Y: y + 11}}
		s.FillPolygon(k.Colour, []vg.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}})
		s.FillText(small(), vg.Point{X: x + 16, Y: y + 5.5}, k.Name)
	}
}

// bar draws a scale of a round length, about a quarter of the map.
func (s *mapSheet) bar(wide float64, x, y vg.Length) {
	most := min(wide, float64((keyWidth-2*margin)/s.scale))
	long := math.Pow(10, math.Floor(math.Log10(most)))
	for _, by := range [...]float64{5, 2} {
		if by*long <= most {
			long *= by
			break
		}
	}
	end := x + s.scale*vg.Length(long)
	style := draw.LineStyle{Color: color.Black, Width: 1.2}
	s.StrokeLines(style, []vg.Point{{X: x, Y: y + 3}, {X: x, Y: y}, {X: end, Y: y}, {X: end, Y: y + 3}})
	s.FillText(small(), vg.Point{X: x, Y: y - 8}, strconv.FormatFloat(long, 'g', -1, 64)+" m")
}
