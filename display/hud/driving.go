package hud

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// drawSpeed draws speed, gear, engine speed and tank.
func drawSpeed(c *Canvas, room place, f *frame.Frame, maxRPM float64) {
	defer func(v view) { c.view = v }(c.fit(room, speedWidth, panelHeight, alignLeft))
	const right, revTop, revHeight, red = speedWidth - inset, 12, 12, 0.85
	c.card(speedWidth, panelHeight)
	color := accentColor
	if fraction(f.RPM, maxRPM) > red {
		color = alarmColor
	}
	c.bar0(place{inset, revTop, right - inset, revHeight}, f.RPM, maxRPM, color)
	mark := float32(inset + (right-inset)*red)
	c.rect(mark, revTop-3, mark+2, revTop+revHeight+3, alarmColor)
	engine, engineColor := c.figures("%.0f rpm", clampForText(f.RPM/10)*10), dimColor
	if f.Flags&frame.EngineRunning == 0 {
		engine, engineColor = c.join("engine off"), warnColor
	}
	c.write(smallType, inset, 45, alignLeft, engine, engineColor)
	c.write(largeType, 148, 95, alignRight, c.figures("%.0f", speedShown(f)), textColor)
	c.text(mediumType, 156, 95, alignLeft, "km/h", dimColor)
	drawTank(c, inset, right-88, 114, f)
	drawGear(c, right-76, 40, f)
}

// speedShown returns the speed as it is shown [km/h], which has no sign: the gear has.
func speedShown(f *frame.Frame) float64 { return min(math.Abs(clampForText(f.Speed))*3.6, 999) }

// lowCharge is the fraction of tank or battery below which the driver is warned.
const lowCharge = 0.1

// drawTank draws the level of tank or battery as a figure and a bar beside it.
func drawTank(c *Canvas, left, right, y float32, f *frame.Frame) {
	if math.IsNaN(f.Charge) {
		return
	}
	figure, color := c.figures("%.1f L", valid.Clamp(f.Fuel, 0, 999.9)), dimColor
	if math.IsNaN(f.Fuel) {
		figure = c.figures("%.0f %%", 100*max(fraction(f.Charge, 1), 0))
	}
	bar := accentColor
	if f.Charge <= lowCharge {
		color, bar = warnColor, warnColor
	}
	const figureWidth = 84
	c.write(smallType, left, y, alignLeft, figure, color)
	c.bar0(place{left + figureWidth, y - 11, right - left - figureWidth, 8}, f.Charge, 1, bar)
}

// drawGear draws the gear in a box of 76 by 64, which is red while the gear grinds, and the mode of
// shifting: A automatic, M manual.
func drawGear(c *Canvas, x, y float32, f *frame.Frame) {
	backgroundColor := trackColor
	if f.Flags&frame.GearsGrinding != 0 {
		backgroundColor = alarmColor
	}
	c.panel(x, y, 76, 64, 8, backgroundColor)
	c.text(largeType, x+30, y+52, alignCenter, frame.GearName(min(f.Gear, 9)), textColor)
	mode := "M"
	if f.Flags&frame.AutoGears != 0 {
		mode = "A"
	}
	c.text(smallType, x+72, y+20, alignRight, mode, dimColor)
}

// torqueBarWidth is the width of the torque bar; it stands for twice the rated torque.
const torqueBarWidth = 204

// drawRim draws the steering wheel's torque and angle, and the pedals.
func drawRim(c *Canvas, room place, f *frame.Frame) {
	defer func(v view) { c.view = v }(c.fit(room, sideWidth, panelHeight, alignLeft))
	c.card(sideWidth, panelHeight)
	drawTorque(c, inset, 0, f)
	drawSteer(c, inset, 58, f.Steer)
	for i, p := range [...]struct {
		name    string
		pressed float64
		color   rgba
	}{{"C", f.Clutch, clutchColor}, {"B", f.Brake, alarmColor}, {"T", f.Throttle, okColor}} {
		drawPedal(c, sideWidth-inset-90+32*float32(i), p.name, p.pressed, p.color)
	}
}

// drawTorque draws the torque at the rim as a number and a bar; the bar of a positive torque points to the left. While it clips, that is
// while the requested torque exceeds the limit, the bar is red and labeled CLIP.
func drawTorque(c *Canvas, x, y float32, f *frame.Frame) {
	color, figureColor := accentColor, textColor
	if f.Flags&frame.Clipping != 0 {
		color, figureColor = alarmColor, textColor
		c.panel(x, y+8, 56, 25, 5, alarmColor)
		c.text(smallType, x+28, y+28, alignCenter, "CLIP", textColor)
	} else {
		c.text(smallType, x, y+28, alignLeft, "RIM", dimColor)
	}
	c.write(smallType, x+torqueBarWidth, y+28, alignRight, c.directed("%.1f N·m", bounded(f.RimTorque, 99), "left", "right"), figureColor)
	from, to := centeredBar(x, torqueBarWidth, f.RimTorque, f.RatedTorque)
	c.bar(place{x, y + 38, torqueBarWidth, 14}, from, to, color)
	for _, mark := range [3]float32{0, 0.5, 1} {
		c.rect(x+mark*torqueBarWidth-1, y+35, x+mark*torqueBarWidth+1, y+55, textColor)
	}
}

