package hud

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// Colors of flags and lights.
var (
	greenFlag  = rgba{0.10, 0.62, 0.25, 1}
	yellowFlag = rgba{0.98, 0.86, 0.10, 1}
	redFlag    = rgba{0.85, 0.08, 0.08, 1}
	whiteFlag  = rgba{0.94, 0.94, 0.95, 1}
	unlitColor = rgba{0.25, 0.09, 0.09, 1}
)

const (
	startLights = 5  // that come on one after the other, in the last seconds before the start
	lightStep   = 34 // from one to the next
	goShown     = 5  // for how long the start is shown after it [s]
	noticeShown = 10 // for how long a notice is shown after it changed [s]
)

// lastNotice is the newest notice of race control, and since when it is shown by the clock of the session [s].
type lastNotice struct {
	words [len(frame.Session{}.Notice)]frame.Text
	text  string
	since float64
}

// shown returns the notice of a session if it has changed within noticeShown.
func (n *lastNotice) shown(s *frame.Session) string {
	if s.Notice != n.words {
		n.words, n.text, n.since = s.Notice, string(s.AppendNotice(nil)), s.Clock
		if n.text != "" {
			n.text = "Race control: " + n.text
		}
	}
	if s.Clock-n.since >= noticeShown {
		return ""
	}
	return n.text
}

// sign is a part of the strip: a text on its color, behind the lights of the start if it has any.
type sign struct {
	text           []byte
	color, letters rgba
	lights, lit    int
	checkered      bool
}

// width returns the width of a sign's panel.
func (g *sign) width(c *Canvas) float32 {
	w := c.atlas.width(mediumType, g.text) + noticeSides + lightStep*float32(g.lights)
	if g.checkered {
		w += checkers
	}
	return w
}

// drawRaceStrip draws what race control shows, most important first, as far as it has room: connection or pause, start, flag, penalty, and a notice
// if another message has its place. A flag, or the lights of the start, take the room that is left.
func drawRaceStrip(c *Canvas, room place, s *frame.Session, notice string) {
	defer func(v view) { c.view = v }(c.fit(room, room.w, room.h, alignLeft))
	var signs [5]sign
	n, wide, left := 0, -1, room.w+gap
	add := func(g sign, ok, isWide bool) {
		if w := g.width(c) + gap; ok && w <= left {
			if isWide {
				wide = n
			}
			signs[n], n, left = g, n+1, left-w
		}
	}
	g, ok := c.connection(s)
	add(g, ok, false)
	g, ok = c.start(s)
	add(g, ok, true)
	g, ok = c.flag(s)
	add(g, ok, true)
	add(sign{text: c.figures("PENALTY %.1f s", min(s.Penalty, 9999)), color: warnColor, letters: darkColor}, s.Penalty > 0, false)
	if notice != "" && left > 200 {
		add(sign{text: c.clipped(mediumType, c.join(notice), left-gap-noticeSides), color: panelColor, letters: textColor}, true, false)
	}
	x := float32(0)
	for i := range n {
		w := signs[i].width(c)
		if i == wide {
			w += left
		}
		signs[i].draw(c, place{x, 0, w, room.h})
		x += w + gap
	}
}

// connection returns the sign of a session that is not yet found, lost or paused.
func (c *Canvas) connection(s *frame.Session) (g sign, ok bool) {
	switch {
	case s.Connected == 0 && s.Phase == frame.NoSession:
		return sign{text: c.join("JOINING SESSION"), color: accentColor, letters: darkColor}, true
	case s.Connected == 0:
		return sign{text: c.join("SESSION LOST"), color: alarmColor, letters: textColor}, true
	case s.Paused != 0:
		return sign{text: c.join("SESSION PAUSED"), color: accentColor, letters: darkColor}, true
	}
	return sign{}, false
}

// start returns the sign with the lights before a start. Without a host it is unknown whether it was called off.
func (c *Canvas) start(s *frame.Session) (g sign, ok bool) {
	if s.Phase != frame.PhaseCountdown || s.Connected == 0 || s.ToStart < -goShown {
		return sign{}, false
	}
	g = sign{text: c.join("START: WAIT"), color: panelColor, letters: textColor, lights: startLights}
	switch {
	case s.ToStart > 0:
		seconds := math.Ceil(s.ToStart)
		g.text, g.lit = c.figures("START IN %.0f s", min(seconds, 9999)), int(max(startLights+1-seconds, 0))
	case s.ToStart <= 0:
		g.text = c.join("GO")
	}
	return g, true
}

// flag returns the sign of the flag that is shown, and of green ones for a while after the start.
func (c *Canvas) flag(s *frame.Session) (g sign, ok bool) {
	started := s.Phase == frame.PhaseRacing && s.ToStart <= 0 && s.ToStart > -goShown
	switch {
	case s.Flag == frame.FlagYellow:
		return sign{text: c.join("YELLOW FLAG: no overtaking"), color: yellowFlag, letters: darkColor}, true
	case s.Flag == frame.FlagRed:
		return sign{text: c.join("RED FLAG: session interrupted"), color: redFlag, letters: textColor}, true
	case s.Flag == frame.FlagCheckered:
		return sign{text: c.join("CHECKERED FLAG"), color: whiteFlag, letters: darkColor, checkered: true}, true
	case started:
		return sign{text: c.join("GREEN FLAG: go"), color: greenFlag, letters: textColor}, true
	case s.Flag == frame.FlagGreen:
		return sign{text: c.join("GREEN FLAG"), color: greenFlag, letters: textColor}, true
	}
	return sign{}, false
}

