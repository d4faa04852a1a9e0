package hud

import (
	"bytes"
	"math"
	"unicode/utf8"
)

// directed returns the magnitude of a value in a format of figures, and the word for its direction, which is left out if the figure is
// 0. It is valid until the next picture.
func (c *Canvas) directed(format string, value float64, positive, negative string) []byte {
	if math.IsNaN(value) {
		return c.join("unknown")
	}
	start := len(c.texts)
	c.texts = appendFigures(c.texts, format, math.Abs(clampForText(value)))
	if bytes.ContainsAny(c.texts[start:], "123456789") {
		word := positive
		if value < 0 {
			word = negative
		}
		c.texts = append(append(c.texts, ' '), word...)
	}
	return c.texts[start:len(c.texts):len(c.texts)]
}

// clipped returns s, or its beginning with an ellipsis if it is wider than this. It is valid until the next picture.
func (c *Canvas) clipped(t typeface, s []byte, width float32) []byte {
	if c.atlas.width(t, s) <= width {
		return s
	}
	const ellipsis = "…"
	width -= c.atlas.textWidth(t, ellipsis)
	end := 0
	for end < len(s) {
		r, size := utf8.DecodeRune(s[end:])
		if width -= c.atlas.glyph(t, r).advance; width < 0 {
			break
		}
		end += size
	}
	start := len(c.texts)
	c.texts = append(append(c.texts, s[:end]...), ellipsis...)
	return c.texts[start:len(c.texts):len(c.texts)]
}

// clampForText returns v within ±9999, so that its text stays short; it returns 0 for NaN.
func clampForText(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return bounded(v, 9999)
}

// bounded returns v within ±limit; it returns NaN for NaN.
func bounded(v, limit float64) float64 { return math.Min(math.Max(v, -limit), limit) }
