package hud

import (
	"strings"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

// drawBadges draws a row of badges in the upper left corner: the safety state, whose name is state, then demo,
// keyboard, frozen and missing devices.
func drawBadges(c *Canvas, f *frame.Frame, state string) {
	color := dimColor
	switch guard.State(f.State) {
	case guard.Driving:
		color = okColor
	case guard.Fault, guard.Stopped:
		color = alarmColor
	}
	x := drawBadge(c, margin, margin, state, color)
	if f.Flags&frame.Demo != 0 {
		x = drawBadge(c, x, margin, "DEMO", accentColor)
	}
	if f.Flags&frame.KeysDrive != 0 {
		x = drawBadge(c, x, margin, "KEYS", accentColor)
	}
	if isFrozen(f) {
		x = drawBadge(c, x, margin, "FROZEN", warnColor)
	}
	for _, w := range appendMissing(make([]string, 0, 3), f) {
		x = drawBadge(c, x, margin, w, warnColor)
	}
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

// drawBadge draws a word on a small panel and returns the x of the next one.
func drawBadge(c *Canvas, x, y float32, word string, color rgba) float32 {
	w := c.atlas.textWidth(smallType, word) + 32
	c.panel(x, y, w, 28, 14, panelColor)
	c.panel(x+10, y+10, 8, 8, 4, color)
	c.text(smallType, x+22, y+19, alignLeft, word, textColor)
	return x + w + 8
}

// drawNotice draws a message to the driver near the upper edge, or two smaller lines if it does not fit
// into one. It draws nothing if the message is empty.
func drawNotice(c *Canvas, notice string) {
	if notice == "" {
		return
	}
	const edges, top = 40, 56
	face, lines, height := mediumType, [2]string{notice}, float32(36)
	if c.atlas.textWidth(face, notice)+edges > c.width {
		face, lines, height = smallType, splitLine(notice), 44
	}
	w := float32(edges)
	for _, line := range lines {
		w = max(w, c.atlas.textWidth(face, line)+edges)
	}
	x := (c.width - w) / 2
	c.panel(x, top, w, height, 10, panelColor)
	c.rect(x, top+8, x+4, top+height-8, warnColor)
	y := float32(80)
	if lines[1] != "" {
		y = 74
	}
	for _, line := range lines {
		c.text(face, c.width/2, y, alignCenter, line, textColor)
		y += 17
	}
}

// splitLine breaks a text into two lines at the semicolon nearest to its middle, or else at a comma or
// a space. The second line is empty if none of them lies between a quarter and three quarters of the text.
func splitLine(text string) [2]string {
	distance := func(i int) int { return max(2*i-len(text), len(text)-2*i) }
	for _, end := range []string{"; ", ", ", " "} {
		best := -1
		for i := range text {
			if strings.HasPrefix(text[i:], end) && distance(i) < distance(best) {
				best = i
			}
		}
		if best > len(text)/4 && best < len(text)*3/4 {
			return [2]string{text[:best+len(end)-1], text[best+len(end):]}
		}
	}
	return [2]string{text}
}

// drawStatus draws the station on the circuit [m], the picture rate, and the number of ticks of the control loop
// that were late or dropped.
func drawStatus(c *Canvas, f *frame.Frame, rate float64) {
	health, color := c.figures("%.0f fps", rate), dimColor
	if f.Missed+f.Dropped > 0 {
		health = c.figures("%.0f fps  ·  %.0f late  ·  %.0f dropped", rate, float64(f.Missed), float64(f.Dropped))
	}
	if f.Dropped > 0 {
		color = warnColor
	}
	station := c.figures("%.0f m", f.Station)
	w := c.atlas.width(smallType, health) + c.atlas.width(mediumType, station) + 52
	x := c.width - margin - w
	c.panel(x, margin, w, 28, 14, panelColor)
	end := c.write(mediumType, x+16, margin+21, alignLeft, station, textColor)
	c.write(smallType, end+20, margin+19, alignLeft, health, color)
}