// checkers is the width of the checkers of a flag.
const checkers = 80

// draw draws a sign on a panel.
func (g *sign) draw(c *Canvas, p place) {
	c.occupy(p)
	c.panel(p.x, p.y, p.w, p.h, 10, g.color)
	x := p.x + (p.w-g.width(c)+noticeSides)/2
	for i := range g.lights {
		color := unlitColor
		if i < g.lit {
			color = alarmColor
		}
		c.panel(x, p.y+7, 26, 26, 13, color)
		x += lightStep
	}
	if g.checkered {
		for i := range 8 {
			cx, cy := x+16*float32(i/2), p.y+20*float32(i%2)
			if i/2%2 == 1 {
				cy = p.y + p.h - 20 - 20*float32(i%2)
			}
			if i%2 == 0 {
				c.rect(cx, cy, cx+16, cy+20, darkColor)
			}
		}
		x += checkers
	}
	c.write(mediumType, x, p.y+29, alignLeft, g.text, g.letters)
}

// drawStanding draws the own place with what is left of the race, and the gaps to the cars ahead and behind. It returns where that ends in the
// coordinates of room.
func drawStanding(c *Canvas, room place, s *frame.Session) (bottom float32) {
	const height = 3*lapRow + 14
	defer func(v view) { c.view = v }(c.fit(room, lapWidth, height, 1-c.options.side()))
	const left, right = inset, lapWidth - inset
	c.card(lapWidth, height)
	own := c.join("P-")
	if s.Place > 0 {
		own = c.figures("P%.0f", float64(s.Place))
	}
	end := c.write(mediumType, left, 30, alignLeft, own, textColor)
	if s.Of > 0 {
		c.write(smallType, end+8, 30, alignLeft, c.figures("of %.0f", float64(s.Of)), dimColor)
	}
	c.write(smallType, right, 30, alignRight, c.raceLeft(s), textColor)
	c.drawGap(left, right, 30+lapRow, "ahead", &s.Ahead, s.GapAhead)
	c.drawGap(left, right, 30+2*lapRow, "behind", &s.Behind, s.GapBehind)
	return room.y + min(height, max(room.h, 0))
}

// raceLeft returns in words how long the race goes on, or what the session is at.
func (c *Canvas) raceLeft(s *frame.Session) []byte {
	switch s.Phase {
	case frame.PhaseEnded:
		return c.join("ended")
	case frame.PhaseFinishing:
		return c.join("finishing")
	case frame.PhaseGrid, frame.PhaseCountdown:
		if s.GridPlace > 0 {
			return c.figures("grid %.0f", float64(s.GridPlace))
		}
		return c.join("grid")
	case frame.PhaseRacing:
		switch {
		case s.LapsLeft == 1:
			return c.join("last lap")
		case s.LapsLeft > 0:
			return c.figures("%.0f laps left", float64(s.LapsLeft))
		case !math.IsNaN(s.TimeLeft):
			return c.clock(s.TimeLeft, " left")
		}
	}
	return c.clock(s.Clock, "")
}

// clock returns a time [s] in hours, minutes and seconds, and a word after it.
func (c *Canvas) clock(seconds float64, word string) []byte {
	t := uint64(valid.Clamp(seconds, 0, 359_999))
	start := len(c.texts)
	digits := func(v uint64) { c.texts = append(c.texts, byte('0'+v/10%10), byte('0'+v%10)) }
	if t >= 3600 {
		digits(t / 3600)
		c.texts = append(c.texts, ':')
	}
	digits(t / 60 % 60)
	c.texts = append(c.texts, ':')
	digits(t % 60)
	c.texts = append(c.texts, word...)
	return c.texts[start:len(c.texts):len(c.texts)]
}

// drawGap draws the gap [s] to the car one place ahead or behind, with its driver.
func (c *Canvas) drawGap(left, right, y float32, which string, name *frame.Text, seconds float64) {
	start := len(c.texts)
	c.texts = name.AppendTo(c.texts)
	driver := c.texts[start:len(c.texts):len(c.texts)]
	if len(driver) == 0 {
		c.write(smallType, left, y, alignLeft, c.join("nobody ", which), dimColor)
		return
	}
	gapText := c.join("-.-- s")
	if !math.IsNaN(seconds) {
		gapText = c.figures("%.2f s", min(math.Abs(seconds), 9999))
	}
	c.write(smallType, right, y, alignRight, gapText, textColor)
	arrow := float32(-1) // upwards: ahead
	if which == "behind" {
		arrow = 1
	}
	c.line(left+1, y-7-5*arrow, left+6, y-7+5*arrow, 3, dimColor)
	c.line(left+6, y-7+5*arrow, left+11, y-7-5*arrow, 3, dimColor)
	room := right - left - 20 - c.atlas.width(smallType, gapText) - 10
	c.write(smallType, left+20, y, alignLeft, c.clipped(smallType, driver, room), dimColor)
}
