package hud

import (
	"cmp"
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// Sizes of the motion page.
const (
	motionWidth   = 600
	motionHead    = 40
	freedomHeight = 25 // of a row
	legendHeight  = 28
	legHeight     = 24 // of a row
	tuningHeight  = 24 // of a row
	tuningsAcross = 4
	legsAcross    = 2
	summaryHeight = 54
)

// drawMotion draws the motion page: the pose of the platform and its parts, its actuators, the gains and what is wrong.
func drawMotion(c *Canvas, room place, f *frame.Frame, names *frame.Names) {
	legs := int(min(f.Motion.LegCount, frame.MaxLegs))
	freedoms := c.freedomsShown(f)
	tunings := min(len(names.Tunings), frame.MaxTunings)
	legRows, tuningRows := (legs+legsAcross-1)/legsAcross, (max(tunings-1, 0)+tuningsAcross-1)/tuningsAcross
	height := motionHead + freedomHeight*float32(freedoms) + legendHeight + legHeight*float32(legRows) + tuningHeight*float32(tuningRows+2) + summaryHeight
	defer func(v view) { c.view = v }(c.fit(room, motionWidth, height, c.options.side()))
	c.card(motionWidth, height)
	drawMotionHead(c, f, names)
	y := float32(motionHead)
	for i, d := range degreesOfFreedom {
		if c.freedomUsed[i] {
			drawFreedom(c, y, i, d, f)
			y += freedomHeight
		}
	}
	drawLegend(c, y)
	y += legendHeight
	for i := range legs {
		name := c.join(frame.Name(names.Actuators, uint64(i)))
		if len(name) == 0 {
			name = c.figures("actuator %.0f", float64(i+1))
		}
		drawLeg(c, inset+(motionWidth-2*inset)/legsAcross*float32(i%legsAcross), y+legHeight*float32(i/legsAcross), name, i, f)
	}
	y += legHeight * float32(legRows)
	drawTunings(c, y, &f.Motion, names.Tunings[:tunings])
	drawMotionSummary(c, y+tuningHeight*float32(tuningRows+2), f, names)
}

// freedomsShown returns how many degrees of freedom have a row: the first six, and the others from the first time that they move.
func (c *Canvas) freedomsShown(f *frame.Frame) (n int) {
	m := &f.Motion
	for i := range c.freedomUsed {
		c.freedomUsed[i] = c.freedomUsed[i] || i <= frame.Yaw || f.Pose[i] != 0 || m.Extra[i] != 0
		if c.freedomUsed[i] {
			n++
		}
	}
	return n
}

// drawMotionHead draws the platform's state, what keeps it from moving, and the percentage of the motion that it is allowed to follow.
func drawMotionHead(c *Canvas, f *frame.Frame, names *frame.Names) {
	end := heading(c, "MOTION")
	backgroundColor, letterColor, text := trackColor, dimColor, cmp.Or(frame.Name(names.PlatformStates, f.Motion.State), unknown)
	switch {
	case f.Motion.Faults != 0:
		backgroundColor, letterColor = alarmColor, textColor
	case text == "ready" || text == "active":
		letterColor = okColor
	}
	word := c.clipped(smallType, c.join(text), 100)
	w := c.atlas.width(smallType, word) + 16
	c.panel(end+10, 9, w, 25, 5, backgroundColor)
	end = c.write(smallType, end+18, 28, alignLeft, word, letterColor) + 18
	switch {
	case f.Flags&frame.ConfirmInterlock != 0:
		c.text(smallType, end, 28, alignLeft, "BELT", warnColor)
	case f.Flags&frame.MotionOff != 0:
		c.text(smallType, end, 28, alignLeft, "OFF: J", warnColor)
	}
	scale, color := c.figures("let through %.0f %%", valid.Clamp(100*clampForText(f.Motion.GuardShare), 0, 999)), textColor
	if f.Motion.Scale < 1 {
		scale, color = c.figures("scaled to %.0f %%", valid.Clamp(100*clampForText(f.Motion.Scale), 0, 999)), warnColor
	}
	c.write(smallType, motionWidth-inset, 28, alignRight, scale, color)
}

// freedom is a degree of freedom of the platform.
type freedom struct {
	name               string
	fullScale          float64 // at which its bar is full: in m, rad, or without unit for the belt
	factor             float64 // from there to the unit of its figure
	format             string
	positive, negative string // what its directions are called
	leftward           bool   // the bar of a positive value points to the left
}

// degreesOfFreedom holds the degrees of freedom in the order of frame.Pose.
var degreesOfFreedom = [frame.PoseAxes]freedom{
	{"surge", 0.05, 1e3, "%.0f mm", "forward", "back", false},
	{"sway", 0.05, 1e3, "%.0f mm", "left", "right", true},
	{"heave", 0.05, 1e3, "%.0f mm", "up", "down", false},
	{"roll", 0.1, 180 / math.Pi, "%.1f°", "right", "left", false},
	{"pitch", 0.1, 180 / math.Pi, "%.1f°", "nose down", "nose up", false},
	{"yaw", 0.1, 180 / math.Pi, "%.1f°", "left", "right", true},
	{"slide", 0.1, 1e3, "%.0f mm", "left", "right", true},
	{"belt", 1, 100, "%.0f %%", "tight", "slack", false},
}

// channel is a part of the pose: its name and color.
type channel struct {
	name  string
	color rgba
}

// channels holds the parts of the pose.
var channels = [...]channel{{"translation", clutchColor}, {"tilt", okColor}, {"rotation", warnColor}, {"extra", dimColor}}

// Place of the bars of the degrees of freedom.
const (
	freedomBarX     = 76
	freedomBarWidth = 330
)

// drawFreedom draws a degree of freedom below y: the measured pose (a bar) with its target (a mark), below it the parts of the target,
// and beside them the target in words. The name of one that is at a limit is yellow.
func drawFreedom(c *Canvas, y float32, i int, d freedom, f *frame.Frame) {
	m, color := &f.Motion, textColor
	if m.Limits>>i&1 == 1 {
		color = warnColor
	}
	c.text(smallType, inset, y+18, alignLeft, d.name, color)
	sign := -1.0 // centeredBar points to the left for positive values
	if d.leftward {
		sign = 1
	}
	from, to := centeredBar(freedomBarX, freedomBarWidth, sign*m.Measured[i], d.fullScale)
	c.bar(place{freedomBarX, y + 3, freedomBarWidth, 10}, from, to, accentColor)
	c.track(place{freedomBarX, y + 15, freedomBarWidth, 7})
	ends := [2]float64{} // of the stacks of parts to both sides
	for k, part := range [...]*frame.Pose{&m.Translation, &m.Tilt, &m.Rotation, &m.Extra} {
		v := sign * clampLong(part[i])
		side := 0
		if v < 0 {
			side = 1
		}
		_, from := centeredBar(freedomBarX, freedomBarWidth, ends[side], d.fullScale)
		ends[side] += v
		_, to := centeredBar(freedomBarX, freedomBarWidth, ends[side], d.fullScale)
		c.rect(from, y+15, to, y+22, channels[k].color)
	}
	if target := f.Pose[i]; !math.IsNaN(target) {
		_, at := centeredBar(freedomBarX, freedomBarWidth, sign*target, d.fullScale)
		c.rect(at-2, y+1, at+2, y+14, textColor)
	}
	c.write(smallType, freedomBarX+freedomBarWidth+12, y+18, alignLeft, c.directed(d.format, d.factor*bounded(f.Pose[i], 9), d.positive, d.negative), color)
}

// drawLegend draws the colors of the parts below y.
func drawLegend(c *Canvas, y float32) {
	x := float32(inset)
	for _, k := range channels {
		c.rect(x, y+8, x+14, y+20, k.color)
		x = c.text(smallType, x+20, y+21, alignLeft, k.name, dimColor) + 22
	}
}

// drawLeg draws an actuator at x, y: its name, its measured position (a bar) with its target (a mark), and the position as a figure.
func drawLeg(c *Canvas, x, y float32, name []byte, leg int, f *frame.Frame) {
	const nameWidth, barX, barWidth, figuresEnd = 124, 128, 80, 268
	c.write(smallType, x, y+18, alignLeft, c.clipped(smallType, name, nameWidth), textColor)
	measured := f.LegsFeedback[leg]
	c.bar0(place{x + barX, y + 5, barWidth, 12}, measured, 1, accentColor)
	if target := f.Legs[leg]; !math.IsNaN(target) {
		at := x + barX + barWidth*float32(shareOf(target))
		c.rect(at-2, y+2, at+2, y+20, textColor)
	}
	shown, color := measured, textColor
	if math.IsNaN(measured) {
		shown, color = f.Legs[leg], dimColor
	}
	c.write(smallType, x+figuresEnd, y+18, alignRight, c.figures("%.0f %%", 100*shareOf(shown)), color)
}

// drawMotionSummary draws two lines: the platform's faults or else rate, latency and line load; the largest following error and the
// highest temperature.
func drawMotionSummary(c *Canvas, y float32, f *frame.Frame, names *frame.Names) {
	m := &f.Motion
	latency := c.join("latency unknown")
	if m.Latency > 0 {
		latency = c.figures("latency %.1f ms", valid.Clamp(1e3*clampForText(m.Latency), 0, 999))
	}
	if m.Faults != 0 {
		c.write(smallType, inset, y+18, alignLeft, c.clipped(smallType, c.faults(names, m.Faults), motionWidth-2*inset), alarmColor)
	} else {
		end := c.write(smallType, inset, y+18, alignLeft, latency, dimColor)
		c.write(smallType, end+24, y+18, alignLeft, c.figures("line %.0f %%", valid.Clamp(100*clampForText(m.LineShare), 0, 999)), dimColor)
		c.write(smallType, motionWidth-inset, y+18, alignRight, c.figures("%.0f /s", clampForText(m.Rate)), dimColor)
	}
	worst, hottest := math.NaN(), math.NaN()
	for i := range min(m.LegCount, frame.MaxLegs) {
		worst, hottest = largest(worst, math.Abs(m.FollowError[i])), largest(hottest, m.Temperature[i])
	}
	if !math.IsNaN(worst) {
		c.write(smallType, inset, y+42, alignLeft, c.figures("following error %.1f %%", 100*valid.Clamp(worst, 0, 9)), dimColor)
	}
	if !math.IsNaN(hottest) {
		c.write(smallType, motionWidth-inset, y+42, alignRight, c.figures("drives up to %.0f °C", valid.Clamp(hottest, -99, 999)), dimColor)
	}
}

// largest returns the larger of two values; NaN counts only if both are.
func largest(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}
