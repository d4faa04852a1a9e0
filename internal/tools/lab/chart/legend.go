package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legend is the shared legend beside the panels, in as many columns as it needs.
type legend struct {
	columns []plot.Legend
	width   vg.Length // width of a column, with the gap to its left
}

// newLegend returns the legend of p's curves in columns of this height.
func newLegend(p Panel, height vg.Length) legend {
	if !p.hasNames() {
		return legend{}
	}
	single := plainLegend()
	for _, s := range p.Series {
		single.Add(s.Name)
	}
	size := single.Rectangle(draw.Canvas{}).Size()
	n := len(p.Series)
	perColumn := max(1, int(vg.Length(n)*(height/(size.Y+single.Padding))))
	l := legend{width: size.X + margin}
	for i, s := range p.Series {
		if i%perColumn == 0 {
			l.columns = append(l.columns, plainLegend())
		}
		l.columns[i/perColumn].Add(s.Name, s.mark(curveColor(i, n)))
	}
	return l
}

// hasNames reports whether the curves have names.
func (p Panel) hasNames() bool { return len(p.Series) > 0 && p.Series[0].Name != "" }

// plainLegend returns an empty legend in the style of the sheet.
func plainLegend() plot.Legend {
	l := plot.NewLegend()
	l.TextStyle, l.Top, l.Left, l.Padding = sansStyle(9), true, true, 2
	return l
}

// totalWidth returns the width of all columns.
func (l legend) totalWidth() vg.Length { return l.width * vg.Length(len(l.columns)) }

// draw draws the columns side by side, the first at the left edge.
func (l legend) draw(c draw.Canvas) {
	for i := range l.columns {
		l.columns[i].Draw(draw.Crop(c, margin+l.width*vg.Length(i), 0, 0, 0))
	}
}

// A panel's own legend is in lines between its title and its diagram.
const (
	legendLineHeight = 13 // height of a line [pt]
	sampleLength     = 16 // length of a curve's sample [pt]
	legendGap        = 12 // gap between a name and the sample of the next curve [pt]
	legendLeft       = 36 // left edge of the legend in the panel [pt]
)

// entry is a name in a panel's legend and its position.
type entry struct {
	x, y vg.Length // position relative to the legend's upper left corner, y downward
	name string
	mark mark
}

// layoutLegend returns the entries of the panel's legend and the number of lines that they need.
func (p Panel) layoutLegend() (list []entry, lines int) {
	if !p.hasNames() {
		return nil, 0
	}
	style := sansStyle(9)
	var x vg.Length
	lines = 1
	for i, s := range p.Series {
		width := sampleLength + 3 + style.Width(s.Name) + legendGap
		if x > 0 && x+width > panelWidth-legendLeft {
			x, lines = 0, lines+1
		}
		list = append(list, entry{x, vg.Length(lines-1) * legendLineHeight, s.Name, s.mark(curveColor(i, len(p.Series)))})
		x += width
	}
	return list, lines
}

// drawLegend draws the panel's legend into the padding below the title.
func (p Panel) drawLegend(c draw.Canvas) {
	style := sansStyle(9)
	style.YAlign = draw.YCenter
	top := c.Max.Y - titleStyle().Rectangle(p.heading()).Size().Y - 2
	list, _ := p.layoutLegend()
	for _, e := range list {
		at := vg.Point{X: c.Min.X + legendLeft + e.x, Y: top - e.y - legendLineHeight/2}
		sample := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: at.X, Y: at.Y - 4}, Max: vg.Point{X: at.X + sampleLength, Y: at.Y + 4},
		}}
		e.mark.Thumbnail(&sample)
		c.FillText(style, vg.Point{X: at.X + sampleLength + 3, Y: at.Y}, e.name)
	}
}
