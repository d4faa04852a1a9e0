package hud

import (
	"fmt"
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/valid"
)

// MotionPage is the page of the motion: what it knows beside the frame. Its functions must not be nil.
type MotionPage struct {
	Actuators []string            // their names, as far as they have any
	State     func(uint64) string // name of the platform's state
	Faults    func(uint64) string // names of the platform's faults, "" where there are none
	Tuning    func(int) string    // name of a factor, "" where there is none
}

const (
	motionWidth = 372
	motionTop   = lapTop + 138 + 8 // below the laps
	motionHead  = 30
	viewHeight  = 74
	legStep     = 14 // from actuator to actuator
	partsHeight = 70
	motionFoot  = 38
)

// drawMotion draws what the platform is asked, what it does, and of what that is made.
func drawMotion(c *Canvas, f *frame.Frame, p *MotionPage) {
	n := int(min(f.Motion.Legs, frame.MaxLegs))
	x := c.width - margin - motionWidth
	left, right, y := x+14, x+motionWidth-14, float32(motionTop)
	c.panel(x, y, motionWidth, motionHead+viewHeight+legStep*float32(n)+partsHeight+motionFoot, 12, ground)
	drawMotionHead(c, left, right, y+22, f, p)
	y += motionHead
	drawViews(c, left, right, y, f)
	y += viewHeight
	for i := range n {
		drawLeg(c, left, right, y, p.name(i), i, f)
		y += legStep
	}
	drawParts(c, left, right, y, f)
	drawMotionFoot(c, left, right, y+partsHeight+14, f, p)
}

func (p *MotionPage) name(leg int) string {
	if leg < len(p.Actuators) {
		return p.Actuators[leg]
	}
	return fmt.Sprintf("actuator %d", leg+1)
}

// drawMotionHead draws the platform's state and how much of the motion passes.
func drawMotionHead(c *Canvas, left, right, y float32, f *frame.Frame, p *MotionPage) {
	end := c.text(smallType, left, y, leftward, "MOTION", faint)
	paper, letters, text := trough, faint, p.State(f.Motion.State)
	switch {
	case f.Motion.Faults != 0:
		paper, letters = alarm, ink
	case text == "ready" || text == "active":
		letters = good
	}
	w := c.atlas.textWidth(smallType, text) + 16
	c.panel(end+10, y-14, w, 18, 5, paper)
	end = c.text(smallType, end+18, y, leftward, text, letters) + 18
	switch {
	case f.Flags&frame.Unbelted != 0:
		c.text(smallType, end, y, leftward, "BELT", caution)
	case f.Flags&frame.MotionOff != 0:
		c.text(smallType, end, y, leftward, "OFF", caution)
	}
	passes, color := fmt.Sprintf("passes %.0f %%", 100*figure(f.Motion.Share)), faint
	if f.Motion.Scale < 1 {
		passes, color = fmt.Sprintf("reach: %.0f %%", 100*figure(f.Motion.Scale)), caution
	}
	c.text(smallType, right, y, rightward, passes, color)
}

// drawViews draws the platform from the left, from behind and from above, where it is asked
// to be (thin) and where it is by its feedback (thick).
func drawViews(c *Canvas, left, right, y float32, f *frame.Frame) {
	third := (right - left) / 3
	for i, v := range [...]struct {
		name  string
		plate func(p *frame.Pose) plate
	}{
		{"side", func(p *frame.Pose) plate { return plate{-p[frame.Surge], p[frame.Heave], -p[frame.Pitch]} }},
		{"behind", func(p *frame.Pose) plate { return plate{-p[frame.Sway], p[frame.Heave], p[frame.Roll]} }},
		{"above", func(p *frame.Pose) plate { return plate{-p[frame.Sway], p[frame.Surge], -p[frame.Yaw]} }},
	} {
		middle := left + third*(float32(i)+0.5)
		c.line(middle-46, y+30, middle+46, y+30, 1, trough)
		v.plate(&f.Motion.Measured).draw(c, middle, y+30, 8, accent)
		v.plate(&f.Pose).draw(c, middle, y+30, 2, ink)
		c.text(smallType, middle, y+68, centred, v.name, faint)
	}
}

// plate is a platform in a view: how far it is to the right and up [m], and by which angle
// its left end is up [rad].
type plate struct{ right, up, angle float64 }

// draw draws it larger than it is; one that is not known is not drawn.
func (p plate) draw(c *Canvas, x, y, thick float32, color rgba) {
	const half, perMetre, most = 30, 150.0, 16.0
	if p.right-p.right != 0 || p.up-p.up != 0 || p.angle-p.angle != 0 {
		return
	}
	x += float32(valid.Clamp(p.right*perMetre, -most, most))
	y -= float32(valid.Clamp(p.up*perMetre, -most, most))
	s, k := math.Sincos(valid.Clamp(p.angle*tiltGain, -0.5, 0.5))
	dx, dy := float32(k)*half, float32(s)*half
	c.line(x-dx, y-dy, x+dx, y+dy, thick, color)
}

