package hud

import (
	"bytes"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// drawMessages draws, below the badges, whether the car goes the wrong way, is off the track or in the
// pit lane, and a message to the driver.
func drawMessages(c *Canvas, room place, f *frame.Frame, notice string) {
	var warning []byte
	color, letterColor := alarmColor, textColor
	switch {
	case f.Flags&frame.WrongWay != 0:
		warning = c.join("WRONG WAY")
	case f.Flags&frame.OffTrack != 0:
		warning, color, letterColor = c.join("OFF TRACK"), warnColor, darkColor
	case f.Flags&frame.InPit != 0:
		warning, color, letterColor = c.figures("PIT LANE  %.1f s", valid.Clamp(f.Lap.PitTime, 0, 9999)), accentColor, darkColor
	}
	drawBand(c, room, warning, notice, color, letterColor)
}

// noticeSides is how much wider the panel of a message is than its text.
const noticeSides = 44

// drawBand draws a warning on a panel of its color, and right of it a message, both about the middle. Either may be empty.
func drawBand(c *Canvas, room place, warning []byte, notice string, color, letterColor rgba) {
	warned := float32(0)
	if len(warning) > 0 {
		warned = c.atlas.width(mediumType, warning) + noticeSides
		if notice != "" {
			warned += gap
		}
	}
	text, lines, face := c.wrapped(notice, room.w-warned-noticeSides)
	width := float32(0)
	if notice != "" {
		width = min(c.widest(face, text)+noticeSides, room.w-warned)
	}
	left := room.x + (room.w-warned-width)/2
	if len(warning) > 0 {
		drawSign(c, place{left, room.y, warned, room.h}, warning, color, letterColor, notice != "")
	}
	if notice != "" {
		drawNotice(c, place{left + warned, room.y, width, room.h}, text, lines, face)
	}
}

// drawSign draws a warning on a panel of its color.
func drawSign(c *Canvas, room place, text []byte, color, letterColor rgba, spaced bool) {
	const height = 42
	w := room.w
	if spaced {
		w -= gap
	}
	defer func(v view) { c.view = v }(c.fit(room, room.w, height, alignLeft))
	c.occupy(place{0, 0, w, height})
	c.panel(0, 0, w, height, 10, color)
	c.write(mediumType, w/2, 30, alignCenter, text, letterColor)
}

// drawNotice draws a message of some lines on a panel, whose width is that of room; smaller if it is too high for it.
func drawNotice(c *Canvas, room place, text []byte, lines int, face typeface) {
	const lineHeight = 23
	height, base := float32(42), float32(30)
	if face == smallType {
		height, base = lineHeight*float32(lines)+12, 23
	}
	width := c.widest(face, text) + noticeSides
	defer func(v view) { c.view = v }(c.fit(room, width, height, alignCenter))
	c.card(width, height)
	c.rect(0, 8, 5, height-8, warnColor)
	for range lines {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		c.write(face, width/2, base, alignCenter, line, textColor)
		text, base = rest, base+lineHeight
	}
}

// wrapped returns a text in lines: one of medium letters if it fits into this width, else as few as can be of small letters. It is
// valid until the next picture.
func (c *Canvas) wrapped(text string, width float32) (wrapped []byte, lines int, face typeface) {
	if wrapped = c.join(text); c.atlas.width(mediumType, wrapped) <= width {
		return wrapped, 1, mediumType
	}
	lines = c.breakLines(wrapped, width)
	const step = 20
	for width > 2*step && c.breakLines(wrapped, width-step) == lines { // narrower, so that all lines are about equally long
		width -= step
	}
	return wrapped, c.breakLines(wrapped, width), smallType
}

// breakLines puts line breaks in place of spaces, so that no line is wider than this, and returns the number of lines. A word that is
// wider stays whole.
func (c *Canvas) breakLines(text []byte, width float32) (lines int) {
	for i, b := range text {
		if b == '\n' {
			text[i] = ' '
		}
	}
	lines = 1
	start, space := 0, -1
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] != ' ' {
			continue
		}
		if space >= 0 && c.atlas.width(smallType, text[start:i]) > width {
			text[space] = '\n'
			start, lines = space+1, lines+1
		}
		space = i
		if space < start {
			space = -1
		}
	}
	return lines
}

// widest returns the width of the widest line of a text.
func (c *Canvas) widest(face typeface, text []byte) (w float32) {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		w, text = max(w, c.atlas.width(face, line)), rest
	}
	return w
}
