package hud

import (
	"cmp"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// drawTopRow draws the badges from the left, and what there is room for of the window's state at the right.
func drawTopRow(c *Canvas, room place, f *frame.Frame, s *Status) {
	defer func(v view) { c.view = v }(c.fit(room, room.w, room.h, alignLeft))
	end := drawBadges(c, room.w, f, cmp.Or(frame.Name(s.Names.States, f.State), unknown))
	drawStatus(c, end, room.w, f, s)
}

// drawBadges draws a row of badges that ends before right: the safety state, whose name is state, then demo,
// keyboard, frozen and missing devices. It returns where the row ends.
func drawBadges(c *Canvas, right float32, f *frame.Frame, state string) float32 {
	color := dimColor
	switch guard.State(f.State) {
	case guard.Driving:
		color = okColor
	case guard.Fault, guard.Stopped:
		color = alarmColor
	}
	x := drawBadge(c, 0, right, state, color)
	if f.Flags&frame.Demo != 0 {
		x = drawBadge(c, x, right, "DEMO", accentColor)
	}
	if f.Flags&frame.KeysDrive != 0 {
		x = drawBadge(c, x, right, "KEYS", accentColor)
	}
	if isFrozen(f) {
		x = drawBadge(c, x, right, "FROZEN", warnColor)
	}
	for _, w := range appendMissing(make([]string, 0, 3), f) {
		x = drawBadge(c, x, right, w, warnColor)
	}
	return x
}

// isFrozen reports whether the simulation is stopped at a speed other than 0, which is still shown.
func isFrozen(f *frame.Frame) bool { return f.Speed != 0 && !guard.State(f.State).Moves() }

// appendMissing appends to absent a text for each device that is missing. Wheel and pedals belong to another simulator if
// one is followed.
func appendMissing(absent []string, f *frame.Frame) []string {
	flags := f.Flags
	if f.Follow.On == 1 {
		flags |= frame.WheelPresent | frame.PedalsPresent
	}
	for _, d := range []struct {
		bit  uint64
		text string
	}{
		{frame.WheelPresent, "NO WHEEL"},
		{frame.PedalsPresent, "NO PEDALS"},
		{frame.PlatformPresent, "NO PLATFORM"},
	} {
		if flags&d.bit == 0 {
			absent = append(absent, d.text)
		}
	}
	return absent
}

// drawBadge draws a word on a small panel, if it ends before right, and returns the x of the next one.
func drawBadge(c *Canvas, x, right float32, word string, color rgba) float32 {
	w := c.atlas.textWidth(smallType, word) + 40
	if x+w > right {
		return x
	}
	c.pill(place{x, 0, w, rowHeight}, panelColor, color)
	c.text(smallType, x+28, 22, alignLeft, word, textColor)
	return x + w + gap
}

// drawStatus draws, between two x, the picture rate and the number of periods of the control loop without a tick; from the driver's
// seat speed and gear as well. What does not fit is left out.
func drawStatus(c *Canvas, left, right float32, f *frame.Frame, s *Status) {
	if s.Cockpit {
		right = drawStatusText(c, left, right, c.join("gear ", frame.GearName(f.Gear)), textColor)
		right = drawStatusText(c, left, right, c.figures("%.0f km/h", speedShown(f)), textColor)
	}
	if f.Dropped > 0 {
		right = drawStatusText(c, left, right, c.figures("%.0f dropped", min(float64(f.Dropped), 9999)), warnColor)
	}
	drawStatusText(c, left, right, c.figures("%.0f fps", clampForText(s.Rate)), dimColor)
}

// drawStatusText draws a text on a small panel that ends at right, if it begins after left, and returns where the next one ends.
func drawStatusText(c *Canvas, left, right float32, text []byte, color rgba) float32 {
	w := c.atlas.width(smallType, text) + 28
	if right-w < left {
		return right
	}
	before := c.fit(place{right - w, 0, w, rowHeight}, w, rowHeight, alignLeft)
	c.card(w, rowHeight)
	c.write(smallType, 14, 22, alignLeft, text, color)
	c.view = before
	return right - w - gap
}
