package tirerig

import (
	"bytes"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
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
	canvas, err := r.draw(rows, format(path))
	if err != nil {
		return err
	}
	var picture bytes.Buffer
	if _, err := canvas.WriteTo(&picture); err != nil {
		return err
	}
	data := picture.Bytes()
	if format(path) == "svg" {
		data = bytes.ReplaceAll(data, []byte(svgFont), []byte(svgFonts))
	}
	return sink{path: path}.fill(func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// The font's name in an SVG, and with it those of the same widths for where it
// is not installed.
const (
	svgFont  = "font-family:Liberation Sans;"
	svgFonts = "font-family:Liberation Sans,Arial,Helvetica,sans-serif;"
)

// CheckPlot refuses a name whose ending is no format of a plot.
func CheckPlot(path string) error {
	if f := format(path); f == "svg" || f == "png" {
		return nil
	}
	return wrong("--plot", "%q: end the name with .svg or .png", path)
}

func format(path string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
}

// draw lays the panels out, the heading above and the legend to the right. The
// sheet is as wide as the wider of both.
func (r *Result) draw(rows [][]panel, format string) (vg.CanvasWriterTo, error) {
	wide := panelWidth
	if rows[0][0].square {
		wide = panelHeight
	}
	wide *= vg.Length(len(rows[0]))
	high := panelHeight * vg.Length(len(rows))
	names, err := newLegend(rows[0][0], high)
	if err != nil {
		return nil, err
	}
	plots, err := diagrams(rows)
	if err != nil {
		return nil, err
	}
	head := r.head()
	out := sheet(format, max(wide+names.total(), head.width())+2*margin, high+headHeight+2*margin)
	all := draw.Crop(draw.New(out), margin, -margin, margin, -margin)
	all.SetColor(color.White)
	all.Fill(draw.New(out).Rectangle.Path())
	head.draw(all)
	below := draw.Crop(all, 0, 0, 0, -headHeight)
	names.draw(draw.Crop(below, wide, 0, 0, 0))
	tile(plots, draw.Crop(below, 0, all.Min.X+wide-all.Max.X, 0, 0))
	return out, nil
}

// tile draws the diagrams in rows.
func tile(plots [][]*plot.Plot, c draw.Canvas) {
	tiles := draw.Tiles{Rows: len(plots), Cols: len(plots[0]), PadX: margin, PadY: margin}
	cells := plot.Align(plots, tiles, c)
	for i, row := range plots {
		for j, p := range row {
			p.Draw(cells[i][j])
		}
	}
}

func sheet(format string, w, h vg.Length) vg.CanvasWriterTo {
	if format == "svg" {
		return vgsvg.New(w, h)
	}
	return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))}
}

// heading is the sheet's first lines: which tire, and below it what is held.
type heading struct {
	tire, held       string
	tireFont, heldIn text.Style
}

func (r *Result) head() heading {
	h := heading{r.headline(), r.conditions(), sans(14), sans(9)}
	h.tireFont.YAlign, h.heldIn.YAlign = draw.YTop, draw.YTop
	h.heldIn.Color = color.Gray{90}
	return h
}

func (h heading) width() vg.Length {
	return max(h.tireFont.Width(h.tire), h.heldIn.Width(h.held))
}

func (h heading) draw(c draw.Canvas) {
	c.FillText(h.tireFont, vg.Point{X: c.Min.X, Y: c.Max.Y}, h.tire)
	c.FillText(h.heldIn, vg.Point{X: c.Min.X, Y: c.Max.Y - 20}, h.held)
}

func sans(size font.Length) text.Style {
	f := font.From(plot.DefaultFont, size)
	f.Variant = "Sans"
	return text.Style{Color: color.Black, Font: f, Handler: plot.DefaultTextHandler}
}

func diagrams(rows [][]panel) ([][]*plot.Plot, error) {
	plots := make([][]*plot.Plot, len(rows))
	for i, row := range rows {
		for _, p := range row {
			d, err := p.diagram()
			if err != nil {
				return nil, err
			}
			plots[i] = append(plots[i], d)
		}
	}
	return plots, nil
}

