package hud

import (
	"fmt"
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

// forceRow is one stage of the torque on the force page.
type forceRow struct {
	name   string
	torque float64 // shown as a number [N·m]
	bar    float64 // shown as a bar, scaled to the rim [N·m]
	color  rgba
}

// forceRows returns the stages from column to rim. The column's bar shows its torque scaled to the
// rim. An effect has a row from the first time that it adds torque, so that rows do not come and go.
func (c *Canvas) forceRows(f *frame.Frame, effects []string) []forceRow {
	v := &f.Force
	mainRow := func(name string, torque float64) forceRow { return forceRow{name, torque, torque, accentColor} }
	partRow := func(name string, torque float64) forceRow { return forceRow{"   " + name, torque, torque, dimColor} }
	list := []forceRow{{"column", v.Column, v.Column * v.Scale, accentColor}, mainRow("gained", v.Gained)}
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
	limitText := fmt.Sprintf("± %.3g N·m", clampForText(f.RatedTorque))
	if f.Force.OwnEffects > 0 {
		limitText = fmt.Sprintf("rim %.2g + effects %.2g N·m", clampForText(f.Force.Total-f.Force.OwnEffects), clampForText(f.Force.OwnEffects))
	}
	if f.Flags&frame.TorqueLimited != 0 {
		limitText += ", U: more"
	}
	c.text(smallType, right, y, alignRight, limitText, dimColor)
}

// drawForceRow draws a stage's name, figure and bar. A positive torque points to the left.
func drawForceRow(c *Canvas, left, right, y float32, r forceRow, rated float64) {
	const figuresEnd, barsStart = 148, 160 // distances from left [layout units]
	nameColor := textColor
	if r.color == dimColor {
		nameColor = dimColor
	}
	c.text(smallType, left, y+11, alignLeft, r.name, nameColor)
	c.text(smallType, left+figuresEnd, y+11, alignRight, fmt.Sprintf("%+.2f", clampForText(r.torque)), nameColor)
	c.rect(left+barsStart, y+2, right, y+12, trackColor)
	from, to := centeredBar(left+barsStart, right-left-barsStart, r.bar, rated)
	c.rect(from, y+2, to, y+12, r.color)
	middle := (left + barsStart + right) / 2
	c.rect(middle-0.5, y, middle+0.5, y+14, textColor)
}

// drawForceSummary draws three lines at the bottom of the page: the percentage of time with clipping, the gain, the
// learned peak and scale, the estimate whether hands are on the rim, and rate and delay of the torque updates.
func drawForceSummary(c *Canvas, left, right, y float32, f *frame.Frame) {
	v, color, advice := &f.Force, textColor, ""
	if v.Clipped > frame.ClippingWarning {
		color, advice = warnColor, ": lower the gain with -"
	}
	c.text(smallType, left, y, alignLeft, fmt.Sprintf("clipped %.1f %%%s", 100*clampForText(v.Clipped), advice), color)
	c.text(smallType, right, y, alignRight, fmt.Sprintf("gain %.0f %%", 100*clampForText(f.Gain)), textColor)
	c.text(smallType, left, y+18, alignLeft, fmt.Sprintf("learned peak %.1f N·m, scale %.2f", clampForText(v.Peak), clampForText(v.Scale)), dimColor)
	c.text(smallType, right, y+18, alignRight, fmt.Sprintf("hands on %.0f %%", 100*clampForText(v.HandsOn)), dimColor)
	rate := "rate unknown"
	if v.Rate > 0 {
		rate = fmt.Sprintf("%.0f updates/s", clampForText(v.Rate))
	}
	c.text(smallType, left, y+36, alignLeft, fmt.Sprintf("%s, delay %.1f ms", rate, 1e3*clampForText(v.Delay)), dimColor)
}

// clampForText returns v within ±9999, so that its text stays short; it returns 0 for NaN.
func clampForText(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return valid.Clamp(v, -9999, 9999)
}
