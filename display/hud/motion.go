package hud

import (
	"cmp"
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

const (
	motionWidth         = 372
	motionTop           = lapTop + 138 + 8 // below the lap timer
	motionHeadHeight    = 30               // height of the head line
	viewHeight          = 74               // height of the three views
	legRowHeight        = 14               // height of an actuator's row
	channelsHeight      = 70               // height of the bars of drawChannels
	motionSummaryHeight = 38               // height of the lines of drawMotionSummary
)

// drawMotion draws the motion page: the target and the measured pose of the platform, its actuators,
// the parts of the pose and the tuning.
func drawMotion(c *Canvas, f *frame.Frame, names *frame.Names) {
	n := int(min(f.Motion.LegCount, frame.MaxLegs))
	x := c.width - margin - motionWidth
	left, right, y := x+14, x+motionWidth-14, float32(motionTop)
	c.panel(x, y, motionWidth, motionHeadHeight+viewHeight+legRowHeight*float32(n)+channelsHeight+motionSummaryHeight, 12, panelColor)
	drawMotionHead(c, left, right, y+22, f, names)
	y += motionHeadHeight
	drawViews(c, left, right, y, f)
	y += viewHeight
	for i := range n {
		name := c.join(frame.Name(names.Actuators, uint64(i)))
		if len(name) == 0 {
			name = c.figures("actuator %.0f", float64(i+1))
		}
		drawLeg(c, left, right, y, name, i, f)
		y += legRowHeight
	}
	drawChannels(c, left, right, y, f)
	drawMotionSummary(c, left, right, y+channelsHeight+14, f, names)
}

// drawMotionHead draws the platform's state and the percentage of the motion that it is allowed to follow.
func drawMotionHead(c *Canvas, left, right, y float32, f *frame.Frame, names *frame.Names) {
	end := c.text(smallType, left, y, alignLeft, "MOTION", dimColor)
	backgroundColor, letterColor, text := trackColor, dimColor, cmp.Or(frame.Name(names.PlatformStates, f.Motion.State), unknown)
	switch {
	case f.Motion.Faults != 0:
		backgroundColor, letterColor = alarmColor, textColor
	case text == "ready" || text == "active":
		letterColor = okColor
	}
	w := c.atlas.textWidth(smallType, text) + 16
	c.panel(end+10, y-14, w, 18, 5, backgroundColor)
	end = c.text(smallType, end+18, y, alignLeft, text, letterColor) + 18
	switch {
	case f.Flags&frame.ConfirmInterlock != 0:
		c.text(smallType, end, y, alignLeft, "BELT", warnColor)
	case f.Flags&frame.MotionOff != 0:
		c.text(smallType, end, y, alignLeft, "OFF", warnColor)
	}
	scale, color := c.figures("motion %.0f %%", 100*clampForText(f.Motion.GuardShare)), dimColor
	if f.Motion.Scale < 1 {
		scale, color = c.figures("scaled to %.0f %%", 100*clampForText(f.Motion.Scale)), warnColor
	}
	c.write(smallType, right, y, alignRight, scale, color)
}

// drawViews draws the platform seen from the left, from behind and from above: its target pose as a thin
// line, its measured pose as a thick one.
func drawViews(c *Canvas, left, right, y float32, f *frame.Frame) {
	third := (right - left) / 3
	for i, v := range [...]struct {
		name string
		of   func(p *frame.Pose) platformView
	}{
		{"side", func(p *frame.Pose) platformView {
			return platformView{-p[frame.Surge], p[frame.Heave], -p[frame.Pitch]}
		}},
		{"behind", func(p *frame.Pose) platformView { return platformView{-p[frame.Sway], p[frame.Heave], p[frame.Roll]} }},
		{"above", func(p *frame.Pose) platformView { return platformView{-p[frame.Sway], p[frame.Surge], -p[frame.Yaw]} }},
	} {
		middle := left + third*(float32(i)+0.5)
		c.line(middle-46, y+30, middle+46, y+30, 1, trackColor)
		v.of(&f.Motion.Measured).draw(c, middle, y+30, 8, accentColor)
		v.of(&f.Pose).draw(c, middle, y+30, 2, textColor)
		c.text(smallType, middle, y+68, alignCenter, v.name, dimColor)
	}
}

// platformView is a platform as seen in a view: displaced to the right and up [m], and rotated in the plane of the
// view [rad]; a positive rotation lifts its left end.
type platformView struct{ right, up, rotation float64 }

// draw draws the platform as a line around x, y, with exaggerated motion. It draws nothing if a part is
// NaN or Inf.
func (p platformView) draw(c *Canvas, x, y, thick float32, color rgba) {
	const half, pixelsPerMetre, maxShift = 30, 150.0, 16.0
	if !valid.Finite(p.right) || !valid.Finite(p.up) || !valid.Finite(p.rotation) {
		return
	}
	x += float32(valid.Clamp(p.right*pixelsPerMetre, -maxShift, maxShift))
	y -= float32(valid.Clamp(p.up*pixelsPerMetre, -maxShift, maxShift))
	s, k := math.Sincos(valid.Clamp(p.rotation*tiltGain, -0.5, 0.5))
	dx, dy := float32(k)*half, float32(s)*half
	c.line(x-dx, y-dy, x+dx, y+dy, thick, color)
}

// drawLeg draws an actuator: its name, target (a mark), measured position (a bar from the middle),
// following error and drive temperature.
func drawLeg(c *Canvas, left, right, y float32, name []byte, leg int, f *frame.Frame) {
	const barsStart, figuresWidth = 112, 76 // distances from left and from right [layout units]
	from, to := left+barsStart, right-figuresWidth
	at := func(v float64) float32 { return from + (to-from)*float32(fraction(max(0, v), 1)) }
	c.write(smallType, left, y+10, alignLeft, name, textColor)
	c.rect(from, y+2, to, y+11, trackColor)
	if measured := f.LegsFeedback[leg]; !math.IsNaN(measured) {
		c.rect(at(0.5), y+2, at(measured), y+11, accentColor)
	}
	if target := f.Legs[leg]; !math.IsNaN(target) {
		c.rect(at(target)-1.5, y, at(target)+1.5, y+13, textColor)
	}
	if followError := f.Motion.FollowError[leg]; !math.IsNaN(followError) {
		c.write(smallType, right-34, y+10, alignRight, c.figures("%.1f %%", 100*clampForText(valid.Clamp(followError, -9, 9))), dimColor)
	}
	if temperature := f.Motion.Temperature[leg]; !math.IsNaN(temperature) {
		c.write(smallType, right, y+10, alignRight, c.figures("%.0f°", valid.Clamp(temperature, -99, 999)), dimColor)
	}
}

// degreesOfFreedom holds the name of each degree of freedom and the value at which its bar is full: in m for
// surge, sway, heave and slide, in rad for roll, pitch and yaw, without unit for the belt.
var degreesOfFreedom = [frame.PoseAxes]struct {
	name      string
	fullScale float64
}{{"surge", 0.05}, {"sway", 0.05}, {"heave", 0.05}, {"roll", 0.1}, {"pitch", 0.1}, {"yaw", 0.1}, {"slide", 0.1}, {"belt", 1}}

// drawChannels draws a group of bars for each degree of freedom: the parts of the pose that come from
// translation, tilt, rotation and extra cues. The name of one that is at a limit is yellow.
func drawChannels(c *Canvas, left, right, y float32, f *frame.Frame) {
	const half, bar = 17, 7
	m := &f.Motion
	channels := [...]struct {
		name  string
		part  *frame.Pose
		color rgba
	}{{"translation", &m.Translation, accentColor}, {"tilt", &m.Tilt, okColor}, {"rotation", &m.Rotation, warnColor}, {"extra", &m.Extra, dimColor}}
	x := left
	for _, channel := range channels {
		c.rect(x, y+7, x+6, y+13, channel.color)
		x = c.text(smallType, x+10, y+14, alignLeft, channel.name, dimColor) + 16
	}
	column := (right - left) / float32(len(degreesOfFreedom))
	for i, dof := range degreesOfFreedom {
		x, middle := left+column*float32(i), y+20+half
		for k, channel := range channels {
			at := half * float32(fraction(channel.part[i], dof.fullScale))
			from := x + 4 + bar*float32(k)
			c.rect(from, middle, from+bar-1, middle-at, channel.color)
		}
		c.line(x+2, middle, x+column-6, middle, 1, trackColor)
		color := dimColor
		if m.Limits>>i&1 == 1 {
			color = warnColor
		}
		c.text(smallType, x+column/2-2, y+channelsHeight-2, alignCenter, dof.name, color)
	}
}

// drawMotionSummary draws the tuning, and below it the platform's faults or else latency and line load.
func drawMotionSummary(c *Canvas, left, right, y float32, f *frame.Frame, names *frame.Names) {
	m := &f.Motion
	end := c.write(smallType, left, y, alignLeft, c.figures("all %.0f %%  [ ]", 100*clampForText(m.Tuning[0])), textColor)
	selected := min(m.TuningIndex, frame.MaxTunings-1)
	if name := frame.Name(names.Tunings, selected); name != "" {
		end = c.write(smallType, end+20, y, alignLeft, c.join("K: ", name), textColor)
		c.write(smallType, end, y, alignLeft, c.figures(" %.0f %%  , .", 100*clampForText(m.Tuning[selected])), textColor)
	}
	c.write(smallType, right, y, alignRight, c.figures("%.0f /s", clampForText(m.Rate)), dimColor)
	if m.Faults != 0 {
		c.write(smallType, left, y+16, alignLeft, c.faults(names, m.Faults), alarmColor)
		return
	}
	latency := c.join("latency unknown")
	if m.Latency > 0 {
		latency = c.figures("latency %.1f ms", 1e3*clampForText(m.Latency))
	}
	c.write(smallType, left, y+16, alignLeft, latency, dimColor)
	c.write(smallType, right, y+16, alignRight, c.figures("line %.0f %%", 100*clampForText(m.LineShare)), dimColor)
}
