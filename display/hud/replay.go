package hud

import (
	"math"

	"rig.example/rig/internal/core/frame"
)

// Sizes of the scrub bar of a replay.
const (
	scrubInset = 16 // from the edges of its panel to the ends of the bar
	scrubLine  = 41 // from the top of its panel to the bar
)

// drawReplay draws the scrub bar: place and length, speed or pause, laps, marks and faults.
func drawReplay(c *Canvas, room place, r *frame.Replay) {
	defer func(v view) { c.view = v }(c.fit(room, room.w, room.h, alignLeft))
	c.card(room.w, room.h)
	left, right := float32(scrubInset), room.w-scrubInset
	state, color := c.figures("%gx", r.Speed), textColor
	if r.Paused != 0 {
		state, color = c.figures("PAUSED  %gx", r.Speed), warnColor
	}
	end := c.text(smallType, left, 23, alignLeft, "REPLAY", dimColor)
	c.write(smallType, end+14, 23, alignLeft, state, color)
	drawClock(c, right, 23, r)
	at := left + (right-left)*float32(max(fraction(r.Position, r.Length), 0))
	c.bar(place{left, scrubLine - 4, right - left, 8}, left, at, accentColor)
	for _, m := range r.Marks[:min(r.Count, frame.MaxMarks)] {
		x := left + (right-left)*float32(max(fraction(m.Time, r.Length), 0))
		half, top, color := markLook(m.Kind)
		c.rect(x-half, scrubLine-top, x+half, scrubLine+7, color)
	}
	c.panel(at-6, scrubLine-6, 12, 12, 6, textColor)
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
