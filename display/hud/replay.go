package hud

import (
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

// The scrub bar of a replay lies above the panels at the lower edge [layout units].
const (
	scrubHeight = 44
	scrubTop    = panelTop - scrubHeight - 8
	scrubInset  = 16 // from the edges of its panel to the ends of the bar
	scrubLine   = scrubTop + 32
)

// drawReplay draws the scrub bar: place and length, speed or pause, laps, marks and faults.
func drawReplay(c *Canvas, r *frame.Replay) {
	c.panel(margin, scrubTop, c.width-2*margin, scrubHeight, 12, panelColor)
	left, right := float32(margin+scrubInset), c.width-margin-scrubInset
	state, color := c.figures("%gx", r.Speed), textColor
	if r.Paused != 0 {
		state, color = c.figures("PAUSED  %gx", r.Speed), warnColor
	}
	end := c.text(smallType, left, scrubTop+19, alignLeft, "REPLAY", dimColor)
	c.write(smallType, end+14, scrubTop+19, alignLeft, state, color)
	drawClock(c, right, scrubTop+19, r)
	c.rect(left, scrubLine-3, right, scrubLine+3, trackColor)
	at := left + (right-left)*float32(max(fraction(r.Position, r.Length), 0))
	c.rect(left, scrubLine-3, at, scrubLine+3, accentColor)
	for _, m := range r.Marks[:min(r.Count, frame.MaxMarks)] {
		x := left + (right-left)*float32(max(fraction(m.Time, r.Length), 0))
		half, top, color := markLook(m.Kind)
		c.rect(x-half, scrubLine-top, x+half, scrubLine+6, color)
	}
	c.panel(at-5, scrubLine-5, 10, 10, 5, textColor)
}

// markLook returns half the width of a mark, how far it rises above the bar, and its color.
func markLook(kind uint64) (half, top float32, color rgba) {
	switch kind {
	case frame.FaultMark:
		return 2, 9, alarmColor
	case frame.DriverMark:
		return 2, 9, warnColor
	}
	return 1, 6, textColor
}

// drawClock draws place and length of the replay, so that they end at right.
func drawClock(c *Canvas, right, y float32, r *frame.Replay) {
	const zero = 1e-9 // shown as 0, which would be unknown for a lap [s]
	length := c.time(math.Max(r.Length, zero), 1)
	c.write(smallType, right, y, alignRight, length, textColor)
	right -= c.atlas.width(smallType, length)
	c.text(smallType, right, y, alignRight, " / ", textColor)
	right -= c.atlas.textWidth(smallType, " / ")
	c.write(smallType, right, y, alignRight, c.time(math.Max(r.Position, zero), 2), textColor)
}

// ScrubPlace returns the place on the scrub bar, from 0 to 1, of a point of a picture of this size, all in the same unit,
// such as pixels. near reports whether the point is on the bar's panel.
func ScrubPlace(x, y, width, height float64) (place float64, near bool) {
	scale := Height / math.Max(height, 1)
	x, y, width = x*scale, y*scale, width*scale
	const end = margin + scrubInset
	place = valid.Clamp((x-end)/math.Max(width-2*end, 1), 0, 1)
	return place, y >= scrubTop && y < scrubTop+scrubHeight && x >= margin && x < width-margin
}

// drawGap draws the time that the car is behind the ghost at the same place [s], below the message. NaN is unknown.
func drawGap(c *Canvas, gap float64) {
	const width, height, top = 132, 36, lapTop + 46
	x := (c.width - width) / 2
	c.panel(x, top, width, height, 10, panelColor)
	c.text(smallType, x+14, top+23, alignLeft, "GHOST", dimColor)
	if math.IsNaN(gap) {
		c.text(mediumType, x+width-14, top+24, alignRight, "-.--", dimColor)
		return
	}
	drawDelta(c, x+width-14, top+24, gap)
}