// diagram draws the curves over a grid.
func (p panel) diagram() (*plot.Plot, error) {
	d := plot.New()
	d.Title.Text, d.X.Label.Text, d.Y.Label.Text = p.title, p.x.label, p.y.label
	d.Title.TextStyle.Font = sans(11).Font
	for _, a := range []*plot.Axis{&d.X, &d.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = sans(10).Font, sans(9).Font
		a.Label.Padding = 3
		a.Tick.Marker, a.Padding = ticks{}, 0
		a.LineStyle.Width, a.Tick.LineStyle.Width, a.Tick.Length = 0, vg.Points(0.5), 4
	}
	d.Add(lattice()...)
	for i, c := range p.curves {
		m, err := p.mark(c, shade(i, len(p.curves)))
		if err != nil {
			return nil, err
		}
		d.Add(m)
	}
	p.scale(d)
	return d, nil
}

func lattice() []plot.Plotter {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = color.Gray{212}, color.Gray{212}
	return []plot.Plotter{g, frame{}}
}

// mark is a curve, in a diagram and in the legend.
type mark interface {
	plot.Plotter
	plot.Thumbnailer
}

// mark returns a curve's line, or the dot of a curve that has but one point.
func (p panel) mark(c curve, col color.Color) (mark, error) {
	xys := make(plotter.XYs, len(c.Rows))
	for i, row := range c.Rows {
		xys[i] = plotter.XY{X: p.x.of(row), Y: p.y.of(row)}
	}
	if len(xys) == 1 {
		s, err := plotter.NewScatter(xys)
		if err != nil {
			return nil, err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: col, Radius: 2 * lineWidth, Shape: draw.CircleGlyph{}}
		return s, nil
	}
	l, err := plotter.NewLine(xys)
	if err != nil {
		return nil, err
	}
	l.Color, l.Width = col, vg.Points(lineWidth)
	return l, nil
}

// scale leaves some air above and below the curves.
func (p panel) scale(d *plot.Plot) {
	if p.square {
		most := 1.05 * math.Max(math.Max(-d.X.Min, d.X.Max), math.Max(-d.Y.Min, d.Y.Max))
		d.X.Min, d.X.Max, d.Y.Min, d.Y.Max = -most, most, -most, most
		return
	}
	air := 0.05 * (d.Y.Max - d.Y.Min)
	d.Y.Min -= air
	d.Y.Max += air
}

// anchors run from dark to light, so that the order of the curves shows and
// does so in grey and to the colour-blind, too.
var anchors = []color.RGBA{{68, 1, 84, 255}, {59, 82, 139, 255}, {33, 145, 140, 255}, {94, 180, 78, 255}, {214, 170, 30, 255}}

// shade returns the colour of curve i of n.
func shade(i, n int) color.Color {
	at := float64(len(anchors)-1) * float64(i) / math.Max(1, float64(n-1))
	k := min(int(at), len(anchors)-2)
	a, b, share := anchors[k], anchors[k+1], at-float64(k)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// frame draws the diagram's edge, and the axes through 0 where they are inside.
type frame struct{}

func (frame) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.SetLineStyle(draw.LineStyle{Color: color.Gray{90}, Width: vg.Points(0.75)})
	c.Stroke(c.Rectangle.Path())
	style := draw.LineStyle{Color: color.Gray{150}, Width: vg.Points(0.75)}
	if p.X.Min < 0 && p.X.Max > 0 {
		c.StrokeLine2(style, x(0), c.Min.Y, x(0), c.Max.Y)
	}
	if p.Y.Min < 0 && p.Y.Max > 0 {
		c.StrokeLine2(style, c.Min.X, y(0), c.Max.X, y(0))
	}
}

// ticks are at round numbers, about half a dozen, each with its label.
type ticks struct{}

func (ticks) Ticks(low, high float64) []plot.Tick {
	step := roundStep((high - low) / 5)
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	var list []plot.Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		text := strconv.FormatFloat(i*step+0, 'f', decimals, 64)
		list = append(list, plot.Tick{Value: i * step, Label: minus(text)})
	}
	return list
}

// roundStep returns the 1, 2 or 5 times a power of ten that is next to v.
func roundStep(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	switch share := v / unit; {
	case share < 1.5:
		return unit
	case share < 3.5:
		return 2 * unit
	case share < 7.5:
		return 5 * unit
	}
	return 10 * unit
}
