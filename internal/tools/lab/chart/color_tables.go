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

// ColorTables is a picture of tables whose cells have colors.
type ColorTables struct {
	Title, Subtitle string
	Columns         []string // names of the columns, the same in every table
	ColumnTitle     string   // name and unit of the quantity that varies from column to column
	Tables          []ColorTable
	Key             []Swatch // meaning of the colors, drawn below the tables
}

// ColorTable is one table of ColorTables.
type ColorTable struct {
	Title    string
	RowTitle string   // name of the quantity that varies from row to row
	Rows     []string // names of the rows, from the top
	Cells    [][]Cell // cells by row, then column
}

// Cell is one cell of a table.
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

// Render returns the tables, two side by side, in a format: svg or png.
func (c ColorTables) Render(format string) ([]byte, error) {
	const tablesPerRow = 2
	tableWidth := sideWidth + cellWidth*vg.Length(len(c.Columns)) + margin
	tableHeight := 3*vg.Length(lineHeight) + cellHeight*vg.Length(len(c.Tables[0].Rows)) + margin
	rows := (len(c.Tables) + tablesPerRow - 1) / tablesPerRow
	out, all := newPage(format, c.Title, c.Subtitle, tablesPerRow*tableWidth, tableHeight*vg.Length(rows)+lineHeight)
	for i := range c.Tables {
		at := vg.Point{X: all.Min.X + tableWidth*vg.Length(i%tablesPerRow), Y: all.Max.Y - headHeight - tableHeight*vg.Length(i/tablesPerRow)}
		c.drawTable(all, &c.Tables[i], at)
	}
	x := all.Min.X
	for _, k := range c.Key {
		fillRect(all, k.Colour, x, all.Min.Y+11, 11, 11)
		all.FillText(smallStyle(), vg.Point{X: x + 16, Y: all.Min.Y + 5.5}, k.Name)
		x += smallStyle().Width(k.Name) + 36
	}
	if format == "png" {
		return encodePalette(out)
	}
	return encode(out, format)
}

// encodePalette encodes a picture of few colors as a PNG with a palette, which is a quarter of the size.
func encodePalette(c vg.CanvasWriterTo) ([]byte, error) {
	full := c.(vgimg.PngCanvas).Image()
	flat := image.NewPaletted(full.Bounds(), commonColors(full))
	imagedraw.Draw(flat, flat.Rect, full, full.Bounds().Min, imagedraw.Src)
	var picture bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&picture, flat)
	return picture.Bytes(), err
}

// commonColors returns the 256 most frequent colors of a picture.
func commonColors(m image.Image) color.Palette {
	const maxColors = 256
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
	for _, c := range list[:min(len(list), maxColors)] {
		p = append(p, c)
	}
	return p
}

// drawTable draws one table with its upper left corner at a point.
func (c *ColorTables) drawTable(on draw.Canvas, t *ColorTable, at vg.Point) {
	left, y := at.X+sideWidth, at.Y-lineHeight/2
	title, style := sansStyle(10), smallStyle()
	title.YAlign = draw.YCenter
	on.FillText(title, vg.Point{X: at.X, Y: y}, t.Title)
	y -= lineHeight
	on.FillText(style, vg.Point{X: at.X, Y: y - lineHeight}, t.RowTitle)
	on.FillText(style, vg.Point{X: left, Y: y}, c.ColumnTitle)
	y -= lineHeight
	style.XAlign = draw.XCenter
	for j, name := range c.Columns {
		on.FillText(style, vg.Point{X: left + cellWidth*(vg.Length(j)+0.5), Y: y}, name)
	}
	y -= lineHeight / 2
	for i, row := range t.Rows {
		on.FillText(smallStyle(), vg.Point{X: at.X, Y: y - cellHeight/2}, row)
		for j, cell := range t.Cells[i] {
			x := left + cellWidth*vg.Length(j)
			fillRect(on, cell.Colour, x, y, cellWidth-1, cellHeight-1)
			on.FillText(style, vg.Point{X: x + cellWidth/2, Y: y - cellHeight/2}, cell.Text)
		}
		y -= cellHeight
	}
}

// fillRect fills a rectangle whose upper left corner is at x, y.
func fillRect(on draw.Canvas, c color.Color, x, y, w, h vg.Length) {
	on.FillPolygon(c, []vg.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y - h}, {X: x, Y: y - h}})
}
