package hud

import (
	"fmt"
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

const (
	lapWidth = 208
	lapTop   = 104 // below the notice, which may be as wide as the picture
)

// drawLap draws the circuit's clock at the right edge: this lap, how it compares with the
// best one, the last and the best, and a mark for each sector.
func drawLap(c *Canvas, f *frame.Frame) {
	const height = 138
	x, l := c.width-margin-lapWidth, &f.Lap
	left, right := x+14, x+lapWidth-14
	c.panel(x, lapTop, lapWidth, height, 12, ground)
	name, figure := "OUT LAP", ink
	if l.Number > 0 {
		name = fmt.Sprintf("LAP %d", l.Number)
	}
	if f.Flags&frame.LapInvalid != 0 {
		figure = alarm
		c.text(smallType, left, lapTop+50, leftward, "INVALID", alarm)
	}
	c.text(smallType, left, lapTop+26, leftward, name, faint)
	c.text(mediumType, right, lapTop+27, rightward, frame.Clock(l.Time, 1), figure)
	drawDelta(c, right, lapTop+52, l.Delta)
	last := ink
	if f.Flags&frame.LastInvalid != 0 {
		last = alarm
	}
	drawTime(c, left, right, lapTop+78, "LAST", l.Last, last)
	drawTime(c, left, right, lapTop+102, "BEST", l.Best, ink)
	drawSectors(c, left, right, lapTop+116, l)
}

func drawTime(c *Canvas, left, right, y float32, name string, seconds float64, color rgba) {
	c.text(smallType, left, y, leftward, name, faint)
	c.text(mediumType, right, y+1, rightward, frame.Clock(seconds, 3), color)
}

// drawDelta draws the time lost against the best lap, green if it is won.
func drawDelta(c *Canvas, right, y float32, delta float64) {
	if math.IsNaN(delta) {
		return
	}
	color := good
	if delta > 0 {
		color = caution
	}
	c.text(mediumType, right, y, rightward, fmt.Sprintf("%+.2f", valid.Clamp(delta, -999, 999)), color)
}

// drawSectors draws a mark for each sector: green where its time is the shortest so far.
// In a lap's first sector those of the last lap are left to see.
func drawSectors(c *Canvas, left, right, y float32, l *frame.Lap) {
	const height, gap = 8, 4
	n := min(l.Sectors, frame.MaxSectors)
	splits := &l.Splits
	if l.Sector == 0 {
		splits = &l.LastSplits
	}
	w := (right - left + gap) / float32(max(n, 1))
	for i := range n {
		x := left + float32(i)*w
		c.rect(x, y, x+w-gap, y+height, sectorColor(splits[i], l.BestSectors[i]))
		if l.Number > 0 && i == l.Sector {
			c.rect(x, y+height+2, x+w-gap, y+height+4, ink)
		}
	}
}

func sectorColor(split, best float64) rgba {
	switch {
	case !(split > 0):
		return trough
	case split <= best:
		return good
	}
	return caution
}

// drawWarning draws what is wrong with where the car goes, in the middle below the notice.
func drawWarning(c *Canvas, f *frame.Frame) {
	text, color, letters := "", alarm, ink
	switch {
	case f.Flags&frame.WrongWay != 0:
		text = "WRONG WAY"
	case f.Flags&frame.OffTrack != 0:
		text, color, letters = "OFF TRACK", caution, shade
	case f.Flags&frame.InPit != 0:
		text, color, letters = fmt.Sprintf("PIT LANE  %.1f s", valid.Clamp(f.Lap.PitTime, 0, 9999)), accent, shade
	default:
		return
	}
	w := c.atlas.textWidth(mediumType, text) + 48
	c.panel((c.width-w)/2, lapTop, w, 36, 10, color)
	c.text(mediumType, c.width/2, lapTop+25, centred, text, letters)
}
