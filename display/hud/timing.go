package hud

import (
	"fmt"

	"rig.example/rig/internal/valid"
)

// timingWidth is the width of the timing page.
const timingWidth = 290

// timingRow is a line of the timing page.
type timingRow struct{ name, value string }

// timingRows returns how evenly pictures come, and how old the car's state is that they show.
func timingRows(s *Status) [6]timingRow {
	d, refresh := &s.Display, "unknown"
	if d.Refresh > 0 {
		refresh = fmt.Sprintf("%.2f Hz", valid.Clamp(d.Refresh, 0, 9999))
	}
	return [...]timingRow{
		{"refresh rate", refresh},
		{"frame time p50, p99", milliseconds(d.P50) + ", " + milliseconds(d.P99) + " ms"},
		{"of the whole run", milliseconds(d.RunP50) + ", " + milliseconds(d.RunP99) + " ms"},
		{"dropped pictures", fmt.Sprint(min(d.Dropped, 999_999))},
		{"age of the state", milliseconds(d.Age) + " ms"},
		{"extrapolated", milliseconds(s.Extrapolated) + " ms"},
	}
}

// drawTiming draws the timing page. It lies where the force page begins, or to the right of it.
func drawTiming(c *Canvas, s *Status) {
	const headHeight, rowHeight = 34, 18
	x, rows := float32(forceLeft), timingRows(s)
	if s.Force {
		x += forceWidth + 8
	}
	c.panel(x, lapTop, timingWidth, headHeight+rowHeight*float32(len(rows))+6, 12, panelColor)
	c.text(smallType, x+14, lapTop+24, alignLeft, "PICTURES", dimColor)
	for i, r := range rows {
		y := lapTop + headHeight + rowHeight*float32(i) + 12
		c.text(smallType, x+14, y, alignLeft, r.name, dimColor)
		c.text(smallType, x+timingWidth-14, y, alignRight, r.value, textColor)
	}
}

// milliseconds returns a time [s] in ms.
func milliseconds(s float64) string { return fmt.Sprintf("%.1f", valid.Clamp(1e3*s, 0, 9999)) }
