package hud

import (
	"rig.example/rig/internal/core/frame"
)

// indicator is one entry of the list below the laps.
type indicator struct {
	text []byte
	lit  bool // active at this moment
}

// indicators returns the driving aids that are switched on, with their levels, and the other states of the
// drive that the driver must know of. The result is valid until the next call.
func (c *Canvas) indicators(f *frame.Frame) []indicator {
	list := c.indicatorList[:0]
	for _, aid := range [...]struct {
		format     string
		level      uint64
		activeFlag uint64
	}{
		{"ABS %.0f", f.ABS, frame.ABSActive},
		{"TC %.0f", f.Traction, frame.TractionActive},
		{"ESC %.0f", f.Stability, frame.StabilityActive},
	} {
		if aid.level > 0 {
			list = append(list, indicator{c.figures(aid.format, float64(aid.level)), f.Flags&aid.activeFlag != 0})
		}
	}
	if f.Flags&frame.LaunchOn != 0 {
		list = append(list, indicator{c.join("LAUNCH"), f.Flags&frame.LaunchActive != 0})
	}
	if f.Flags&frame.PitLimiterOn != 0 {
		list = append(list, indicator{c.join("PIT"), f.Flags&frame.PitLimiterActive != 0})
	}
	for _, aid := range [...]struct {
		bit    uint64
		format string
	}{{frame.HighTorque, "HI TORQUE"}, {frame.DeadManReleased, "DEADMAN"}, {frame.HandsOff, "HANDS OFF"},
		{frame.HeadlightFlash, "FLASH"}, {frame.Paused, "PAUSED"}, {frame.GainChanged, "FORCE %.0f %%"}} {
		if f.Flags&aid.bit != 0 {
			list = append(list, indicator{c.figures(aid.format, 100*f.Gain), true})
		}
	}
	if f.Handbrake > 0.02 { // a lever at rest may read a little more than 0
		list = append(list, indicator{c.join("HANDBRAKE"), true})
	}
	if f.GripLoss > 0 {
		list = append(list, indicator{c.figures("RAIN %.0f %%", 100*f.GripLoss), false})
	}
	c.indicatorList = list
	return list
}

// drawIndicators draws the indicators in two columns.
func drawIndicators(c *Canvas, room place, f *frame.Frame) {
	const width, height, step = (sideWidth - gap) / 2, 32, 36
	list := c.indicators(f)
	rows := (len(list) + 1) / 2
	if rows == 0 || room.h <= 0 {
		return
	}
	defer func(v view) { c.view = v }(c.fit(room, sideWidth, step*float32(rows), alignLeft))
	for i, a := range list {
		dotColor, letterColor, backgroundColor := dimColor, textColor, panelColor
		if a.lit {
			dotColor, letterColor, backgroundColor = darkColor, darkColor, warnColor
		}
		c.pill(place{float32(i/rows) * (width + gap), step * float32(i%rows), width, height}, backgroundColor, dotColor)
		c.write(smallType, float32(i/rows)*(width+gap)+28, step*float32(i%rows)+23, alignLeft, c.clipped(smallType, a.text, width-34), letterColor)
	}
}

// pill adds a card with round ends and a dot.
func (c *Canvas) pill(p place, background, dot rgba) {
	c.occupy(p)
	c.panel(p.x, p.y, p.w, p.h, p.h/2, background)
	c.panel(p.x+11, p.y+p.h/2-5, 10, 10, 5, dot)
}