// drawLeg draws an actuator: what it was told (a mark), where it is (a bar), how far it is
// behind and how warm.
func drawLeg(c *Canvas, left, right, y float32, name string, leg int, f *frame.Frame) {
	const bars, figures = 112, 76
	from, to := left+bars, right-figures
	at := func(v float64) float32 { return from + (to-from)*float32(share(max(0, v), 1)) }
	c.text(smallType, left, y+10, leftward, name, ink)
	c.rect(from, y+2, to, y+11, trough)
	if is := f.LegsFeedback[leg]; !math.IsNaN(is) {
		c.rect(at(0.5), y+2, at(is), y+11, accent)
	}
	if told := f.Legs[leg]; !math.IsNaN(told) {
		c.rect(at(told)-1.5, y, at(told)+1.5, y+13, ink)
	}
	if late := f.Motion.FollowError[leg]; !math.IsNaN(late) {
		c.text(smallType, right-34, y+10, rightward, fmt.Sprintf("%.1f %%", 100*figure(valid.Clamp(late, -9, 9))), faint)
	}
	if warm := f.Motion.Temperature[leg]; !math.IsNaN(warm) {
		c.text(smallType, right, y+10, rightward, fmt.Sprintf("%.0f°", valid.Clamp(warm, -99, 999)), faint)
	}
}

// freedoms are a pose's parts as the page calls them, and what fills a bar [m, rad].
var freedoms = [frame.Freedoms]struct {
	name string
	full float64
}{{"surge", 0.05}, {"sway", 0.05}, {"heave", 0.05}, {"roll", 0.1}, {"pitch", 0.1}, {"yaw", 0.1}, {"slide", 0.1}, {"belt", 1}}

// drawParts draws of what the pose is made: a group of bars for each freedom, of
// translation, tilt, rotation and extra cues. A freedom that is at a limit is yellow.
func drawParts(c *Canvas, left, right, y float32, f *frame.Frame) {
	const half, bar = 17, 7
	m := &f.Motion
	channels := [...]struct {
		name  string
		part  *frame.Pose
		color rgba
	}{{"translation", &m.Translation, accent}, {"tilt", &m.Tilt, good}, {"rotation", &m.Rotation, caution}, {"extra", &m.Extra, faint}}
	x := left
	for _, ch := range channels {
		c.rect(x, y+7, x+6, y+13, ch.color)
		x = c.text(smallType, x+10, y+14, leftward, ch.name, faint) + 16
	}
	wide := (right - left) / float32(len(freedoms))
	for i, freedom := range freedoms {
		x, middle := left+wide*float32(i), y+20+half
		for k, ch := range channels {
			at := half * float32(share(ch.part[i], freedom.full))
			from := x + 4 + bar*float32(k)
			c.rect(from, middle, from+bar-1, middle-at, ch.color)
		}
		c.line(x+2, middle, x+wide-6, middle, 1, trough)
		color := faint
		if m.Limits>>i&1 == 1 {
			color = caution
		}
		c.text(smallType, x+wide/2-2, y+partsHeight-2, centred, freedom.name, color)
	}
}

// drawMotionFoot draws the tuning, and what is wrong or else how late the platform is told.
func drawMotionFoot(c *Canvas, left, right, y float32, f *frame.Frame, p *MotionPage) {
	m := &f.Motion
	end := c.text(smallType, left, y, leftward, fmt.Sprintf("all %.0f %%  [ ]", 100*figure(m.Tuning[0])), ink)
	if i := int(min(m.Chosen, frame.MaxTunings-1)); p.Tuning(i) != "" {
		c.text(smallType, end+20, y, leftward, fmt.Sprintf("K: %s %.0f %%  , .", p.Tuning(i), 100*figure(m.Tuning[i])), ink)
	}
	c.text(smallType, right, y, rightward, fmt.Sprintf("%.0f /s", figure(m.Rate)), faint)
	if m.Faults != 0 {
		c.text(smallType, left, y+16, leftward, p.Faults(m.Faults), alarm)
		return
	}
	late := "latency unknown"
	if m.Latency > 0 {
		late = fmt.Sprintf("%.1f ms from tick to wire", 1e3*figure(m.Latency))
	}
	c.text(smallType, left, y+16, leftward, late, faint)
	c.text(smallType, right, y+16, rightward, fmt.Sprintf("line %.0f %%", 100*figure(m.LineShare)), faint)
}
