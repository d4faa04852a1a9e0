// Package chart draws sheets of diagrams, maps and colored tables. Its input is plain values. Its output is the
// bytes of an SVG or PNG picture, always the same for the same input. It writes no files and knows nothing of
// cars.
package chart

import (
	"bytes"
	"image/color"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Sizes on the sheet.
const (
	panelWidth  = 12 * vg.Centimeter
	panelHeight = 9 * vg.Centimeter
	headHeight  = 1.5 * vg.Centimeter
	margin      = 0.4 * vg.Centimeter
	lineWidth   = 1.5 // [pt]
	dpi         = 120
)

// Sheet is a picture with a heading and rows of panels. All rows must have the same number of panels.
type Sheet struct {
	Title        string
	Subtitle     string // second line of the heading, in smaller letters
	Rows         [][]Panel
	SharedLegend bool // all panels have the curves of the first one, and share one legend at the right
}

// Panel is one diagram. The labels X and Y name the quantities with their units.
type Panel struct {
	Title    string
	X, Y     string
	Series   []Series
	Square   bool    // the same scale on both axes, with 0 in the middle
	LogX     bool    // the horizontal axis is logarithmic: its values must be positive
	MinRange float64 // minimum range of the vertical axis, so that noise looks small
}

// Series is a curve. Points with NaN or Inf are left out.
type Series struct {
	Name   string // name in the legend; may be empty for a single curve
	X, Y   []float64
	Dots   bool // draw dots instead of a line
	Dashed bool // draw a thinner dashed line, as for a reference
}

// InRows returns panels in rows of at most perRow. The last of several rows is filled with empty panels.
func InRows(panels []Panel, perRow int) [][]Panel {
	if len(panels) == 0 {
		return nil
	}
	rows := slices.Collect(slices.Chunk(panels, perRow))
	last := len(rows) - 1
	if missing := len(rows[0]) - len(rows[last]); missing > 0 {
		rows[last] = append(slices.Clone(rows[last]), make([]Panel, missing)...)
	}
	return rows
}

// Followed returns the panel of an axis of a platform: its target over time [s], and its feedback unless that is nil.
func Followed(axis, unit string, times, target, feedback []float64) Panel {
	p := Panel{Title: axis, X: "time [s]", Y: "position [" + unit + "]", Series: []Series{{Name: "target", X: times, Y: target}}}
	if feedback != nil {
		p.Series = append(p.Series, Series{Name: "feedback", X: times, Y: feedback, Dashed: true})
	}
	return p
}

// Format returns the extension of path without its dot, in lower case, and whether it is svg or png.
func Format(path string) (format string, ok bool) {
	format = strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	return format, format == "svg" || format == "png"
}

// Render returns the sheet in a format: svg or png.
func (s Sheet) Render(format string) ([]byte, error) {
	canvas, err := s.draw(format)
	if err != nil {
		return nil, err
	}
	return encode(canvas, format)
}

// encode returns the bytes of a canvas in its format.
func encode(canvas vg.CanvasWriterTo, format string) ([]byte, error) {
	var picture bytes.Buffer
	if _, err := canvas.WriteTo(&picture); err != nil {
		return nil, err
	}
	data := picture.Bytes()
	if format == "svg" {
		data = bytes.ReplaceAll(data, []byte(svgFont), []byte(svgFonts))
	}
	return data, nil
}

// svgFont is the font of an SVG from the plot library. encode replaces it by svgFonts, which adds other
// fonts of the same letter widths for systems without the first.
const (
	svgFont  = "font-family:Liberation Sans;"
	svgFonts = "font-family:Liberation Sans,Arial,Helvetica,sans-serif;"
)

// draw draws the panels, the heading above them and a shared legend to the right. The sheet is wide enough for
// panels and heading.
func (s Sheet) draw(format string) (vg.CanvasWriterTo, error) {
	width := panelWidth
	if s.Rows[0][0].Square {
		width = panelHeight
	}
	width *= vg.Length(len(s.Rows[0]))
	height := panelHeight * vg.Length(len(s.Rows))
	var shared legend
	if s.SharedLegend {
		shared = newLegend(s.Rows[0][0], height)
	}
	plots := s.diagrams()
	out, all := newPage(format, s.Title, s.Subtitle, width+shared.totalWidth(), height)
	below := draw.Crop(all, 0, 0, 0, -headHeight)
	shared.draw(draw.Crop(below, width, 0, 0, 0))
	s.drawPanels(plots, draw.Crop(below, 0, all.Min.X+width-all.Max.X, 0, 0))
	return out, nil
}

// drawPanels draws the diagrams in rows, each with its own legend unless they share one.
func (s Sheet) drawPanels(plots [][]*plot.Plot, c draw.Canvas) {
	tiles := draw.Tiles{Rows: len(plots), Cols: len(plots[0]), PadX: margin, PadY: margin}
	cells := plot.Align(plots, tiles, c)
	for i, row := range plots {
		for j, p := range row {
			if p == nil {
				continue
			}
			p.Draw(cells[i][j])
			if !s.SharedLegend {
				s.Rows[i][j].drawLegend(cells[i][j])
			}
		}
	}
}

// newPage returns a white canvas in a format with a heading above a body of a size, and the part of it within the margins.
func newPage(format, title, subtitle string, width, height vg.Length) (out vg.CanvasWriterTo, all draw.Canvas) {
	head := newHeading(title, subtitle)
	out = newCanvas(format, max(width, head.width())+2*margin, height+headHeight+2*margin)
	all = draw.Crop(draw.New(out), margin, -margin, margin, -margin)
	all.SetColor(color.White)
	all.Fill(draw.New(out).Rectangle.Path())
	head.draw(all)
	return out, all
}

// newCanvas returns an empty canvas of this size for a format.
func newCanvas(format string, w, h vg.Length) vg.CanvasWriterTo {
	if format == "svg" {
		return vgsvg.New(w, h)
	}
	return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))}
}

// heading is the title of a sheet and the subtitle below it.
type heading struct {
	title, subtitle           string
	titleStyle, subtitleStyle text.Style
}

// newHeading returns a heading in its styles.
func newHeading(title, subtitle string) heading {
	h := heading{title, subtitle, sansStyle(14), sansStyle(9)}
	h.titleStyle.YAlign, h.subtitleStyle.YAlign = draw.YTop, draw.YTop
	h.subtitleStyle.Color = color.Gray{90}
	return h
}

// width returns the width of the longer line.
func (h heading) width() vg.Length {
	return max(h.titleStyle.Width(h.title), h.subtitleStyle.Width(h.subtitle))
}

// draw draws the heading at the upper left corner of c.
func (h heading) draw(c draw.Canvas) {
	c.FillText(h.titleStyle, vg.Point{X: c.Min.X, Y: c.Max.Y}, h.title)
	c.FillText(h.subtitleStyle, vg.Point{X: c.Min.X, Y: c.Max.Y - 20}, h.subtitle)
}

// sansStyle returns a black sans-serif text style of this size.
func sansStyle(size font.Length) text.Style {
	f := font.From(plot.DefaultFont, size)
	f.Variant = "Sans"
	return text.Style{Color: color.Black, Font: f, Handler: plot.DefaultTextHandler}
}
