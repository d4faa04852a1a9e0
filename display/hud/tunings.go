package hud

import (
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// drawTunings draws the gains of the motion below y: that of all motion and that which is selected, each with the keys that change it, and
// then the list, in which the selected one is marked.
func drawTunings(c *Canvas, y float32, m *frame.Motion, names []string) {
	selected := int(min(m.TuningIndex, frame.MaxTunings-1))
	drawGain(c, y, c.join("all motion"), m.Tuning[0])
	drawKeys(c, y, []keyHint{{"]", "more"}, {"[", "less"}})
	y += tuningHeight
	if selected > 0 && selected < len(names) {
		drawGain(c, y, c.join("selected: ", names[selected]), m.Tuning[selected])
		drawKeys(c, y, []keyHint{{".", "more"}, {",", "less"}, {"K", "next"}})
	} else {
		c.text(smallType, inset, y+18, alignLeft, "selected: all motion", textColor)
		drawKeys(c, y, []keyHint{{"K", "next"}})
	}
	const column = (motionWidth - 2*inset) / tuningsAcross
	for i := 1; i < len(names); i++ {
		x, row := inset+column*float32((i-1)%tuningsAcross), y+tuningHeight*float32(1+(i-1)/tuningsAcross)
		nameColor, figureColor := dimColor, textColor
		if i == selected {
			c.panel(x-4, row+1, column-8, tuningHeight-2, 5, accentColor)
			nameColor, figureColor = darkColor, darkColor
		}
		figure := c.figures("%.0f %%", percent(m.Tuning[i]))
		c.write(smallType, x+column-18, row+19, alignRight, figure, figureColor)
		c.write(smallType, x, row+19, alignLeft, c.clipped(smallType, c.join(names[i]), column-24-c.atlas.width(smallType, figure)), nameColor)
	}
}

// drawGain draws one gain below y.
func drawGain(c *Canvas, y float32, name []byte, gain float64) {
	const figureEnd = 290
	figure := c.figures("%.0f %%", percent(gain))
	c.write(smallType, inset, y+18, alignLeft, c.clipped(smallType, name, figureEnd-inset-6-c.atlas.width(smallType, figure)), textColor)
	c.write(smallType, figureEnd, y+18, alignRight, figure, textColor)
}

// keyHint is a key, and what it does.
type keyHint struct{ key, does string }

// drawKeys draws keys with what they do below y, from the right to the left.
func drawKeys(c *Canvas, y float32, hints []keyHint) {
	x := float32(motionWidth - inset)
	for _, h := range hints {
		c.text(smallType, x, y+18, alignRight, h.does, dimColor)
		x -= c.atlas.textWidth(smallType, h.does) + 6
		c.panel(x-20, y+2, 20, 20, 4, dimColor)
		c.text(smallType, x-10, y+18, alignCenter, h.key, darkColor)
		x -= 30
	}
}

// percent returns a share in percent, within what has room.
func percent(share float64) float64 { return valid.Clamp(100*clampForText(share), -999, 999) }
