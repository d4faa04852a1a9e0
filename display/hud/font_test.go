package hud

import (
	"math"
	"testing"
)

func TestEveryLetterHasItsOwnPlace(t *testing.T) {
	for _, scale := range []float64{0.5, 1, 3} {
		a, err := newAtlas(scale)
		if err != nil {
			t.Fatal(err)
		}
		type box struct{ x0, y0, x1, y1 float32 }
		var taken []box
		for face := range typefaceCount {
			for _, r := range charactersOf(face) {
				g, ok := a.faces[face][r]
				b := box{g.texture[0], g.texture[1], g.texture[2], g.texture[3]}
				if !ok || b.y1 > 1 || b.x1 > 1 {
					t.Fatalf("scale %g: no place for %q", scale, r)
				}
				for _, o := range taken {
					if b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1 {
						t.Fatalf("scale %g: %q lies on another letter", scale, r)
					}
				}
				if r != ' ' {
					taken = append(taken, b)
				}
			}
		}
	}
}

func TestTextStandsWhereItIsPut(t *testing.T) {
	c := testCanvas(t)
	w := c.atlas.textWidth(mediumType, "12.5 N·m")
	if w < 85 || w > 135 {
		t.Errorf("8 letters of 26 units are %g wide", w)
	}
	for _, tt := range []struct {
		name string
		a    align
		end  float32
	}{{"left", alignLeft, 300 + w}, {"center", alignCenter, 300 + w/2}, {"right", alignRight, 300}} {
		if end := c.text(mediumType, 300, 100, tt.a, "12.5 N·m", textColor); math.Abs(float64(end-tt.end)) > 0.01 {
			t.Errorf("%s: the pen stops at %g, want %g", tt.name, end, tt.end)
		}
	}
	if c.atlas.textWidth(smallType, "\u4e16") != c.atlas.textWidth(smallType, "?") {
		t.Error("an unknown letter is not a question mark")
	}
}

// Characters that are drawn anew for a larger picture have more texels, and stand where they stood.
func TestCharactersAreDrawnForTheHeightOfThePicture(t *testing.T) {
	c, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	texels := func() float32 {
		g := c.atlas.glyph(mediumType, 'W')
		return (g.texture[2] - g.texture[0]) * atlasSize
	}
	before, width := texels(), c.atlas.textWidth(mediumType, "km/h")
	if err := c.Rescale(2); err != nil {
		t.Fatal(err)
	}
	if after := texels(); after < 1.8*before || after > 2.2*before {
		t.Errorf("a W has %g texels across, then %g at twice the height", before, after)
	}
	if after := c.atlas.textWidth(mediumType, "km/h"); math.Abs(float64(after-width)) > 1.5 {
		t.Errorf("a text is %g layout units wide, then %g", width, after)
	}
}
