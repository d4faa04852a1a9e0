package hud

import (
	"math"
	"unicode/utf8"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// rgba is a color and its opacity, each 0..1.
type rgba [4]float32

// Height is the height of the layout [layout units], whatever the height of the picture in pixels.
const Height = 720

// Canvas collects the triangles of flat shapes, x to the right and y down, and remembers what it needs of the frames before.
type Canvas struct {
	atlas    *atlas
	options  Options
	view     view     // from the coordinates of what is drawn now
	shown    layout   // of the last picture
	width    float32  // of the picture [layout units]
	vertices []Vertex // of this picture
	texts    []byte   // texts of this picture, one after the other

	indicatorList []indicator // result of the last call of indicators
	rows          []forceRow  // result of the last call of forceRows
	circuit       circuitMap
	panels        []place // of this picture [layout units]
	spots         []spot  // result of the last call of spotsOf
	labels        []placedLabel
	notice        lastNotice
	trace         trace
	gScale        float64 // end of the scale of the g-g circle [g]

	partUsed    [frame.MaxEffects + rimParts]bool // parts of the torque that have been other than 0
	freedomUsed [frame.PoseAxes]bool              // degrees of freedom that have moved

	audit *audit // nil but in tests
}

// view maps coordinates of what is drawn to layout units: scaled, then moved.
type view struct{ scale, x, y float32 }

// place is a rectangle.
type place struct{ x, y, w, h float32 }

// audit collects the places of what is drawn [layout units], for the test that nothing lies on anything else.
type audit struct {
	cards, bars, texts []place
	words              []string // of texts
}

// in returns p in layout units.
func (v view) in(p place) place {
	return place{p.x*v.scale + v.x, p.y*v.scale + v.y, p.w * v.scale, p.h * v.scale}
}

// fit draws the following in coordinates from 0, 0 to w, h within room: in their own size if that fits, else smaller; at the top, and
// aligned to a side. It returns the view of before.
func (c *Canvas) fit(room place, w, h float32, a align) (before view) {
	before = c.view
	k := max(min(1, room.w/w, room.h/h), 0)
	c.view.x += before.scale * (room.x + float32(a)*(room.w-k*w))
	c.view.y += before.scale * room.y
	c.view.scale *= k
	return before
}

// New returns a canvas for pictures with scale pixels per layout unit.
func New(scale float64) (*Canvas, error) {
	a, err := newAtlas(scale)
	if err != nil {
		return nil, err
	}
	return &Canvas{atlas: a, view: view{scale: 1}}, nil
}

// Arrange sets how the instruments are arranged. Rescale must be called after it.
func (c *Canvas) Arrange(o Options) { c.options = o }

// Rescale draws the characters anew for pictures with scale pixels per layout unit.
func (c *Canvas) Rescale(scale float64) error {
	a, err := newAtlas(scale * float64(min(c.options.scale(), largestScale)))
	if err == nil {
		c.atlas = a
	}
	return err
}

// Atlas returns the texture that fills the shapes of Draw: a square of gray texels, row by row from
// the top, and the number of texels along an edge.
func (c *Canvas) Atlas() (texels []uint8, size int32) { return c.atlas.image.Pix, atlasSize }

// Vertex is one corner of a flat shape, laid out as the vertex shader reads it: two float32 of position, two of
// texture coordinates and four of color.
type Vertex struct {
	x, y float32 // position in the picture [layout units]
	u, v float32 // texture coordinates in the atlas, 0..1
	rgba
}

// corner is a point of the picture and its texture coordinates in the atlas.
type corner struct{ x, y, u, v float32 }

// quad adds two triangles between four corners, which are given in order around the shape.
func (c *Canvas) quad(q [4]corner, color rgba) {
	v := c.view
	for _, i := range [6]int{0, 1, 2, 0, 2, 3} {
		c.vertices = append(c.vertices, Vertex{q[i].x*v.scale + v.x, q[i].y*v.scale + v.y, q[i].u, q[i].v, color})
	}
}

// textured adds a rectangle filled from the rectangle t of the atlas.
func (c *Canvas) textured(x0, y0, x1, y1 float32, t [4]float32, color rgba) {
	c.quad([4]corner{{x0, y0, t[0], t[1]}, {x1, y0, t[2], t[1]}, {x1, y1, t[2], t[3]}, {x0, y1, t[0], t[3]}}, color)
}

// rect adds a filled rectangle between two opposite corners, in any order.
func (c *Canvas) rect(x0, y0, x1, y1 float32, color rgba) {
	w := c.atlas.white
	c.textured(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1), [4]float32{w[0], w[1], w[0], w[1]}, color)
}

// card adds the background of an instrument from 0, 0 to w, h.
func (c *Canvas) card(w, h float32) {
	c.occupy(place{0, 0, w, h})
	c.panel(0, 0, w, h, 12, panelColor)
}

// occupy notes the place of a panel, on which no label of another car lies.
func (c *Canvas) occupy(p place) {
	c.panels = append(c.panels, c.view.in(p))
	if c.audit != nil {
		c.audit.cards = append(c.audit.cards, c.view.in(p))
	}
}

