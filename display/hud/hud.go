// Package hud lays out the instruments over the picture: speed, gear and laps, torque and pedals, the
// platform, the force and motion pages, states and messages.
// In: a frame and the status of the window.
// Out: triangles in a layout that is 720 units high, textured from one gray atlas of characters.
// It never draws on a screen itself and never reads a clock.
package hud

import (
	"cmp"
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

// The colors of the instruments.
var (
	textColor   = rgba{0.96, 0.97, 0.98, 1}
	dimColor    = rgba{0.66, 0.71, 0.77, 1}
	panelColor  = rgba{0.05, 0.065, 0.085, 0.80}
	trackColor  = rgba{1, 1, 1, 0.11}
	accentColor = rgba{0.20, 0.72, 0.98, 1}
	okColor     = rgba{0.30, 0.83, 0.45, 1}
	warnColor   = rgba{0.98, 0.70, 0.18, 1}
	alarmColor  = rgba{0.96, 0.16, 0.14, 1}
)

// Sizes of the panels at the lower edge [layout units].
const (
	panelHeight = 116
	panelTop    = Height - panelHeight - 16
	sideWidth   = 320 // width of the left and the right panel
	margin      = 16  // distance from the edges of the picture
)

// unknown is shown for a state whose code has no name.
const unknown = "unknown"

// Status is what the instruments show in addition to the frame.
type Status struct {
	Names    frame.Names // names of the codes in the frame
	Notice   string      // message to the driver, may be empty
	Question string      // that the driver is asked, in place of the message; may be empty
	Rate     float64     // pictures per second
	MaxRPM   float64     // full scale of the rev counter [1/min]
	Force    bool        // show the force page
	Motion   bool        // show the motion page
	Timing   bool        // show the timing page

	Display      frame.Display // of this window
	Extrapolated float64       // time by which the car is shown ahead of its frame [s]

	Replay *frame.Replay // the replay that is shown; nil while a rig drives
	Ghost  bool          // a ghost drives
	Gap    float64       // time that the car is behind it at the same place [s]; NaN if unknown

	Cockpit    bool    // the instruments behind the steering wheel are in sight: they show speed, gear, engine speed and fuel
	ShiftUpRPM float64 // engine speed at which to change up [1/min]; 0: unknown
}

// Draw lays out the instruments for frame f in a picture whose width is aspect times its height. If f
// is nil, it shows that the first frame has not come yet. It returns three vertices for each triangle,
// which are valid until the next call.
func (c *Canvas) Draw(f *frame.Frame, s Status, aspect float64) []Vertex {
	c.vertices, c.texts = c.vertices[:0], c.texts[:0]
	c.width = float32(Height * aspect)
	if f != nil {
		drawInstruments(c, f, s)
	} else {
		drawNotice(c, "waiting for the rig's first frame")
	}
	return c.vertices
}

// drawInstruments draws all instruments on c.
func drawInstruments(c *Canvas, f *frame.Frame, s Status) {
	drawRim(c, margin, f)
	drawSpeed(c, c.width/2, f, s.MaxRPM)
	drawPlatform(c, c.width-margin-sideWidth, f)
	drawBadges(c, f, cmp.Or(frame.Name(s.Names.States, f.State), unknown))
	drawAssists(c, f)
	drawNotice(c, cmp.Or(s.Question, s.Notice))
	drawStatus(c, f, s.Rate)
	drawLap(c, f)
	drawWarning(c, f)
	if s.Force {
		drawForce(c, f, &s.Names)
	}
	if s.Motion {
		drawMotion(c, f, &s.Names)
	}
	if s.Timing {
		drawTiming(c, &s)
	}
	if s.Ghost {
		drawGap(c, s.Gap)
	}
	if s.Replay != nil {
		drawReplay(c, s.Replay)
	}
}

// drawSpeed draws speed, gear, engine speed and tank on a panel centered at x.
func drawSpeed(c *Canvas, x float32, f *frame.Frame, maxRPM float64) {
	const w = 316
	left := x - w/2
	c.panel(left, panelTop, w, panelHeight, 12, panelColor)
	rpmFraction := fraction(math.Max(0, f.RPM), maxRPM)
	color := accentColor
	if rpmFraction > 0.85 {
		color = alarmColor
	}
	c.rect(left+18, panelTop+16, left+w-18, panelTop+26, trackColor)
	c.rect(left+18, panelTop+16, left+18+(w-36)*float32(rpmFraction), panelTop+26, color)
	c.rect(left+18+(w-36)*0.85, panelTop+13, left+20+(w-36)*0.85, panelTop+29, alarmColor)
	engine, engineColor := c.figures("%.0f rpm", f.RPM), dimColor
	if f.Flags&frame.EngineRunning == 0 {
		engine, engineColor = c.join("engine off"), warnColor
	}
	c.write(smallType, left+18, panelTop+44, alignLeft, engine, engineColor)
	c.write(largeType, left+158, panelTop+88, alignRight, c.figures("%.0f", math.Abs(f.Speed)*3.6), textColor)
	c.text(mediumType, left+168, panelTop+88, alignLeft, "km/h", dimColor)
	drawTank(c, left+18, left+w-92, panelTop+109, f)
	drawGear(c, left+w-78, panelTop+42, f)
}

// drawRim draws the steering wheel's torque and angle, and the pedals.
func drawRim(c *Canvas, x float32, f *frame.Frame) {
	c.panel(x, panelTop, sideWidth, panelHeight, 12, panelColor)
	drawTorque(c, x+16, panelTop, f)
	drawSteer(c, x+16, panelTop+62, f.Steer)
	drawPedal(c, x+sideWidth-62, "B", f.Brake, alarmColor)
	drawPedal(c, x+sideWidth-34, "T", f.Throttle, okColor)
}

// torqueBarWidth is the width of the torque bar [layout units]; it stands for twice the rated torque.
const torqueBarWidth = 226

// drawTorque draws the torque at the rim as a number and a bar; the bar of a positive torque points to the left. While it clips, that is
// while the requested torque exceeds the limit, the bar is red and labeled CLIP.
func drawTorque(c *Canvas, x, y float32, f *frame.Frame) {
	color, figureColor := accentColor, textColor
	if f.Flags&frame.Clipping != 0 {
		color, figureColor = alarmColor, alarmColor
	}
	end := c.text(smallType, x, y+24, alignLeft, "RIM", dimColor)
	if f.Flags&frame.Clipping != 0 {
		c.panel(end+10, y+10, 44, 18, 5, alarmColor)
		c.text(smallType, end+32, y+24, alignCenter, "CLIP", textColor)
	}
	c.write(mediumType, x+torqueBarWidth, y+25, alignRight, c.figures("%+.1f N·m", f.RimTorque), figureColor)
	c.rect(x, y+34, x+torqueBarWidth, y+48, trackColor)
	from, to := centeredBar(x, torqueBarWidth, f.RimTorque, f.RatedTorque)
	c.rect(from, y+34, to, y+48, color)
	for _, mark := range [3]float32{0, 0.5, 1} {
		c.rect(x+mark*torqueBarWidth-1, y+31, x+mark*torqueBarWidth+1, y+51, textColor)
	}
	rated := c.figures("%.3g", f.RatedTorque)
	c.write(smallType, x, y+65, alignLeft, rated, dimColor)
	c.write(smallType, x+torqueBarWidth, y+65, alignRight, rated, dimColor)
}

// drawSteer draws the steering wheel as the driver sees it, turned by steer [rad], positive to the left.
func drawSteer(c *Canvas, x, y float32, steer float64) {
	const radius = 17
	cx, cy := x+torqueBarWidth/2, y+28
	c.ring(cx, cy, radius, 4, textColor)
	// On the screen y goes down, so counter-clockwise is a negative angle.
	s, k := math.Sincos(-steer)
	for _, spoke := range [3][2]float64{{1, 0}, {-1, 0}, {0, 1}} {
		dx := spoke[0]*k - spoke[1]*s
		dy := spoke[0]*s + spoke[1]*k
		c.line(cx, cy, cx+radius*float32(dx), cy+radius*float32(dy), 3, dimColor)
	}
	top := [2]float32{float32(s), float32(-k)}
	c.line(cx+top[0]*(radius-4), cy+top[1]*(radius-4), cx+top[0]*(radius+4), cy+top[1]*(radius+4), 5, warnColor)
	c.write(mediumType, cx-32, cy+14, alignRight, c.figures("%+.0f°", degrees(steer)), textColor)
}

// drawPedal draws a pedal's position, 0..1, as an upright bar.
func drawPedal(c *Canvas, x float32, name string, pressed float64, color rgba) {
	const top, bottom = panelTop + 14, panelTop + 88
	c.rect(x, top, x+18, bottom, trackColor)
	c.rect(x, bottom-(bottom-top)*float32(fraction(math.Max(0, pressed), 1)), x+18, bottom, color)
	c.text(smallType, x+9, panelTop+106, alignCenter, name, dimColor)
}

// drawPlatform draws the roll of the platform seen from behind, its pitch seen from the left, and the
// actuators.
func drawPlatform(c *Canvas, x float32, f *frame.Frame) {
	c.panel(x, panelTop, sideWidth, panelHeight, 12, panelColor)
	c.text(smallType, x+16, panelTop+24, alignLeft, "PLATFORM", dimColor)
	roll, pitch := f.Pose[3], f.Pose[4]
	// A positive roll is right-handed about the forward axis: seen from behind, the left side rises.
	// A positive pitch is right-handed about the axis to the left: seen from the left, where forward
	// is on the left, the nose sinks.
	drawTilt(c, x+52, "roll", roll, -1)
	drawTilt(c, x+144, "pitch", pitch, 1)
	drawLegs(c, x+204, f)
}

// drawTilt draws a bar centered at x that is tilted by angle [rad]. A positive angle lifts its left end
// if raisedSide is -1, its right end if raisedSide is 1.
func drawTilt(c *Canvas, x float32, name string, angle float64, raisedSide float64) {
	const half, y = 34, panelTop + 56
	c.line(x-half-4, y, x+half+4, y, 1, trackColor)
	if math.IsNaN(angle) {
		return
	}
	s, k := math.Sincos(valid.Clamp(-raisedSide*angle*tiltGain, -1.2, 1.2))
	dx, dy := float32(k)*half, float32(s)*half
	c.line(x-dx, y-dy, x+dx, y+dy, 6, accentColor)
	c.panel(x-4, y-4, 8, 8, 4, textColor)
	c.write(mediumType, x, panelTop+91, alignCenter, c.figures("%+.1f°", degrees(angle)), textColor)
	c.text(smallType, x, panelTop+107, alignCenter, name, dimColor)
}

// tiltGain is the factor by which the tilt of the platform is exaggerated, because it is a few degrees only.
const tiltGain = 3

// drawLegs draws the target (a mark) and the measured position (a bar) of each actuator.
func drawLegs(c *Canvas, x float32, f *frame.Frame) {
	const top, bottom, maxStep, maxWidth = panelTop + 34, panelTop + 92, 17, 102
	count := max(min(f.Motion.LegCount, frame.MaxLegs), 1)
	step := min(maxStep, maxWidth/float32(count))
	for i := range int(count) {
		left := x + float32(i)*step
		right := left + step - 6
		c.rect(left, top, right, bottom, trackColor)
		if measured := f.LegsFeedback[i]; !math.IsNaN(measured) {
			c.rect(left, bottom-(bottom-top)*float32(fraction(math.Max(0, measured), 1)), right, bottom, accentColor)
		}
		if target := f.Legs[i]; !math.IsNaN(target) {
			y := bottom - (bottom-top)*float32(fraction(math.Max(0, target), 1))
			c.rect(left-2, y-1.5, right+2, y+1.5, textColor)
		}
	}
	c.text(smallType, x+48, panelTop+107, alignCenter, "actuators", dimColor)
}

// degrees converts radians to degrees.
func degrees(rad float64) float64 { return rad * 180 / math.Pi }
