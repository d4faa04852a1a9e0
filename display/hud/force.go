package hud

import (
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// forceRow is one stage of the torque on the force page.
type forceRow struct {
	name   string
	part   bool    // a part of the stages around it, whose name is indented
	torque float64 // shown as a number [N·m]
	bar    float64 // shown as a bar, scaled to the rim [N·m]
	color  rgba
}

// rimParts is the number of parts that the rim's dynamics and the soft lock add.
const rimParts = 5

// forceRows returns the stages from column to rim. The column's bar shows its torque scaled to the
// rim. A part has a row from the first time that it adds torque, so that rows do not come and go. The result is valid
// until the next call.
func (c *Canvas) forceRows(f *frame.Frame, effects []string) []forceRow {
	v := &f.Force
	stage := func(name string, torque float64) forceRow { return forceRow{name, false, torque, torque, accentColor} }
	list := append(c.rows[:0], forceRow{"column", false, v.Column, v.Column * v.Scale, accentColor}, stage("gained", v.Gained))
	part := func(i int, name string, torque float64) {
		c.partUsed[i] = c.partUsed[i] || torque != 0 && name != ""
		if c.partUsed[i] {
			list = append(list, forceRow{name, true, torque, torque, dimColor})
		}
	}
	for i, torque := range v.Effects {
		part(i, frame.Name(effects, uint64(i)), torque)
	}
	for i, p := range [rimParts]struct {
		name   string
		torque float64
	}{{"lead", v.Lead}, {"damping", v.Damping}, {"friction", v.Friction}, {"inertia", v.Inertia}, {"soft lock", v.Lock}} {
		part(frame.MaxEffects+i, p.name, p.torque)
	}
	asked := stage("asked", f.AskedTorque)
	if f.Flags&frame.Clipping != 0 {
		asked.color = alarmColor
	}
	c.rows = append(list, asked, stage("limited", v.Limited), stage("sent", v.Sent), stage("at the rim", f.RimTorque))
	return c.rows
}

// Sizes of the force page.
const (
	forceWidth     = 484
	forceRowHeight = 24
	forceHead      = 66
	forceSummary   = 90
)

// drawForce draws the force page: the torque from the column to the rim, stage by stage.
func drawForce(c *Canvas, room place, f *frame.Frame, names *frame.Names) {
	rows := c.forceRows(f, names.Effects)
	height := forceHead + forceSummary + forceRowHeight*float32(len(rows))
	defer func(v view) { c.view = v }(c.fit(room, forceWidth, height, c.options.side()))
	c.card(forceWidth, height)
	drawForceHead(c, f)
	y := float32(forceHead)
	for _, r := range rows {
		drawForceRow(c, y, r, f.RatedTorque)
		y += forceRowHeight
	}
	drawForceSummary(c, y, f)
}

// drawForceHead draws the torque limit, a lamp that is lit while the requested torque exceeds it, and what the ends of the bars mean.
func drawForceHead(c *Canvas, f *frame.Frame) {
	end := heading(c, "FORCE")
	backgroundColor, letterColor := trackColor, dimColor
	if f.Flags&frame.Clipping != 0 {
		backgroundColor, letterColor = alarmColor, textColor
	}
	c.panel(end+10, 9, 56, 25, 5, backgroundColor)
	c.text(smallType, end+38, 28, alignCenter, "CLIP", letterColor)
	limit := c.figures("limit %.3g N·m", clampForText(f.RatedTorque))
	if f.Force.OwnEffects > 0 {
		limit = c.figures("rim %.2g + own %.2g N·m", clampForText(f.Force.Total-f.Force.OwnEffects), clampForText(f.Force.OwnEffects))
	}
	c.write(smallType, forceWidth-inset, 28, alignRight, c.clipped(smallType, limit, forceWidth-2*inset-150), textColor)
	c.text(smallType, forceBarX, forceHead-12, alignLeft, "left", dimColor)
	c.text(smallType, forceBarX+forceBarWidth, forceHead-12, alignRight, "right", dimColor)
	if f.Flags&frame.TorqueLimited != 0 {
		c.text(smallType, forceWidth-inset, forceHead-12, alignRight, "U: more", warnColor)
	} else {
		c.text(smallType, forceWidth-inset, forceHead-12, alignRight, "N·m", dimColor)
	}
}

// Place of the bars of the force page.
const (
	forceBarX     = 154
	forceBarWidth = 194
)

// drawForceRow draws a stage's name, bar and torque below y. A positive torque points to the left.
func drawForceRow(c *Canvas, y float32, r forceRow, rated float64) {
	nameColor, indent := textColor, float32(0)
	if r.part {
		nameColor, indent = dimColor, 16
	}
	c.write(smallType, inset+indent, y+18, alignLeft, c.clipped(smallType, c.join(r.name), forceBarX-inset-indent-6), nameColor)
	from, to := centeredBar(forceBarX, forceBarWidth, r.bar, rated)
	c.bar(place{forceBarX, y + 6, forceBarWidth, 12}, from, to, r.color)
	const middle = forceBarX + forceBarWidth/2
	c.rect(middle-1, y+3, middle+1, y+21, textColor)
	c.write(smallType, forceWidth-inset, y+18, alignRight, c.directed("%.2f", r.torque, "left", "right"), nameColor)
}

// drawForceSummary draws lines at the bottom of the page: the percentage of time with clipping, the gain, the
// learned peak and scale, the estimate whether hands are on the rim, and rate and delay of the torque updates.
func drawForceSummary(c *Canvas, y float32, f *frame.Frame) {
	const right = forceWidth - inset
	v, color, clipped := &f.Force, textColor, "clipped %.1f %%"
	if v.Clipped > frame.ClippingWarning {
		color, clipped = warnColor, "clipped %.1f %%: lower gain by -"
	}
	c.write(smallType, inset, y+26, alignLeft, c.figures(clipped, min(100*clampForText(v.Clipped), 999)), color)
	c.write(smallType, right, y+26, alignRight, c.figures("gain %.0f %%", min(100*clampForText(f.Gain), 9999)), textColor)
	c.write(smallType, inset, y+52, alignLeft, c.figures("peak %.1f N·m, scale %.2f", valid.Clamp(clampForText(v.Peak), -999, 999), valid.Clamp(clampForText(v.Scale), -99, 99)), dimColor)
	c.write(smallType, right, y+52, alignRight, c.figures("hands on %.0f %%", min(100*clampForText(v.HandsOn), 999)), dimColor)
	delay := min(1e3*clampForText(v.Delay), 9999)
	updates := c.figures("rate unknown, delay %.1f ms", delay)
	if v.Rate > 0 {
		updates = c.figures("%.0f updates/s, delay %.1f ms", clampForText(v.Rate), delay)
	}
	c.write(smallType, inset, y+78, alignLeft, updates, dimColor)
}