// track adds the background of a bar or a chart.
func (c *Canvas) track(p place) {
	if c.audit != nil {
		c.audit.bars = append(c.audit.bars, c.view.in(p))
	}
	c.rect(p.x, p.y, p.x+p.w, p.y+p.h, trackColor)
}

// bar adds a bar that is filled between two x.
func (c *Canvas) bar(p place, from, to float32, color rgba) {
	c.track(p)
	c.rect(from, p.y, to, p.y+p.h, color)
}

// bar0 adds a bar that is filled from the left up to value/limit.
func (c *Canvas) bar0(p place, value, limit float64, color rgba) {
	c.bar(p, p.x, p.x+p.w*float32(max(fraction(value, limit), 0)), color)
}

// panel adds a filled rectangle with rounded corners.
func (c *Canvas) panel(x, y, w, h, radius float32, color rgba) {
	radius = min(radius, w/2, h/2)
	d := c.atlas.disc
	xs := [4]float32{x, x + radius, x + w - radius, x + w}
	ys := [4]float32{y, y + radius, y + h - radius, y + h}
	mid := [2]float32{(d[0] + d[2]) / 2, (d[1] + d[3]) / 2}
	us := [4]float32{d[0], mid[0], mid[0], d[2]}
	vs := [4]float32{d[1], mid[1], mid[1], d[3]}
	for i := range 3 {
		for j := range 3 {
			c.textured(xs[i], ys[j], xs[i+1], ys[j+1], [4]float32{us[i], vs[j], us[i+1], vs[j+1]}, color)
		}
	}
}

// line adds a straight line of this thickness.
func (c *Canvas) line(x0, y0, x1, y1, thick float32, color rgba) {
	dx, dy := x1-x0, y1-y0
	l := float32(math.Hypot(float64(dx), float64(dy)))
	if l == 0 {
		return
	}
	nx, ny := -dy/l*thick/2, dx/l*thick/2
	u, v := c.atlas.white[0], c.atlas.white[1]
	c.quad([4]corner{{x0 + nx, y0 + ny, u, v}, {x1 + nx, y1 + ny, u, v}, {x1 - nx, y1 - ny, u, v}, {x0 - nx, y0 - ny, u, v}}, color)
}

// ring adds the outline of a circle.
func (c *Canvas) ring(x, y, radius, thick float32, color rgba) {
	const sides = 40
	at := func(i int) (float32, float32) {
		s, k := math.Sincos(2 * math.Pi * float64(i) / sides)
		return x + radius*float32(k), y + radius*float32(s)
	}
	for i := range sides {
		x0, y0 := at(i)
		x1, y1 := at(i + 1)
		c.line(x0, y0, x1, y1, thick, color)
	}
}

// align is the part of a text that is placed at the given x: 0 its start, 1 its end.
type align float32

const (
	alignLeft   align = 0 // the text starts at x
	alignCenter align = 0.5
	alignRight  align = 1 // the text ends at x
)

// text adds s on the base line y and returns the x of its end.
func (c *Canvas) text(t typeface, x, y float32, a align, s string, color rgba) float32 {
	return c.write(t, x, y, a, []byte(s), color)
}

// write adds the text s, in UTF-8, as text does.
func (c *Canvas) write(t typeface, x, y float32, a align, s []byte, color rgba) float32 {
	w := c.atlas.width(t, s)
	x -= float32(a) * w
	if c.audit != nil {
		c.audit.texts = append(c.audit.texts, c.view.in(textPlace(t, x, y, w)))
		c.audit.words = append(c.audit.words, string(s))
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRune(s[i:])
		i += size
		g := c.atlas.glyph(t, r)
		if g.width > 0 {
			left, top := x+g.left, y-g.top
			c.textured(left, top, left+g.width, top+g.height, g.texture, color)
		}
		x += g.advance
	}
	return x
}

// textPlace returns the place of a text of this width that begins at x on the base line y. The large typeface has no descenders.
func textPlace(t typeface, x, y, w float32) place {
	size := float32(typeSizes[t])
	p := place{x, y - 0.74*size, w, 0.96 * size}
	if t == largeType {
		p.h = 0.75 * size
	}
	return p
}

// centeredBar returns the ends of a bar in a track from x to x+w, whose middle is zero. Values are
// positive to the left and x grows to the right, so the bar of a positive value goes from the middle
// to smaller x. The bar is full at ±limit and beyond; it is empty for NaN and for a limit of zero.
func centeredBar(x, w float32, value, limit float64) (from, to float32) {
	middle := x + w/2
	return middle, middle - w/2*float32(fraction(value, limit))
}

// fraction returns value/limit, clamped to -1..1; it is 0 if value is NaN or limit is not positive.
func fraction(value, limit float64) float64 {
	if math.IsNaN(value) || !(limit > 0) {
		return 0
	}
	return valid.Clamp(value/limit, -1, 1)
}
