package hud

import (
	"fmt"
	"strings"

	"rig.example/rig/internal/frame"
)

// drawFlags draws the safety state and what is odd, in the upper left corner.
func drawFlags(c *Canvas, f *frame.Frame, state string) {
	color := faint
	switch state {
	case "driving":
		color = good
	case "fault", "stopped":
		color = alarm
	}
	x := pill(c, margin, margin, state, color)
	if f.Flags&frame.Demo != 0 {
		x = pill(c, x, margin, "DEMO", accent)
	}
	if f.Flags&frame.KeysDrive != 0 {
		x = pill(c, x, margin, "KEYS", accent)
	}
	if frozen(f, state) {
		x = pill(c, x, margin, "FROZEN", caution)
	}
	for _, w := range warnings(f.Flags) {
		x = pill(c, x, margin, w, caution)
	}
}

// frozen reports whether the speed shown is that at which the simulation stopped.
func frozen(f *frame.Frame, state string) bool {
	return f.Speed != 0 && state != "engaging" && state != "driving"
}

// warnings names the devices that flags says are missing.
func warnings(flags uint64) []string {
	var missing []string
	for _, d := range []struct {
		bit  uint64
		name string
	}{
		{frame.WheelPresent, "NO WHEEL"},
		{frame.PedalsPresent, "NO PEDALS"},
		{frame.PlatformPresent, "NO PLATFORM"},
	} {
		if flags&d.bit == 0 {
			missing = append(missing, d.name)
		}
	}
	return missing
}

// pill draws a word on a small panel and returns where the next one goes.
func pill(c *Canvas, x, y float32, word string, color rgba) float32 {
	w := c.atlas.textWidth(smallType, word) + 32
	c.panel(x, y, w, 28, 14, ground)
	c.panel(x+10, y+10, 8, 8, 4, color)
	c.text(smallType, x+22, y+19, leftward, word, ink)
	return x + w + 8
}

// drawNotice draws a line to the driver below the upper edge, if there is one, or two small
// ones of what is too long.
func drawNotice(c *Canvas, notice string) {
	if notice == "" {
		return
	}
	const edges, top = 40, 56
	font, lines, height := mediumType, []string{notice}, float32(36)
	if c.atlas.textWidth(font, notice)+edges > c.width {
		font, lines, height = smallType, halves(notice), 44
	}
	w := float32(edges)
	for _, line := range lines {
		w = max(w, c.atlas.textWidth(font, line)+edges)
	}
	x := (c.width - w) / 2
	c.panel(x, top, w, height, 10, ground)
	c.rect(x, top+8, x+4, top+height-8, caution)
	y := float32(80)
	if len(lines) > 1 {
		y = 74
	}
	for _, line := range lines {
		c.text(font, c.width/2, y, centred, line, ink)
		y += 17
	}
}

// halves breaks a text in two where a part of its sentence ends nearest to the middle, or
// else a word.
func halves(text string) []string {
	off := func(i int) int { return max(2*i-len(text), len(text)-2*i) }
	for _, end := range []string{"; ", ", ", " "} {
		best := -1
		for i := range text {
			if strings.HasPrefix(text[i:], end) && off(i) < off(best) {
				best = i
			}
		}
		if best > len(text)/4 && best < len(text)*3/4 {
			return []string{text[:best+len(end)-1], text[best+len(end):]}
		}
	}
	return []string{text}
}

// drawPlace draws the place on the circuit and the health of loop and window.
func drawPlace(c *Canvas, f *frame.Frame, rate float64) {
	health, color := fmt.Sprintf("%.0f fps", rate), faint
	if f.Missed+f.Dropped > 0 {
		health += fmt.Sprintf("  ·  %d late  ·  %d dropped", f.Missed, f.Dropped)
	}
	if f.Dropped > 0 {
		color = caution
	}
	station := fmt.Sprintf("%.0f m", f.Station)
	w := c.atlas.textWidth(smallType, health) + c.atlas.textWidth(mediumType, station) + 52
	x := c.width - margin - w
	c.panel(x, margin, w, 28, 14, ground)
	end := c.text(mediumType, x+16, margin+21, leftward, station, ink)
	c.text(smallType, end+20, margin+19, leftward, health, color)
}
