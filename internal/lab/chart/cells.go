package chart

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"maps"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Cells is a picture of tables whose cells have colours.
type Cells struct {
	Title, Below string
	Columns      []string // above every table
	Over         string   // above the columns: what they are
	Tables       []CellTable
	Key          []Swatch // below the tables
}

// CellTable is one of its tables.
type CellTable struct {
	Title string
	Side  string   // what the rows are
	Rows  []string // from above
	Cells [][]Cell // of each row
}

// Cell is one cell.
type Cell struct {
	Colour color.Color
	Text   string
}

const (
	cellWidth  = 1.5 * vg.Centimeter
	cellHeight = 0.5 * vg.Centimeter
	sideWidth  = 2.1 * vg.Centimeter
	lineHeight = 13 // [pt]
)

// Render draws the tables in a format, two beside each other.
func (c Cells) Render(format string) ([]byte, error) {
	const abreast = 2
	wide := sideWidth + cellWidth*vg.Length(len(c.Columns)) + margin
	high := 3*vg.Length(lineHeight) + cellHeight*vg.Length(len(c.Tables[0].Rows)) + margin
	rows := (len(c.Tables) + abreast - 1) / abreast
	head := Sheet{Title: c.Title, Below: c.Below}.head()
	out := paper(format, max(abreast*wide, head.width())+2*margin, high*vg.Length(rows)+headHeight+2*margin+lineHeight)
	all := draw.Crop(draw.New(out), margin, -margin, margin, -margin)
	all.SetColor(color.White)
	all.Fill(draw.New(out).Rectangle.Path())
	head.draw(all)
	for i := range c.Tables {
		at := vg.Point{X: all.Min.X + wide*vg.Length(i%abreast), Y: all.Max.Y - headHeight - high*vg.Length(i/abreast)}
		c.table(all, &c.Tables[i], at)
	}
	x := all.Min.X
	for _, k := range c.Key {
		fill(all, k.Colour, x, all.Min.Y+11, 11, 11)
		all.FillText(small(), vg.Point{X: x + 16, Y: all.Min.Y + 5.5}, k.Name)
		x += small().Width(k.Name) + 36
	}
	if format == "png" {
		return few(out)
	}
	return encode(out, format)
}

// few encodes a picture of flat colours as PNG with a palette, a quarter of the size.
func few(c vg.CanvasWriterTo) ([]byte, error) {
	full := c.(vgimg.PngCanvas).Image()
	flat := image.NewPaletted(full.Bounds(), tones(full))
	imagedraw.Draw(flat, flat.Rect, full, full.Bounds().Min, imagedraw.Src)
	var picture bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&picture, flat)
	return picture.Bytes(), err
}

// tones returns the most frequent colours of a picture; the others take the nearest.
func tones(m image.Image) color.Palette {
	const most = 256
	count := map[color.RGBA]int{}
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			count[color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}]++
		}
	}
	list := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var p color.Palette
	for _, c := range list[:min(len(list), most)] {
		p = append(p, c)
	}
	return p
}

// table draws one table below and to the right of a point.
func (c *Cells) table(on draw.Canvas, t *CellTable, at vg.Point) {
	left, y := at.X+sideWidth, at.Y-lineHeight/2
	title, text := sans(10), small()
	title.YAlign = draw.YCenter
	on.FillText(title, vg.Point{X: at.X, Y: y}, t.Title)
	y -= lineHeight
	on.FillText(text, vg.Point{X: at.X, Y: y - lineHeight}, t.Side)
	on.FillText(text, vg.Point{X: left, Y: y}, c.Over)
	y -= lineHeight
	text.XAlign = draw.XCenter
	for j, name := range c.Columns {
		on.FillText(text, vg.Point{X: left + cellWidth*(vg.Length(j)+0.5), Y: y}, name)
	}
	y -= lineHeight / 2
	for i, row := range t.Rows {
		on.FillText(small(), vg.Point{X: at.X, Y: y - cellHeight/2}, row)
		for j, cell := range t.Cells[i] {
			x := left + cellWidth*vg.Length(j)
			fill(on, cell.Colour, x, y, cellWidth-1, cellHeight-1)
			on.FillText(text, vg.Point{X: x + cellWidth/2, Y: y - cellHeight/2}, cell.Text)
		}
		y -= cellHeight
	}
}

// fill paints a rectangle below and to the right of a point.
func fill(on draw.Canvas, c color.Color, x, y, w, h vg.Length) {
	on.FillPolygon(c, []vg.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y - h}, {X: x, Y: y - h}})
}
