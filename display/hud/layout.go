package hud

import "math"

// Options say how the instruments are arranged.
type Options struct {
	Scale     float64 // of their size; 0 is 1. It is smaller where they would not fit
	PagesLeft bool    // the pages are on the left, and laps and lamps on the right
}

// scale returns Options.Scale, or its default.
func (o *Options) scale() float32 {
	if !(o.Scale > 0) {
		return 1
	}
	return float32(o.Scale)
}

// Sizes of the layout, in units of the panels: layout units times the scale.
const (
	margin       = 12  // distance from the edges of the picture
	gap          = 8   // between panels
	panelHeight  = 120 // of the panels at the lower edge
	sideWidth    = 336 // of the left and the right panel, and of laps and lamps
	speedWidth   = 316
	rowHeight    = 30 // of the row of badges at the upper edge
	bandTop      = margin + rowHeight + gap - 4
	bandHeight   = 60 // of the band of messages below it
	columnTop    = bandTop + bandHeight + gap
	raceHeight   = 40 // of the strip with flag, start and notice of a session, below the band
	scrubHeight  = 56 // of the scrub bar of a replay, above the panels
	leastWidth   = 2*(margin+sideWidth+gap) + speedWidth
	leastHeight  = 620
	largestScale = float32(Height) / leastHeight
	widest       = 2.4      // pictures that are wider for their height are taken for several screens
	middleScreen = 16.0 / 9 // width over height of the one in their middle
)

// layout is where instruments are, in units of the panels.
type layout struct {
	view                 view // from these units
	width, height        float32
	rim, speed, platform place
	badges, band, scrub  place
	race                 place // of a session
	column               place // of laps and lamps
	page                 place
}

// arrange returns the layout of a picture of a replay, or in a session, whose width is aspect times its height. In a very wide one the instruments gather about
// the middle.
func (o *Options) arrange(aspect float64, replay, session bool) layout {
	whole := float32(Height * aspect)
	width := whole
	if aspect > widest {
		width = Height * middleScreen
	}
	scale := min(o.scale(), width/leastWidth, largestScale)
	l := layout{view: view{scale, (whole - width) / 2, 0}, width: width / scale, height: Height / scale}
	top := l.height - margin - panelHeight
	l.rim = place{margin, top, sideWidth, panelHeight}
	l.platform = place{l.width - margin - sideWidth, top, sideWidth, panelHeight}
	l.speed = place{(l.width - speedWidth) / 2, top, speedWidth, panelHeight}
	l.badges = place{margin, margin, l.width - 2*margin, rowHeight}
	l.band = place{margin, bandTop, l.width - 2*margin, bandHeight}
	columnTop, bottom := float32(columnTop), top-gap
	if session {
		l.race = place{margin, columnTop, l.width - 2*margin, raceHeight}
		columnTop += raceHeight + gap
	}
	if replay {
		l.scrub = place{margin, bottom - scrubHeight, l.width - 2*margin, scrubHeight}
		bottom = l.scrub.y - gap
	}
	l.column = place{margin, columnTop, sideWidth, bottom - columnTop}
	l.page = place{margin + sideWidth + gap, columnTop, l.width - 2*margin - sideWidth - gap, bottom - columnTop}
	if o.PagesLeft {
		l.page.x, l.column.x = margin, l.width-margin-sideWidth
	}
	return l
}

// side returns the side of its room at which a page lies: the outer one.
func (o *Options) side() align {
	if o.PagesLeft {
		return alignLeft
	}
	return alignRight
}

// ScrubPlace returns the place on the scrub bar of the last picture, from 0 to 1, of a point of it; x and y are shares of its width and
// height. near reports whether the point is on the bar's panel.
func (c *Canvas) ScrubPlace(x, y float64) (share float64, near bool) {
	v, s := c.shown.view, c.shown.scrub
	if !(s.w > 0) {
		return 0, false
	}
	px, py := (float32(x)*c.width-v.x)/v.scale-s.x, (float32(y)*Height-v.y)/v.scale-s.y
	share = math.Min(math.Max(float64((px-scrubInset)/(s.w-2*scrubInset)), 0), 1)
	return share, px >= 0 && px < s.w && py >= 0 && py < s.h
}