// drawSteer draws the steering wheel as the driver sees it, turned by steer [rad], positive to the left, and the angle in words.
func drawSteer(c *Canvas, x, y float32, steer float64) {
	const radius = 22
	cx, cy := x+radius+4, y+32
	c.ring(cx, cy, radius, 5, textColor)
	// On the screen y goes down, so counter-clockwise is a negative angle.
	s, k := math.Sincos(-clampForText(steer))
	for _, spoke := range [3][2]float64{{1, 0}, {-1, 0}, {0, 1}} {
		dx := spoke[0]*k - spoke[1]*s
		dy := spoke[0]*s + spoke[1]*k
		c.line(cx, cy, cx+radius*float32(dx), cy+radius*float32(dy), 4, dimColor)
	}
	top := [2]float32{float32(s), float32(-k)}
	c.line(cx+top[0]*(radius-4), cy+top[1]*(radius-4), cx+top[0]*(radius+4), cy+top[1]*(radius+4), 7, warnColor)
	c.write(mediumType, x+torqueBarWidth, y+42, alignRight, c.directed("%.0f°", degrees(steer), "left", "right"), textColor)
}

// drawPedal draws a pedal's position, 0..1, as an upright bar.
func drawPedal(c *Canvas, x float32, name string, pressed float64, color rgba) {
	const top, bottom, width = 12, 88, 26
	c.upright(place{x, top, width, bottom - top}, max(fraction(pressed, 1), 0), color)
	c.text(smallType, x+width/2, 110, alignCenter, name, dimColor)
}

// upright adds an upright bar, filled from below to a share.
func (c *Canvas) upright(p place, share float64, color rgba) {
	c.track(p)
	c.rect(p.x, p.y+p.h-p.h*float32(share), p.x+p.w, p.y+p.h, color)
}

// drawPlatform draws the roll of the platform seen from behind, its pitch seen from the left, and the
// actuators.
func drawPlatform(c *Canvas, room place, f *frame.Frame) {
	defer func(v view) { c.view = v }(c.fit(room, sideWidth, panelHeight, alignLeft))
	c.card(sideWidth, panelHeight)
	heading(c, "PLATFORM")
	// A positive roll is right-handed about the forward axis: seen from behind, the left side rises.
	// A positive pitch is right-handed about the axis to the left: seen from the left, where forward
	// is on the left, the nose sinks.
	drawTilt(c, 52, -f.Pose[frame.Roll])
	c.write(smallType, 84, 59, alignLeft, c.directed("%.1f°", bounded(degrees(f.Pose[frame.Roll]), 99), "right", "left"), textColor)
	drawTilt(c, 90, f.Pose[frame.Pitch])
	c.write(smallType, 84, 97, alignLeft, c.directed("%.1f°", bounded(degrees(f.Pose[frame.Pitch]), 99), "nose down", "nose up"), textColor)
	drawLegs(c, f)
}

// tiltGain is the factor by which the tilt of the platform is exaggerated, because it is a few degrees only.
const tiltGain = 3

// drawTilt draws a bar around height y that is turned by an angle [rad]; a positive one lowers its left end.
func drawTilt(c *Canvas, y float32, angle float64) {
	const half, x = 26, inset + 32
	c.line(x-half-4, y, x+half+4, y, 1, trackColor)
	if math.IsNaN(angle) {
		return
	}
	s, k := math.Sincos(valid.Clamp(-angle*tiltGain, -0.5, 0.5))
	dx, dy := float32(k)*half, float32(s)*half
	c.line(x-dx, y-dy, x+dx, y+dy, 7, accentColor)
	c.panel(x-4, y-4, 8, 8, 4, textColor)
}

// drawLegs draws the target (a mark) and the measured position (a bar) of each actuator.
func drawLegs(c *Canvas, f *frame.Frame) {
	const top, bottom, maxStep, maxWidth = 14, 106, 18, 80
	count := max(min(f.Motion.LegCount, frame.MaxLegs), 1)
	step := min(maxStep, maxWidth/float32(count))
	x := sideWidth - inset - step*float32(count)
	for i := range int(count) {
		p := place{x + float32(i)*step, top, step - 3, bottom - top}
		c.upright(p, shareOf(f.LegsFeedback[i]), accentColor)
		if target := f.Legs[i]; !math.IsNaN(target) {
			y := bottom - (bottom-top)*float32(shareOf(target))
			c.rect(p.x-1, y-2, p.x+p.w+1, y+2, textColor)
		}
	}
}

// shareOf returns v, clamped to 0..1; it is 0 for NaN.
func shareOf(v float64) float64 { return max(fraction(v, 1), 0) }

// degrees converts radians to degrees.
func degrees(rad float64) float64 { return rad * 180 / math.Pi }
