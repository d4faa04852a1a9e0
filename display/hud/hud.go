// Package hud lays out what the driver reads over the picture: speed, gear and laps, torque and
// pedals, the platform, the pages of force and motion, states and notices. In go a frame and what
// the window knows beside it, out come triangles in a layout that is 720 units high, filled from
// one grey picture of letters. It draws nothing on a screen and keeps no time.
package hud

import (
	"fmt"
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

var (
	ink     = rgba{0.96, 0.97, 0.98, 1}
	faint   = rgba{0.66, 0.71, 0.77, 1}
	ground  = rgba{0.05, 0.065, 0.085, 0.80}
	trough  = rgba{1, 1, 1, 0.11}
	accent  = rgba{0.20, 0.72, 0.98, 1}
	good    = rgba{0.30, 0.83, 0.45, 1}
	caution = rgba{0.98, 0.70, 0.18, 1}
	alarm   = rgba{0.96, 0.16, 0.14, 1}
)

const (
	panelHeight = 116
	panelTop    = Height - panelHeight - 16
	sideWidth   = 320
	margin      = 16
)

// Status is what the instruments show beside the frame.
type Status struct {
	State  string      // name of the safety state
	Notice string      // line to the driver
	Rate   float64     // pictures a second
	MaxRPM float64     // end of the engine's scale [1/min]
	Force  *ForcePage  // nil: it is not shown
	Motion *MotionPage // the same
}

// Draw lays out the instruments of f, or without one tells that there is nothing to show yet, for
// a picture so many times as wide as high. What it returns, three corners a triangle, holds until
// the next call.
func (c *Canvas) Draw(f *frame.Frame, s Status, aspect float64) []Vertex {
	c.vertices = c.vertices[:0]
	c.width = float32(Height * aspect)
	if f != nil {
		drawInstruments(c, f, s)
	} else {
		drawWaiting(c, s)
	}
	return c.vertices
}

// drawInstruments lays all instruments of one picture out on c.
func drawInstruments(c *Canvas, f *frame.Frame, s Status) {
	drawRim(c, margin, f)
	drawSpeed(c, c.width/2, f, s.MaxRPM)
	drawPlatform(c, c.width-margin-sideWidth, f)
	drawFlags(c, f, s.State)
	drawAssists(c, f)
	drawNotice(c, s.Notice)
	drawPlace(c, f, s.Rate)
	drawLap(c, f)
	drawWarning(c, f)
	if s.Force != nil {
		drawForce(c, f, s.Force)
	}
	if s.Motion != nil {
		drawMotion(c, f, s.Motion)
	}
}

// drawWaiting tells that there is nothing to show yet.
func drawWaiting(c *Canvas, s Status) {
	drawNotice(c, "waiting for the rig's first picture")
	pill(c, margin, margin, s.State, faint)
}

// drawSpeed draws speed, gear, engine speed and tank around x.
func drawSpeed(c *Canvas, x float32, f *frame.Frame, maxRPM float64) {
	const w = 316
	left := x - w/2
	c.panel(left, panelTop, w, panelHeight, 12, ground)
	full := share(math.Max(0, f.RPM), maxRPM)
	color := accent
	if full > 0.85 {
		color = alarm
	}
	c.rect(left+18, panelTop+16, left+w-18, panelTop+26, trough)
	c.rect(left+18, panelTop+16, left+18+(w-36)*float32(full), panelTop+26, color)
	c.rect(left+18+(w-36)*0.85, panelTop+13, left+20+(w-36)*0.85, panelTop+29, alarm)
	engine, paint := fmt.Sprintf("%.0f rpm", f.RPM), faint
	if f.Flags&frame.EngineRuns == 0 {
		engine, paint = "engine off", caution
	}
	c.text(smallType, left+18, panelTop+44, leftward, engine, paint)
	c.text(largeType, left+158, panelTop+88, rightward, fmt.Sprintf("%.0f", math.Abs(f.Speed)*3.6), ink)
	c.text(mediumType, left+168, panelTop+88, leftward, "km/h", faint)
	drawTank(c, left+18, left+w-92, panelTop+109, f)
	drawGear(c, left+w-78, panelTop+42, f)
}

// drawRim draws torque and angle of the steering wheel and the pedals.
func drawRim(c *Canvas, x float32, f *frame.Frame) {
	c.panel(x, panelTop, sideWidth, panelHeight, 12, ground)
	drawTorque(c, x+16, panelTop, f)
	drawSteer(c, x+16, panelTop+62, f.Steer)
	drawPedal(c, x+sideWidth-62, "B", f.Brake, alarm)
	drawPedal(c, x+sideWidth-34, "T", f.Throttle, good)
}

// torqueWidth is the width of the torque bar, twice the rated torque.
const torqueWidth = 226

// drawTorque draws the rim's torque: to the left it is positive. While more is
// asked for than the rim may give, the bar is red and says so.
func drawTorque(c *Canvas, x, y float32, f *frame.Frame) {
	color, figure := accent, ink
	if f.Flags&frame.Clipping != 0 {
		color, figure = alarm, alarm
	}
	end := c.text(smallType, x, y+24, leftward, "RIM", faint)
	if f.Flags&frame.Clipping != 0 {
		c.panel(end+10, y+10, 44, 18, 5, alarm)
		c.text(smallType, end+32, y+24, centred, "CLIP", ink)
	}
	c.text(mediumType, x+torqueWidth, y+25, rightward, fmt.Sprintf("%+.1f N·m", f.RimTorque), figure)
	c.rect(x, y+34, x+torqueWidth, y+48, trough)
	from, to := centredBar(x, torqueWidth, f.RimTorque, f.RatedTorque)
	c.rect(from, y+34, to, y+48, color)
	for _, mark := range [3]float32{0, 0.5, 1} {
		c.rect(x+mark*torqueWidth-1, y+31, x+mark*torqueWidth+1, y+51, ink)
	}
	rated := fmt.Sprintf("%.3g", f.RatedTorque)
	c.text(smallType, x, y+65, leftward, rated, faint)
	c.text(smallType, x+torqueWidth, y+65, rightward, rated, faint)
}

// drawSteer draws the steering wheel as the driver sees it.
func drawSteer(c *Canvas, x, y float32, steer float64) {
	const radius = 17
	cx, cy := x+torqueWidth/2, y+28
	c.ring(cx, cy, radius, 4, ink)
	// On the screen y goes down, so counter-clockwise is a negative angle.
	s, k := math.Sincos(-steer)
	for _, spoke := range [3][2]float64{{1, 0}, {-1, 0}, {0, 1}} {
		dx := spoke[0]*k - spoke[1]*s
		dy := spoke[0]*s + spoke[1]*k
		c.line(cx, cy, cx+radius*float32(dx), cy+radius*float32(dy), 3, faint)
	}
	top := [2]float32{float32(s), float32(-k)}
	c.line(cx+top[0]*(radius-4), cy+top[1]*(radius-4), cx+top[0]*(radius+4), cy+top[1]*(radius+4), 5, caution)
	c.text(mediumType, cx-32, cy+14, rightward, fmt.Sprintf("%+.0f°", degrees(steer)), ink)
}

func drawPedal(c *Canvas, x float32, name string, pressed float64, color rgba) {
	const top, bottom = panelTop + 14, panelTop + 88
	c.rect(x, top, x+18, bottom, trough)
	c.rect(x, bottom-(bottom-top)*float32(share(math.Max(0, pressed), 1)), x+18, bottom, color)
	c.text(smallType, x+9, panelTop+106, centred, name, faint)
}

// drawPlatform draws the platform's pose, seen from behind and from the left,
// and its legs.
func drawPlatform(c *Canvas, x float32, f *frame.Frame) {
	c.panel(x, panelTop, sideWidth, panelHeight, 12, ground)
	c.text(smallType, x+16, panelTop+24, leftward, "PLATFORM", faint)
	roll, pitch := f.Pose[3], f.Pose[4]
	// Roll is right-handed about the axis ahead: seen from behind, the left side
	// rises. Pitch is so about the axis to the left: seen from the left, where
	// ahead is on the left, the nose on the left sinks.
	drawTilt(c, x+52, "roll", roll, -1)
	drawTilt(c, x+144, "pitch", pitch, 1)
	drawLegs(c, x+204, f)
}

// drawTilt draws a bar around x that is turned by angle [rad]; with side -1 a
// positive angle lifts its left end, with side 1 its right end.
func drawTilt(c *Canvas, x float32, name string, angle float64, side float64) {
	const half, y = 34, panelTop + 56
	c.line(x-half-4, y, x+half+4, y, 1, trough)
	if math.IsNaN(angle) {
		return
	}
	s, k := math.Sincos(valid.Clamp(-side*angle*tiltGain, -1.2, 1.2))
	dx, dy := float32(k)*half, float32(s)*half
	c.line(x-dx, y-dy, x+dx, y+dy, 6, accent)
	c.panel(x-4, y-4, 8, 8, 4, ink)
	c.text(mediumType, x, panelTop+91, centred, fmt.Sprintf("%+.1f°", degrees(angle)), ink)
	c.text(smallType, x, panelTop+107, centred, name, faint)
}

// tiltGain makes a platform's few degrees visible.
const tiltGain = 3

// drawLegs draws what every leg was told (a mark) and where it is (a bar).
func drawLegs(c *Canvas, x float32, f *frame.Frame) {
	const top, bottom, wide, most = panelTop + 34, panelTop + 92, 17, 102
	used := max(min(f.Motion.Legs, frame.MaxLegs), 1)
	step := min(wide, most/float32(used))
	for i := range int(used) {
		left := x + float32(i)*step
		right := left + step - 6
		c.rect(left, top, right, bottom, trough)
		if is := f.LegsFeedback[i]; !math.IsNaN(is) {
			c.rect(left, bottom-(bottom-top)*float32(share(math.Max(0, is), 1)), right, bottom, accent)
		}
		if told := f.Legs[i]; !math.IsNaN(told) {
			y := bottom - (bottom-top)*float32(share(math.Max(0, told), 1))
			c.rect(left-2, y-1.5, right+2, y+1.5, ink)
		}
	}
	c.text(smallType, x+48, panelTop+107, centred, "legs", faint)
}

func degrees(rad float64) float64 { return rad * 180 / math.Pi }
