package hud

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// picturesWidth is the width of the page of the pictures.
const picturesWidth = 420

// drawPictures draws how evenly pictures come, how old the car's state is that they show, and how punctual the control loop is.
func drawPictures(c *Canvas, room place, f *frame.Frame, s *Status) {
	const row, count = 26, 8
	defer func(v view) { c.view = v }(c.fit(room, picturesWidth, 48+row*count, c.options.side()))
	c.card(picturesWidth, 48+row*count)
	heading(c, "PICTURES")
	d, refresh := &s.Display, c.join(unknown)
	if d.Refresh > 0 {
		refresh = c.figures("%.2f Hz", valid.Clamp(d.Refresh, 0, 9999))
	}
	for i, r := range [count]struct {
		name  string
		value []byte
	}{
		{"refresh rate", refresh},
		{"frame time p50, p99", c.figures("%.1f, %.1f ms", milliseconds(d.P50), milliseconds(d.P99))},
		{"of the whole run", c.figures("%.1f, %.1f ms", milliseconds(d.RunP50), milliseconds(d.RunP99))},
		{"dropped pictures", c.figures("%.0f", min(float64(d.Dropped), 999_999))},
		{"age of the state", c.figures("%.1f ms", milliseconds(d.Age))},
		{"extrapolated", c.figures("%.1f ms", milliseconds(s.Extrapolated))},
		{"late loop periods", c.figures("%.0f", min(float64(f.Missed), 999_999))},
		{"dropped loop periods", c.figures("%.0f", min(float64(f.Dropped), 999_999))},
	} {
		y := 58 + row*float32(i)
		c.text(smallType, inset, y, alignLeft, r.name, dimColor)
		c.write(smallType, picturesWidth-inset, y, alignRight, r.value, textColor)
	}
}

// milliseconds returns a time [s] in ms, within what has room.
func milliseconds(s float64) float64 {
	if math.IsNaN(s) {
		return 0
	}
	return valid.Clamp(1e3*s, 0, 9999)
}
