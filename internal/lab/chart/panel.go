package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// diagrams builds every panel; one without curves stays empty.
func (s Sheet) diagrams() [][]*plot.Plot {
	plots := make([][]*plot.Plot, len(s.Rows))
	for i, row := range s.Rows {
		lines := s.lines(row)
		for _, p := range row {
			var d *plot.Plot
			if len(p.Series) > 0 {
				d = p.diagram()
				if !s.Shared {
					d.Title.Text, d.Title.Padding = p.heading(), 4+stripLine*vg.Length(lines)
				}
			}
			plots[i] = append(plots[i], d)
		}
	}
	return plots
}

// lines is how many a row keeps free for legends, so that its titles stand on
// one line.
func (s Sheet) lines(row []Panel) (most int) {
	for _, p := range row {
		_, n := p.entries()
		most = max(most, n)
	}
	return most
}

func titleStyle() text.Style {
	style := sans(11)
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	return style
}

// heading is the title, or a blank that keeps the room of a title and a legend.
func (p Panel) heading() string {
	if p.Title == "" {
		return " "
	}
	return p.Title
}

// diagram draws the curves over a grid.
func (p Panel) diagram() *plot.Plot {
	d := plot.New()
	d.Title.Text, d.X.Label.Text, d.Y.Label.Text = p.Title, p.X, p.Y
	d.Title.TextStyle.Font = sans(11).Font
	for _, a := range []*plot.Axis{&d.X, &d.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = sans(10).Font, sans(9).Font
		a.Label.Padding = 3
		a.Tick.Marker, a.Padding = ticks{}, 0
		a.LineStyle.Width, a.Tick.LineStyle.Width, a.Tick.Length = 0, vg.Points(0.5), 4
	}
	if p.LogX {
		d.X.Scale, d.X.Tick.Marker = plot.LogScale{}, decades{}
	}
	if p.empty() {
		d.HideAxes()
		d.Add(blank{})
		d.X.Min, d.X.Max, d.Y.Min, d.Y.Max = 1, 2, 1, 2 // of no meaning, and not shown
		return d
	}
	d.Add(lattice()...)
	for i, s := range p.Series {
		d.Add(s.mark(shade(i, len(p.Series))))
	}
	p.scale(d)
	return d
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

// mark returns a curve's line, or the dots of one that is no line.
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
	if s.Thin {
		l.Width, l.Dashes = vg.Points(lineWidth/1.5), []vg.Length{4, 2}
	}
	return l
}

// points are those that can be drawn.
func (s Series) points() plotter.XYs {
	xys := make(plotter.XYs, 0, len(s.X))
	for i, x := range s.X {
		if i < len(s.Y) && finite(x) && finite(s.Y[i]) {
			xys = append(xys, plotter.XY{X: x, Y: s.Y[i]})
		}
	}
	return xys
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// scale leaves some air above and below the curves.
func (p Panel) scale(d *plot.Plot) {
	if p.Square {
		most := 1.05 * math.Max(math.Max(-d.X.Min, d.X.Max), math.Max(-d.Y.Min, d.Y.Max))
		d.X.Min, d.X.Max, d.Y.Min, d.Y.Max = -most, most, -most, most
		return
	}
	air := 0.05 * (d.Y.Max - d.Y.Min)
	air = math.Max(air, (p.Least-(d.Y.Max-d.Y.Min))/2)
	d.Y.Min -= air
	d.Y.Max += air
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

// nothing stands where there is no curve.
const nothing = "nothing to show"

// blank is a diagram without any point: a frame and a word between the names of the axes, no
// numbers.
type blank struct{}

func (blank) Plot(c draw.Canvas, _ *plot.Plot) {
	c.SetLineStyle(draw.LineStyle{Color: color.Gray{90}, Width: vg.Points(0.75)})
	c.Stroke(c.Rectangle.Path())
	style := sans(10)
	style.Color, style.XAlign, style.YAlign = color.Gray{90}, draw.XCenter, draw.YCenter
	c.FillText(style, c.Center(), nothing)
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
