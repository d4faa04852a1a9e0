package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legend names the curves of a panel beside it, in as many columns as it takes.
type legend struct {
	columns []plot.Legend
	width   vg.Length // of a column, with the gap to its left
}

// newLegend measures the names, so that they fit into the height.
func newLegend(p Panel, height vg.Length) legend {
	if !p.named() {
		return legend{}
	}
	all := plainLegend()
	for _, s := range p.Series {
		all.Add(s.Name)
	}
	size := all.Rectangle(draw.Canvas{}).Size()
	n := len(p.Series)
	per := max(1, int(vg.Length(n)*(height/(size.Y+all.Padding))))
	l := legend{width: size.X + margin}
	for i, s := range p.Series {
		if i%per == 0 {
			l.columns = append(l.columns, plainLegend())
		}
		l.columns[i/per].Add(s.Name, s.mark(shade(i, n)))
	}
	return l
}

// named tells whether there is more to tell the curves apart by than a heading.
func (p Panel) named() bool { return len(p.Series) > 0 && p.Series[0].Name != "" }

func plainLegend() plot.Legend {
	l := plot.NewLegend()
	l.TextStyle, l.Top, l.Left, l.Padding = sans(9), true, true, 2
	return l
}

// total is the width of all columns.
func (l legend) total() vg.Length { return l.width * vg.Length(len(l.columns)) }

// draw puts the columns side by side, the first at the left edge.
func (l legend) draw(c draw.Canvas) {
	for i := range l.columns {
		l.columns[i].Draw(draw.Crop(c, margin+l.width*vg.Length(i), 0, 0, 0))
	}
}

// A panel's own legend runs in lines between its title and its diagram.
const (
	stripLine = 13 // height of a line [pt]
	thumb     = 16 // length of a curve's sample [pt]
	stripGap  = 12 // to the next name [pt]
	stripLeft = 36 // about where the diagram begins [pt]
)

// entry is a name in a strip and where it stands.
type entry struct {
	x, y vg.Length // from the strip's upper left corner, down
	name string
	mark mark
}

// entries lays the names out within the panel's width.
func (p Panel) entries() (list []entry, lines int) {
	if !p.named() {
		return nil, 0
	}
	style := sans(9)
	var x vg.Length
	lines = 1
	for i, s := range p.Series {
		wide := thumb + 3 + style.Width(s.Name) + stripGap
		if x > 0 && x+wide > panelWidth-stripLeft {
			x, lines = 0, lines+1
		}
		list = append(list, entry{x, vg.Length(lines-1) * stripLine, s.Name, s.mark(shade(i, len(p.Series)))})
		x += wide
	}
	return list, lines
}

// strip draws the legend into the room that the title's padding keeps free.
func (p Panel) strip(c draw.Canvas) {
	style := sans(9)
	style.YAlign = draw.YCenter
	top := c.Max.Y - titleStyle().Rectangle(p.heading()).Size().Y - 2
	list, _ := p.entries()
	for _, e := range list {
		at := vg.Point{X: c.Min.X + stripLeft + e.x, Y: top - e.y - stripLine/2}
		sample := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: at.X, Y: at.Y - 4}, Max: vg.Point{X: at.X + thumb, Y: at.Y + 4},
		}}
		e.mark.Thumbnail(&sample)
		c.FillText(style, vg.Point{X: at.X + thumb + 3, Y: at.Y}, e.name)
	}
}
