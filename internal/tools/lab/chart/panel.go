package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rig.example/rig/internal/kit/valid"
)

// diagrams returns the plots of all panels, nil for a panel without series.
func (s Sheet) diagrams() [][]*plot.Plot {
	plots := make([][]*plot.Plot, len(s.Rows))
	for i, row := range s.Rows {
		lines := s.legendLines(row)
		for _, p := range row {
			var d *plot.Plot
			if len(p.Series) > 0 {
				d = p.diagram()
				if !s.SharedLegend {
					d.Title.Text, d.Title.Padding = p.heading(), 4+legendLineHeight*vg.Length(lines)
				}
			}
			plots[i] = append(plots[i], d)
		}
	}
	return plots
}

// legendLines returns the number of lines that a row reserves for legends, so that its titles are level.
func (s Sheet) legendLines(row []Panel) (lines int) {
	for _, p := range row {
		_, n := p.layoutLegend()
		lines = max(lines, n)
	}
	return lines
}

// titleStyle returns the style of a panel's title.
func titleStyle() text.Style {
	style := sansStyle(11)
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	return style
}

// heading returns the title, or a space that reserves the room of a title.
func (p Panel) heading() string {
	if p.Title == "" {
		return " "
	}
	return p.Title
}

// diagram returns the plot of the curves over a grid.
func (p Panel) diagram() *plot.Plot {
	d := plot.New()
	d.Title.Text, d.X.Label.Text, d.Y.Label.Text = p.Title, p.X, p.Y
	d.Title.TextStyle.Font = sansStyle(11).Font
	for _, a := range []*plot.Axis{&d.X, &d.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = sansStyle(10).Font, sansStyle(9).Font
		a.Label.Padding = 3
		a.Tick.Marker, a.Padding = ticks{}, 0
		a.LineStyle.Width, a.Tick.LineStyle.Width, a.Tick.Length = 0, vg.Points(0.5), 4
	}
	if p.LogX {
		d.X.Scale, d.X.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	if p.empty() {
		d.HideAxes()
		d.Add(emptyPanel{})
		d.X.Min, d.X.Max, d.Y.Min, d.Y.Max = 1, 2, 1, 2 // any range: it is not shown
		return d
	}
	d.Add(gridAndFrame()...)
	for i, s := range p.Series {
		d.Add(s.mark(curveColor(i, len(p.Series))))
	}
	p.setRange(d)
	return d
}

// gridAndFrame returns the grid and the frame of a diagram, which are drawn below the curves.
func gridAndFrame() []plot.Plotter {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = color.Gray{212}, color.Gray{212}
	return []plot.Plotter{g, frame{}}
}

// mark draws a curve, in a diagram and in a legend.
type mark interface {
	plot.Plotter
	plot.Thumbnailer
}

// mark returns the line or the dots of a curve in this color.
func (s Series) mark(col color.Color) mark {
	xys := s.points()
	if len(xys) == 1 || s.Dots {
		radius := vg.Length(2 * lineWidth)
		if s.Dots {
			radius = lineWidth
		}
		return &plotter.Scatter{XYs: xys, GlyphStyle: draw.GlyphStyle{Color: col, Radius: radius, Shape: draw.CircleGlyph{}}}
	}
	l := &plotter.Line{XYs: xys, LineStyle: draw.LineStyle{Color: col, Width: vg.Points(lineWidth)}}
	if s.Dashed {
		l.Width, l.Dashes = vg.Points(lineWidth/1.5), []vg.Length{4, 2}
	}
	return l
}

// points returns the points without NaN and Inf.
func (s Series) points() plotter.XYs {
	xys := make(plotter.XYs, 0, len(s.X))
	for i, x := range s.X {
		if i < len(s.Y) && valid.Finite(x) && valid.Finite(s.Y[i]) {
			xys = append(xys, plotter.XY{X: x, Y: s.Y[i]})
		}
	}
	return xys
}

// setRange sets the ranges of the axes, with a margin above and below the curves.
func (p Panel) setRange(d *plot.Plot) {
	if p.Square {
		limit := 1.05 * math.Max(math.Max(-d.X.Min, d.X.Max), math.Max(-d.Y.Min, d.Y.Max))
		d.X.Min, d.X.Max, d.Y.Min, d.Y.Max = -limit, limit, -limit, limit
		return
	}
	pad := 0.05 * (d.Y.Max - d.Y.Min)
	pad = math.Max(pad, (p.MinRange-(d.Y.Max-d.Y.Min))/2)
	d.Y.Min -= pad
	d.Y.Max += pad
}

// empty reports whether there is no point to draw.
func (p Panel) empty() bool {
	for _, s := range p.Series {
		if len(s.points()) > 0 {
			return false
		}
	}
	return true
}

// emptyText is the text of a panel without curves.
const emptyText = "nothing to show"

// emptyPanel draws a diagram without points: a frame with a text, and no numbers.
type emptyPanel struct{}

// Plot implements plot.Plotter.
func (emptyPanel) Plot(c draw.Canvas, _ *plot.Plot) {
	c.SetLineStyle(draw.LineStyle{Color: color.Gray{90}, Width: vg.Points(0.75)})
	c.Stroke(c.Rectangle.Path())
	style := sansStyle(10)
	style.Color, style.XAlign, style.YAlign = color.Gray{90}, draw.XCenter, draw.YCenter
	c.FillText(style, c.Center(), emptyText)
}

// palette runs from dark to light, so that the order of the curves is visible in gray, too, and to color-blind
// readers.
var palette = []color.RGBA{{68, 1, 84, 255}, {59, 82, 139, 255}, {33, 145, 140, 255}, {94, 180, 78, 255}, {214, 170, 30, 255}}

// curveColor returns the color of curve i of n.
func curveColor(i, n int) color.Color {
	at := float64(len(palette)-1) * float64(i) / math.Max(1, float64(n-1))
	k := min(int(at), len(palette)-2)
	a, b, share := palette[k], palette[k+1], at-float64(k)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// frame draws the edge of the diagram, and the lines through 0 that are inside of it.
type frame struct{}

// Plot implements plot.Plotter.
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
