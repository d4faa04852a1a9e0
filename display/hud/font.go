package hud

import (
	"fmt"
	"image"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"rig.example/rig/internal/valid"
)

// typeface numbers the sizes of letters in an atlas.
type typeface int

const (
	smallType  typeface = iota // names
	mediumType                 // figures
	largeType                  // speed and gear
	typefaces
)

// lettersOf lists the letters of a typeface: the large one is for figures.
func lettersOf(t typeface) string {
	if t == largeType {
		return "0123456789-NR?"
	}
	return letters
}

// typeSizes are the sizes of the letters [units of the 720 high layout].
var typeSizes = [typefaces]float64{14, 19, 50}

const letters = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~°·±–…äöüÄÖÜßéè"

// glyph is one letter's picture and its place beside the pen.
type glyph struct {
	texture [4]float32 // left, top, right, bottom in the atlas, 0..1
	left    float32    // of the picture from the pen
	top     float32    // of the picture above the base line
	width   float32
	height  float32
	advance float32 // of the pen to the next letter
}

const (
	atlasSize  = 1024 // texels along an edge
	discRadius = 24   // texels
)

// atlas is every letter and a round corner in one grey picture.
type atlas struct {
	image *image.Alpha
	faces [typefaces]map[rune]glyph
	disc  [4]float32 // a filled circle
	white [2]float32 // a texel that is all paint
}

// newAtlas draws the letters at scale pixels a layout unit.
func newAtlas(scale float64) (*atlas, error) {
	a := &atlas{image: image.NewAlpha(image.Rect(0, 0, atlasSize, atlasSize))}
	scale = valid.Clamp(scale, 0.5, 3)
	a.drawDisc()
	pack := packer{y: 2*discRadius + 2}
	for t, ttf := range [typefaces][]byte{gomedium.TTF, gobold.TTF, gobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			return nil, fmt.Errorf("display: built-in font: %w", err)
		}
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: typeSizes[t] * scale, DPI: 72, Hinting: font.HintingFull})
		if err != nil {
			return nil, fmt.Errorf("display: built-in font: %w", err)
		}
		a.faces[t] = a.drawFace(face, lettersOf(typeface(t)), &pack, float32(scale))
		face.Close()
	}
	return a, nil
}

// drawDisc draws the circle that panels take their corners from.
func (a *atlas) drawDisc() {
	for y := range 2 * discRadius {
		for x := range 2 * discRadius {
			d := math.Hypot(float64(x)+0.5-discRadius, float64(y)+0.5-discRadius)
			a.image.Pix[y*a.image.Stride+x] = uint8(255 * valid.Clamp(discRadius-d, 0, 1))
		}
	}
	const edge = 2.0 * discRadius / atlasSize
	a.disc = [4]float32{0, 0, edge, edge}
	a.white = [2]float32{edge / 2, edge / 2}
}

func (a *atlas) drawFace(face font.Face, set string, pack *packer, scale float32) map[rune]glyph {
	glyphs := make(map[rune]glyph)
	for _, r := range set {
		bounds, mask, at, advance, ok := face.Glyph(fixed.Point26_6{}, r)
		if !ok {
			continue
		}
		size := bounds.Size()
		x, y := pack.place(size.X, size.Y)
		a.copyMask(mask, at, x, y, size)
		glyphs[r] = glyph{
			texture: [4]float32{
				float32(x) / atlasSize, float32(y) / atlasSize,
				float32(x+size.X) / atlasSize, float32(y+size.Y) / atlasSize,
			},
			left: float32(bounds.Min.X) / scale, top: float32(-bounds.Min.Y) / scale,
			width: float32(size.X) / scale, height: float32(size.Y) / scale,
			advance: float32(advance) / 64 / scale,
		}
	}
	return glyphs
}

func (a *atlas) copyMask(mask image.Image, at image.Point, x, y int, size image.Point) {
	for j := range size.Y {
		for i := range size.X {
			_, _, _, alpha := mask.At(at.X+i, at.Y+j).RGBA()
			if p := image.Pt(x+i, y+j); p.In(a.image.Rect) {
				a.image.Pix[p.Y*a.image.Stride+p.X] = uint8(alpha >> 8)
			}
		}
	}
}

// packer lays pictures in rows.
type packer struct{ x, y, rowHeight int }

// place returns where a picture of this size goes, a texel free on all sides.
func (p *packer) place(width, height int) (x, y int) {
	if p.x+width+1 > atlasSize {
		p.x, p.y, p.rowHeight = 0, p.y+p.rowHeight+1, 0
	}
	x, y = p.x+1, p.y+1
	p.x += width + 2
	p.rowHeight = max(p.rowHeight, height+1)
	return x, y
}

// glyph returns the picture of r, or a question mark's.
func (a *atlas) glyph(t typeface, r rune) glyph {
	if g, ok := a.faces[t][r]; ok {
		return g
	}
	return a.faces[t]['?']
}

// textWidth returns how far the pen moves over s.
func (a *atlas) textWidth(t typeface, s string) float32 {
	var w float32
	for _, r := range s {
		w += a.glyph(t, r).advance
	}
	return w
}
