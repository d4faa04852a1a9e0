package tirerig

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legend names the curves of a panel, in as many columns as it takes.
type legend struct {
	columns []plot.Legend
	width   vg.Length // of a column, with the gap to its left
}

// newLegend measures the names, so that they fit into the height.
func newLegend(p panel, height vg.Length) (legend, error) {
	names := p.names()
	if names[0] == "" { // a single curve, of which the heading tells
		return legend{}, nil
	}
	all := plainLegend()
	for _, name := range names {
		all.Add(name)
	}
	size := all.Rectangle(draw.Canvas{}).Size()
	per := max(1, int(vg.Length(len(names))*(height/(size.Y+all.Padding))))
	l := legend{width: size.X + margin}
	for i, name := range names {
		mark, err := p.mark(p.curves[i], shade(i, len(names)))
		if err != nil {
			return l, err
		}
		if i%per == 0 {
			l.columns = append(l.columns, plainLegend())
		}
		l.columns[i/per].Add(name, mark)
	}
	return l, nil
}

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
