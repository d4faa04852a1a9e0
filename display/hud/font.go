package hud

import (
	"fmt"
	"image"
	"math"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"rig.example/rig/internal/kit/valid"
)

// typeface is a font at one size, as an index into an atlas.
type typeface int

const (
	smallType  typeface = iota // labels
	mediumType                 // figures
	largeType                  // speed and gear
	typefaceCount
)

// charactersOf returns the characters that a typeface has. The large one has only those of speed and gear.
func charactersOf(t typeface) string {
	if t == largeType {
		return "0123456789-NR?"
	}
	return characters
}

// typeSizes holds the size of each typeface [layout units].
var typeSizes = [typefaceCount]float64{20, 26, 56}

// characters are the characters of the small and the medium typeface.
const characters = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~°·±–…äöüÄÖÜßéè"

// glyph is the picture of one character and its position relative to the pen [layout units].
type glyph struct {
	texture [4]float32 // left, top, right, bottom in the atlas, 0..1
	left    float32    // x of the picture's left edge, from the pen
	top     float32    // height of the picture's upper edge above the base line
	width   float32
	height  float32
	advance float32 // distance from this pen position to the next
}

const (
	atlasSize  = 2048 // texels along an edge
	discRadius = 24   // texels
)

// atlas is one gray texture that holds all characters and a disc.
type atlas struct {
	image *image.Alpha
	faces [typefaceCount]map[rune]glyph
	disc  [4]float32 // texture rectangle of a filled circle
	white [2]float32 // a texel that is fully opaque
}

// newAtlas draws all characters at scale pixels per layout unit.
func newAtlas(scale float64) (*atlas, error) {
	a := &atlas{image: image.NewAlpha(image.Rect(0, 0, atlasSize, atlasSize))}
	scale = valid.Clamp(scale, 0.5, 3)
	a.drawDisc()
	pack := packer{y: 2*discRadius + 2}
	for t, ttf := range [typefaceCount][]byte{gomedium.TTF, gobold.TTF, gobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			return nil, fmt.Errorf("hud: built-in font: %w", err)
		}
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: typeSizes[t] * scale, DPI: 72, Hinting: font.HintingFull})
		if err != nil {
			return nil, fmt.Errorf("hud: built-in font: %w", err)
		}
		a.faces[t] = a.drawFace(face, charactersOf(typeface(t)), &pack, float32(scale))
		face.Close()
	}
	return a, nil
}

// drawDisc draws the filled circle whose quarters are the rounded corners of panels.
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

// drawFace draws the characters of set into the atlas and returns their glyphs.
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

// copyMask copies the alpha of a mask, from at on, to x, y in the atlas.
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

// packer finds free places for pictures in the atlas, row by row.
type packer struct{ x, y, rowHeight int }

// place returns the position of a picture of this size, with one free texel on all sides.
func (p *packer) place(width, height int) (x, y int) {
	if p.x+width+1 > atlasSize {
		p.x, p.y, p.rowHeight = 0, p.y+p.rowHeight+1, 0
	}
	x, y = p.x+1, p.y+1
	p.x += width + 2
	p.rowHeight = max(p.rowHeight, height+1)
	return x, y
}

// glyph returns the glyph of r, or that of a question mark if the typeface does not have r.
func (a *atlas) glyph(t typeface, r rune) glyph {
	if g, ok := a.faces[t][r]; ok {
		return g
	}
	return a.faces[t]['?']
}

// textWidth returns the width of s [layout units].
func (a *atlas) textWidth(t typeface, s string) float32 { return a.width(t, []byte(s)) }

// width returns the width of the text s, in UTF-8 [layout units].
func (a *atlas) width(t typeface, s []byte) float32 {
	var w float32
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRune(s[i:])
		i += size
		w += a.glyph(t, r).advance
	}
	return w
}
