package hud

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// Sizes of the laps.
const (
	lapWidth      = 272
	lapRow        = 28 // height of a row
	sectorsHeight = 22
)

// drawLap draws the laps: the time of this lap and its difference from the best
// one, the last and the best lap, the gap to the ghost, and a mark for each sector. It returns where they end in the coordinates of room.
func drawLap(c *Canvas, room place, f *frame.Frame, s *Status) (bottom float32) {
	rows := 4
	if s.Ghost {
		rows++
	}
	height := lapRow*float32(rows) + 14
	if f.Lap.Sectors > 0 {
		height += sectorsHeight
	}
	defer func(v view) { c.view = v }(c.fit(room, lapWidth, height, 1-c.options.side()))
	const left, right = inset, lapWidth - inset
	c.card(lapWidth, height)
	drawLapHead(c, left, right, f)
	lastColor := textColor
	if f.Flags&frame.LastLapInvalid != 0 {
		lastColor = alarmColor
	}
	y := float32(30 + 2*lapRow)
	drawTime(c, left, right, y, "LAST", f.Lap.Last, lastColor)
	drawTime(c, left, right, y+lapRow, "BEST", f.Lap.Best, textColor)
	if y += 2 * lapRow; s.Ghost {
		c.text(smallType, left, y, alignLeft, "GHOST", dimColor)
		drawDelta(c, right, y, s.Gap, "-.--")
		y += lapRow
	}
	drawSectors(c, left, right, y-14, &f.Lap)
	return room.y + min(height, room.h)
}

// drawLapHead draws the time of this lap, its difference from the best one, and the place on the circuit. Before the first lap the time
// is that since the drive began.
func drawLapHead(c *Canvas, left, right float32, f *frame.Frame) {
	l := &f.Lap
	name, seconds, timeColor := c.join("OUT LAP"), float64(f.Tick)*tick, textColor
	if l.Number > 0 {
		name, seconds = c.figures("LAP %.0f", min(float64(l.Number), 9999)), l.Time
	}
	place, placeColor := c.figures("%.0f m", clampLong(f.Station)), dimColor
	if f.Flags&frame.LapInvalid != 0 {
		timeColor, placeColor = alarmColor, alarmColor
		place = c.join("INVALID")
	}
	c.write(smallType, left, 30, alignLeft, name, dimColor)
	c.write(mediumType, right, 30, alignRight, c.time(min(seconds, longest), 1), timeColor)
	c.write(smallType, left, 30+lapRow, alignLeft, place, placeColor)
	drawDelta(c, right, 30+lapRow, l.Delta, "")
}

const (
	tick    = 1e-3    // of frame.Frame.Tick [s]
	longest = 99 * 60 // time that has room [s]
)

// clampLong returns v within a range whose figures have room; it returns 0 for NaN.
func clampLong(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return valid.Clamp(v, -99_999, 99_999)
}

// drawTime draws a lap time [s] with its name.
func drawTime(c *Canvas, left, right, y float32, name string, seconds float64, color rgba) {
	c.text(smallType, left, y, alignLeft, name, dimColor)
	c.write(mediumType, right, y, alignRight, c.time(min(seconds, longest), 3), color)
}

// drawDelta draws the difference from another lap [s]: green if this lap is faster. For NaN it draws none.
func drawDelta(c *Canvas, right, y float32, delta float64, none string) {
	if math.IsNaN(delta) {
		c.text(mediumType, right, y, alignRight, none, dimColor)
		return
	}
	color := okColor
	if delta > 0 {
		color = warnColor
	}
	c.write(mediumType, right, y, alignRight, c.figures("%+.2f", valid.Clamp(delta, -999, 999)), color)
}

// drawSectors draws a mark for each sector, green if its time is the best so far. While the car is in
// the first sector, the marks show the last lap.
func drawSectors(c *Canvas, left, right, y float32, l *frame.Lap) {
	const height, between = 10, 4
	n := min(l.Sectors, frame.MaxSectors)
	splits := &l.Splits
	if l.Sector == 0 {
		splits = &l.LastSplits
	}
	width := (right - left + between) / float32(max(n, 1))
	for i := range n {
		x := left + float32(i)*width
		c.rect(x, y, x+width-between, y+height, sectorColor(splits[i], l.BestSectors[i]))
		if l.Number > 0 && i == l.Sector {
			c.rect(x, y+height+2, x+width-between, y+height+5, textColor)
		}
	}
}

// sectorColor returns the color of a sector's mark for its time and the best one [s].
func sectorColor(split, best float64) rgba {
	switch {
	case !(split > 0):
		return trackColor
	case split <= best:
		return okColor
	}
	return warnColor
}
