package hud

import (
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

// forceRow is one stage of the torque on the force page.
type forceRow struct {
	name   string
	part   bool    // a part of the stages beside it, whose name is indented
	torque float64 // shown as a number [N·m]
	bar    float64 // shown as a bar, scaled to the rim [N·m]
	color  rgba
}

// forceRows returns the stages from column to rim. The column's bar shows its torque scaled to the
// rim. An effect has a row from the first time that it adds torque, so that rows do not come and go. The result is valid
// until the next call.
func (c *Canvas) forceRows(f *frame.Frame, effects []string) []forceRow {
	v := &f.Force
	mainRow := func(name string, torque float64) forceRow { return forceRow{name, false, torque, torque, accentColor} }
	partRow := func(name string, torque float64) forceRow { return forceRow{name, true, torque, torque, dimColor} }
	list := append(c.rows[:0], forceRow{"column", false, v.Column, v.Column * v.Scale, accentColor}, mainRow("gained", v.Gained))
	for i, e := range v.Effects {
		name := frame.Name(effects, uint64(i))
		c.effectUsed[i] = c.effectUsed[i] || e != 0 && name != ""
		if c.effectUsed[i] {
			list = append(list, partRow(name, e))
		}
	}
	list = append(list, partRow("lead", v.Lead), partRow("damping", v.Damping), partRow("friction", v.Friction),
		partRow("inertia", v.Inertia), partRow("soft lock", v.Lock),
		mainRow("asked", f.AskedTorque), mainRow("limited", v.Limited), mainRow("sent", v.Sent), mainRow("at the rim", f.RimTorque))
	if f.Flags&frame.Clipping != 0 {
		list[len(list)-4].color = alarmColor
	}
	c.rows = list
	return list
}

const (
	forceLeft      = 136 // x of the page, to the right of the indicators
	forceWidth     = 356
	forceRowHeight = 16 // height of a row
)

// drawForce draws the force page: the torque from the column to the rim, stage by stage.
func drawForce(c *Canvas, f *frame.Frame, names *frame.Names) {
	const headHeight, summaryHeight = 40, 66
	rows := c.forceRows(f, names.Effects)
	left, right := float32(forceLeft+14), float32(forceLeft+forceWidth-14)
	y := float32(lapTop)
	c.panel(forceLeft, y, forceWidth, headHeight+summaryHeight+forceRowHeight*float32(len(rows)), 12, panelColor)
	drawForceHead(c, left, right, y+24, f)
	y += headHeight
	for _, r := range rows {
		drawForceRow(c, left, right, y, r, f.RatedTorque)
		y += forceRowHeight
	}
	drawForceSummary(c, left, right, y+20, f)
}

// drawForceHead draws the torque limit, and a lamp that is lit while the requested torque exceeds it.
func drawForceHead(c *Canvas, left, right, y float32, f *frame.Frame) {
	end := c.text(smallType, left, y, alignLeft, "FORCE", dimColor)
	backgroundColor, letterColor := trackColor, dimColor
	if f.Flags&frame.Clipping != 0 {
		backgroundColor, letterColor = alarmColor, textColor
	}
	c.panel(end+10, y-14, 44, 18, 5, backgroundColor)
	c.text(smallType, end+32, y, alignCenter, "CLIP", letterColor)
	if f.Flags&frame.TorqueLimited != 0 {
		const more = ", U: more"
		c.text(smallType, right, y, alignRight, more, dimColor)
		right -= c.atlas.textWidth(smallType, more)
	}
	limitText := c.figures("± %.3g N·m", clampForText(f.RatedTorque))
	if f.Force.OwnEffects > 0 {
		limitText = c.figures("rim %.2g + effects %.2g N·m", clampForText(f.Force.Total-f.Force.OwnEffects), clampForText(f.Force.OwnEffects))
	}
	c.write(smallType, right, y, alignRight, limitText, dimColor)
}

// drawForceRow draws a stage's name, figure and bar. A positive torque points to the left.
func drawForceRow(c *Canvas, left, right, y float32, r forceRow, rated float64) {
	const figuresEnd, barsStart = 148, 160 // distances from left [layout units]
	nameColor, indent := textColor, float32(0)
	if r.part {
		nameColor, indent = dimColor, c.atlas.textWidth(smallType, "   ")
	}
	c.text(smallType, left+indent, y+11, alignLeft, r.name, nameColor)
	c.write(smallType, left+figuresEnd, y+11, alignRight, c.figures("%+.2f", clampForText(r.torque)), nameColor)
	c.rect(left+barsStart, y+2, right, y+12, trackColor)
	from, to := centeredBar(left+barsStart, right-left-barsStart, r.bar, rated)
	c.rect(from, y+2, to, y+12, r.color)
	middle := (left + barsStart + right) / 2
	c.rect(middle-0.5, y, middle+0.5, y+14, textColor)
}

// drawForceSummary draws three lines at the bottom of the page: the percentage of time with clipping, the gain, the
// learned peak and scale, the estimate whether hands are on the rim, and rate and delay of the torque updates.
func drawForceSummary(c *Canvas, left, right, y float32, f *frame.Frame) {
	v, color, clipped := &f.Force, textColor, "clipped %.1f %%"
	if v.Clipped > frame.ClippingWarning {
		color, clipped = warnColor, "clipped %.1f %%: lower the gain with -"
	}
	c.write(smallType, left, y, alignLeft, c.figures(clipped, 100*clampForText(v.Clipped)), color)
	c.write(smallType, right, y, alignRight, c.figures("gain %.0f %%", 100*clampForText(f.Gain)), textColor)
	c.write(smallType, left, y+18, alignLeft, c.figures("learned peak %.1f N·m, scale %.2f", clampForText(v.Peak), clampForText(v.Scale)), dimColor)
	c.write(smallType, right, y+18, alignRight, c.figures("hands on %.0f %%", 100*clampForText(v.HandsOn)), dimColor)
	delay := 1e3 * clampForText(v.Delay)
	updates := c.figures("rate unknown, delay %.1f ms", delay)
	if v.Rate > 0 {
		updates = c.figures("%.0f updates/s, delay %.1f ms", clampForText(v.Rate), delay)
	}
	c.write(smallType, left, y+36, alignLeft, updates, dimColor)
}

// clampForText returns v within ±9999, so that its text stays short; it returns 0 for NaN.
func clampForText(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return valid.Clamp(v, -9999, 9999)
}
