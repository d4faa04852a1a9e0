package hud

import (
	"math"
	"unicode/utf8"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

// rgba is a color and its opacity, each 0..1.
type rgba [4]float32

// Height is the height of the layout [layout units], whatever the height of the picture in pixels.
const Height = 720

// Canvas collects the triangles of flat shapes in layout units, x to the right and y down.
type Canvas struct {
	atlas    *atlas
	width    float32 // width of the picture [layout units]
	vertices []Vertex
	texts    []byte // texts of this picture, one after the other

	indicatorList []indicator // result of the last call of indicators
	rows          []forceRow  // result of the last call of forceRows

	effectUsed [frame.MaxEffects]bool // effects that have added torque since the canvas was made
}

// New returns a canvas for pictures with scale pixels per layout unit.
func New(scale float64) (*Canvas, error) {
	a, err := newAtlas(scale)
	if err != nil {
		return nil, err
	}
	return &Canvas{atlas: a}, nil
}

// Rescale draws the characters anew for pictures with scale pixels per layout unit.
func (c *Canvas) Rescale(scale float64) error {
	a, err := newAtlas(scale)
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
	for _, i := range [6]int{0, 1, 2, 0, 2, 3} {
		c.vertices = append(c.vertices, Vertex{q[i].x, q[i].y, q[i].u, q[i].v, color})
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
	x -= float32(a) * c.atlas.width(t, s)
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
