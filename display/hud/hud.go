// Package hud lays out the instruments over the picture: speed, gear and laps, torque and pedals, the
// platform, pages of figures, states and messages.
// In: a frame and the status of the window.
// Out: triangles in a layout that is 720 units high, textured from one gray atlas of characters.
// It never draws on a screen itself and never reads a clock.
package hud

import (
	"cmp"

	"rig.example/rig/internal/core/frame"
)

// The colors of the instruments.
var (
	textColor   = rgba{0.96, 0.97, 0.98, 1}
	dimColor    = rgba{0.70, 0.75, 0.81, 1}
	panelColor  = rgba{0.05, 0.065, 0.085, 0.84}
	darkColor   = rgba{0.05, 0.065, 0.085, 1} // of texts on a lit panel
	trackColor  = rgba{1, 1, 1, 0.13}
	accentColor = rgba{0.20, 0.72, 0.98, 1}
	okColor     = rgba{0.30, 0.83, 0.45, 1}
	warnColor   = rgba{0.98, 0.70, 0.18, 1}
	alarmColor  = rgba{0.96, 0.16, 0.14, 1}
	clutchColor = rgba{0.62, 0.55, 0.98, 1}
)

// unknown is shown for what has no name, and for what is not measured.
const unknown = "unknown"

// inset is the distance of texts and bars from the sides of their panel.
const inset = 14

// Status is what the instruments show in addition to the frame.
type Status struct {
	Names    frame.Names // names of the codes in the frame
	Notice   string      // message to the driver, may be empty
	Question string      // that the driver is asked, in place of the message; may be empty
	Rate     float64     // pictures per second
	MaxRPM   float64     // full scale of the rev counter [1/min]
	Page     Page        // that is shown
	Cockpit  bool        // the view is from the driver's seat, whose dashboard shows speed, gear and engine speed

	Display      frame.Display // of this window
	Extrapolated float64       // time by which the car is shown ahead of its frame [s]

	Replay  *frame.Replay // the replay that is shown; nil while a rig drives
	Ghost   bool          // a ghost drives
	GhostAt [2]float64    // where it is [m, world]
	Gap     float64       // time that the car is behind it at the same place [s]; NaN if unknown

	ShiftUpRPM float64 // engine speed at which to change up [1/min]; 0: unknown

	Others *frame.Others // of a session, cleaned; nil without one
	Labels []Label       // of other cars in the picture, the nearest first
}

// Draw lays out the instruments for frame f in a picture whose width is aspect times its height. If f
// is nil, it shows that the first frame has not come yet. It returns three vertices for each triangle,
// which are valid until the next call.
func (c *Canvas) Draw(f *frame.Frame, s Status, aspect float64) []Vertex {
	c.vertices, c.texts, c.panels = c.vertices[:0], c.texts[:0], c.panels[:0]
	c.width = float32(Height * aspect)
	c.shown = c.options.arrange(aspect, s.Replay != nil && f != nil, s.Others != nil && f != nil)
	c.view = c.shown.view
	if f != nil {
		c.trace.add(f)
		drawInstruments(c, f, &s)
	} else {
		drawBand(c, c.shown.band, nil, "waiting for the rig's first frame", rgba{}, rgba{})
	}
	return c.vertices
}

// drawInstruments draws all instruments on c.
func drawInstruments(c *Canvas, f *frame.Frame, s *Status) {
	l := &c.shown
	drawRim(c, l.rim, f)
	if !s.Cockpit {
		drawSpeed(c, l.speed, f, s.MaxRPM)
	}
	drawPlatform(c, l.platform, f)
	drawTopRow(c, l.badges, f, s)
	message, raceNotice := cmp.Or(s.Question, s.Notice), ""
	if s.Others != nil {
		if raceNotice = c.notice.shown(&s.Others.Session); message == "" {
			message, raceNotice = raceNotice, ""
		}
	}
	drawMessages(c, l.band, f, message)
	bottom := drawLap(c, l.column, f, s)
	if s.Others != nil {
		drawRaceStrip(c, l.race, &s.Others.Session, raceNotice)
		bottom = drawStanding(c, place{l.column.x, bottom + gap, l.column.w, l.column.y + l.column.h - bottom - gap}, &s.Others.Session)
	}
	drawIndicators(c, place{l.column.x, bottom + gap, l.column.w, l.column.y + l.column.h - bottom - gap}, f)
	drawPage(c, l.page, f, s)
	if s.Replay != nil {
		drawReplay(c, l.scrub, s.Replay)
	}
	drawLabels(c, s)
}
