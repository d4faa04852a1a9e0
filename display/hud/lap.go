package hud

import (
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

const (
	lapWidth = 208
	lapTop   = 104 // below the message, which may be as wide as the picture
)

// drawLap draws the lap timer at the right edge: the time of this lap and its difference from the best
// one, the last and the best lap, and a mark for each sector.
func drawLap(c *Canvas, f *frame.Frame) {
	const height = 138
	x, l := c.width-margin-lapWidth, &f.Lap
	left, right := x+14, x+lapWidth-14
	c.panel(x, lapTop, lapWidth, height, 12, panelColor)
	name, timeColor := c.join("OUT LAP"), textColor
	if l.Number > 0 {
		name = c.figures("LAP %.0f", float64(l.Number))
	}
	if f.Flags&frame.LapInvalid != 0 {
		timeColor = alarmColor
		c.text(smallType, left, lapTop+50, alignLeft, "INVALID", alarmColor)
	}
	c.write(smallType, left, lapTop+26, alignLeft, name, dimColor)
	c.write(mediumType, right, lapTop+27, alignRight, c.time(l.Time, 1), timeColor)
	drawDelta(c, right, lapTop+52, l.Delta)
	lastColor := textColor
	if f.Flags&frame.LastLapInvalid != 0 {
		lastColor = alarmColor
	}
	drawTime(c, left, right, lapTop+78, "LAST", l.Last, lastColor)
	drawTime(c, left, right, lapTop+102, "BEST", l.Best, textColor)
	drawSectors(c, left, right, lapTop+116, l)
}

// drawTime draws a lap time [s] with its name.
func drawTime(c *Canvas, left, right, y float32, name string, seconds float64, color rgba) {
	c.text(smallType, left, y, alignLeft, name, dimColor)
	c.write(mediumType, right, y+1, alignRight, c.time(seconds, 3), color)
}

// drawDelta draws the difference from the best lap [s]: green if this lap is faster. NaN draws nothing.
func drawDelta(c *Canvas, right, y float32, delta float64) {
	if math.IsNaN(delta) {
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
	const height, gap = 8, 4
	n := min(l.Sectors, frame.MaxSectors)
	splits := &l.Splits
	if l.Sector == 0 {
		splits = &l.LastSplits
	}
	width := (right - left + gap) / float32(max(n, 1))
	for i := range n {
		x := left + float32(i)*width
		c.rect(x, y, x+width-gap, y+height, sectorColor(splits[i], l.BestSectors[i]))
		if l.Number > 0 && i == l.Sector {
			c.rect(x, y+height+2, x+width-gap, y+height+4, textColor)
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

// drawWarning draws below the message whether the car goes the wrong way, is off the track or in the
// pit lane.
func drawWarning(c *Canvas, f *frame.Frame) {
	var text []byte
	color, letterColor := alarmColor, textColor
	switch {
	case f.Flags&frame.WrongWay != 0:
		text = c.join("WRONG WAY")
	case f.Flags&frame.OffTrack != 0:
		text, color, letterColor = c.join("OFF TRACK"), warnColor, darkColor
	case f.Flags&frame.InPit != 0:
		text, color, letterColor = c.figures("PIT LANE  %.1f s", valid.Clamp(f.Lap.PitTime, 0, 9999)), accentColor, darkColor
	default:
		return
	}
	w := c.atlas.width(mediumType, text) + 48
	c.panel((c.width-w)/2, lapTop, w, 36, 10, color)
	c.write(mediumType, c.width/2, lapTop+25, alignCenter, text, letterColor)
}
