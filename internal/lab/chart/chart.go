// Package chart draws diagrams side by side on a sheet, maps and coloured tables.
// In go plain values, out come the bytes of an SVG or PNG picture, the same for
// the same sheet. It writes no files and knows nothing of cars.
package chart

import (
	"bytes"
	"image/color"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Sizes on the paper.
const (
	panelWidth  = 12 * vg.Centimeter
	panelHeight = 9 * vg.Centimeter
	headHeight  = 1.5 * vg.Centimeter
	margin      = 0.4 * vg.Centimeter
	lineWidth   = 1.5 // [pt]
	dpi         = 120
)

// Sheet is a picture: a heading, and rows of equally many panels.
type Sheet struct {
	Title  string
	Below  string // below the title, smaller: the conditions
	Rows   [][]Panel
	Shared bool // the curves of all panels are those of the first, and one legend at the right names them
}

// Panel is one diagram. Its labels name the quantities with their units.
type Panel struct {
	Title  string
	X, Y   string
	Series []Series
	Square bool    // the same scale on both axes, with 0 in the middle
	LogX   bool    // the horizontal axis is logarithmic, its values above 0
	Least  float64 // height of the vertical axis at the least, so that noise looks as small as it is
}

// Series is a curve. Points that are not finite are left out.
type Series struct {
	Name string // in the legend; a single curve needs none
	X, Y []float64
	Dots bool // no line between the points
	Thin bool // a dashed, thinner line: what another is compared with
}

// Format returns svg or png, whatever a file's name ends with, and whether it
// does.
func Format(path string) (format string, ok bool) {
	format = strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	return format, format == "svg" || format == "png"
}

// Render draws the sheet in a format.
func (s Sheet) Render(format string) ([]byte, error) {
	canvas, err := s.draw(format)
	if err != nil {
		return nil, err
	}
	return encode(canvas, format)
}

// encode writes a canvas in its format.
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

// The font's name in an SVG, and with it those of the same widths for where it
// is not installed.
const (
	svgFont  = "font-family:Liberation Sans;"
	svgFonts = "font-family:Liberation Sans,Arial,Helvetica,sans-serif;"
)

// draw lays the panels out, the heading above and a shared legend to the right.
// The sheet is as wide as the wider of panels and heading.
func (s Sheet) draw(format string) (vg.CanvasWriterTo, error) {
	wide := panelWidth
	if s.Rows[0][0].Square {
		wide = panelHeight
	}
	wide *= vg.Length(len(s.Rows[0]))
	high := panelHeight * vg.Length(len(s.Rows))
	var names legend
	if s.Shared {
		names = newLegend(s.Rows[0][0], high)
	}
	plots := s.diagrams()
	head := s.head()
	out := paper(format, max(wide+names.total(), head.width())+2*margin, high+headHeight+2*margin)
	all := draw.Crop(draw.New(out), margin, -margin, margin, -margin)
	all.SetColor(color.White)
	all.Fill(draw.New(out).Rectangle.Path())
	head.draw(all)
	below := draw.Crop(all, 0, 0, 0, -headHeight)
	names.draw(draw.Crop(below, wide, 0, 0, 0))
	s.tile(plots, draw.Crop(below, 0, all.Min.X+wide-all.Max.X, 0, 0))
	return out, nil
}

// tile draws the diagrams in rows, each below its own legend unless they share one.
func (s Sheet) tile(plots [][]*plot.Plot, c draw.Canvas) {
	tiles := draw.Tiles{Rows: len(plots), Cols: len(plots[0]), PadX: margin, PadY: margin}
	cells := plot.Align(plots, tiles, c)
	for i, row := range plots {
		for j, p := range row {
			if p == nil {
				continue
			}
			p.Draw(cells[i][j])
			if !s.Shared {
				s.Rows[i][j].strip(cells[i][j])
			}
		}
	}
}

func paper(format string, w, h vg.Length) vg.CanvasWriterTo {
	if format == "svg" {
		return vgsvg.New(w, h)
	}
	return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))}
}

// heading is the sheet's first lines: what it is of, and below it what is held.
type heading struct {
	title, below       string
	titleFont, belowIn text.Style
}

func (s Sheet) head() heading {
	h := heading{s.Title, s.Below, sans(14), sans(9)}
	h.titleFont.YAlign, h.belowIn.YAlign = draw.YTop, draw.YTop
	h.belowIn.Color = color.Gray{90}
	return h
}

func (h heading) width() vg.Length {
	return max(h.titleFont.Width(h.title), h.belowIn.Width(h.below))
}

func (h heading) draw(c draw.Canvas) {
	c.FillText(h.titleFont, vg.Point{X: c.Min.X, Y: c.Max.Y}, h.title)
	c.FillText(h.belowIn, vg.Point{X: c.Min.X, Y: c.Max.Y - 20}, h.below)
}

func sans(size font.Length) text.Style {
	f := font.From(plot.DefaultFont, size)
	f.Variant = "Sans"
	return text.Style{Color: color.Black, Font: f, Handler: plot.DefaultTextHandler}
}
