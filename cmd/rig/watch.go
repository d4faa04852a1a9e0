package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/internal/tools/watch"
)

type watchCmd struct {
	PageSocket string `name:"page" hidden:"" default:"" help:"Watch the rig at this socket."`
	JSON       bool   `name:"json" help:"Print one JSON object per line, ten per second."`
}

func (c *watchCmd) Run(s *streams) error {
	board := watch.Board{Trends: true}
	began := time.Now()
	return followView(s, c.PageSocket, c.JSON, view{
		object: func(g glance) json.RawMessage { return watch.Status(g.frame, g.others) },
		line: func(g glance) string {
			return watch.StatusLine(g.frame) + " " + hint(g.others.Summary(), g.notice)
		},
		lines: func(g glance, columns, rows int) []console.Line {
			board.Add(time.Since(began), g.number, g.frame)
			return board.Lines(g.frame, watch.Words{Notice: g.notice, Hint: hint(g.others.Summary(), "A block is a second. Ctrl-C ends this view; the rig drives on")}, columns, rows)
		},
	})
}

// glance is what a watcher sees of a running rig.
type glance struct {
	frame  *frame.Frame // the newest
	number uint64       // frames that the rig has published so far
	notice string       // what the driver must know or do, "" for nothing

	others *frame.Others // what a session shows to the rig, nil without one
}

// hint returns what the reader can do, behind how the rig takes part in a session, if it does.
func hint(session, text string) string {
	switch {
	case session == "":
		return text
	case text == "":
		return session
	}
	return session + ". " + text
}

// othersOf returns what a session shows to a page's rig, or nil without one.
func othersOf(p *framepage.Page) *frame.Others {
	if !p.HasOthers() {
		return nil
	}
	unknown := math.NaN()
	o := &frame.Others{Session: frame.Session{ToStart: unknown, TimeLeft: unknown, GapAhead: unknown, GapBehind: unknown}}
	p.Others(o) // remains as it is before the session is joined
	return o
}

// ending is how the watched rig ended.
type ending struct {
	State  string `json:"state"`  // last safety state, or "died"
	Status *int   `json:"status"` // exit status; null if the rig died
	Error  string `json:"error"`  // why the rig failed; "" if it did not fail
}

// endingOf returns the ending of a rig with the last frame f. failure is "" if the rig did not fail.
func endingOf(f *frame.Frame, failure string) ending {
	status := exitDone
	if failure != "" {
		status = exitFailed
	}
	return ending{watch.StateName(f.State), &status, printable.Line(failure)}
}

// text returns the ending in words.
func (e ending) text() string {
	line := "the rig has ended: " + e.State
	if e.Status != nil {
		line += fmt.Sprintf(", status %d", *e.Status)
	}
	if e.Error != "" {
		line += ": " + e.Error
	}
	return line
}

// How often a terminal is redrawn and a JSON object printed, and how often a line of plain text.
const (
	redrawEvery = 100 * time.Millisecond
	lineEvery   = time.Second
)

// view gives a frame of a running rig as a JSON object, as a line of text, and as lines for a terminal.
type view struct {
	object func(glance) json.RawMessage
	line   func(glance) string
	lines  func(g glance, columns, rows int) []console.Line
	stays  bool // the last lines stay on the terminal when the rig has ended
}

// followView shows each new frame of a running rig, and how the rig ended: as JSON objects if asJSON is set, as lines
// that are drawn over on a terminal, and as a line a second otherwise.
func followView(s *streams, path string, asJSON bool, v view) error {
	if asJSON {
		return followJSON(s, path, v.object)
	}
	panel, end := s.openView()
	if panel == nil {
		return followPage(s, path, lineEvery, func(g glance) error {
			_, err := fmt.Fprintln(s.out, v.line(g))
			return err
		}, func(_ glance, e ending) error {
			_, err := fmt.Fprintln(s.out, e.text())
			return err
		})
	}
	defer end()
	return followPage(s, path, redrawEvery, func(g glance) error {
		columns, rows := panel.Area()
		return panel.Show(v.lines(g, columns, rows))
	}, func(g glance, e ending) error {
		last := []console.Line{{Text: e.text()}}
		if v.stays {
			columns, rows := panel.Area()
			last = append(v.lines(g, columns, rows), last...)
		}
		return panel.Show(last)
	})
}

// openView returns a panel on the terminal of stdout, which shows stderr too if that is a terminal; nil if stdout is
// none, or one without control sequences. end leaves the last lines on the terminal.
func (s *streams) openView() (panel *console.Panel, end func()) {
	t := terminal(s.out)
	if t == nil || console.Dumb() {
		return nil, func() {}
	}
	before := *s
	panel = console.NewPanel(t, console.Options{Terminal: t, Color: console.Colors(), Lost: func(lines int) []byte { return fmt.Appendf(nil, "(%d lines are lost)\n", lines) }})
	if terminal(s.err) != nil {
		s.err, s.log = &screen{w: panel}, newLog(panel, "auto", s.level, true)
	}
	return panel, func() { panel.Leave(); s.err, s.log = before.err, before.log }
}

// followJSON prints a JSON object for each frame. When the rig has ended it prints the last object again
// with the additional key "ended".
func followJSON(s *streams, path string, describe func(glance) json.RawMessage) error {
	show := func(g glance) error {
		_, err := fmt.Fprintf(s.out, "%s\n", describe(g))
		return err
	}
	return followPage(s, path, redrawEvery, show, func(g glance, e ending) error {
		lastObject := describe(g)
		endingObject, err := json.Marshal(e)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.out, "%s,\"ended\":%s}\n", lastObject[:len(lastObject)-1], endingObject)
		return err
	})
}

// followPage calls show with each new frame of a running rig. It returns nil after a signal such as Ctrl-C, and
// calls end when the rig has ended. It returns an error if the rig died, or if show or end fails.
func followPage(s *streams, path string, every time.Duration, show func(glance) error, end func(glance, ending) error) error {
	p, err := framepage.Open(path)
	if err != nil {
		return err
	}
	defer p.Close()
	ctx, done := s.untilInterrupted()
	defer done()
	tick := time.NewTicker(every)
	defer tick.Stop()
	w := pageReader{page: p, every: every}
	for {
		failure, ended := p.Ended() // read before the frame: if the rig has ended, the frame is the last one
		isNew := w.readNew()
		now := glance{&w.frame, w.frameNumber, p.Notice(), othersOf(p)}
		switch {
		case ended:
			return end(now, endingOf(&w.frame, failure))
		case isNew:
			err = show(now)
		case w.sinceNewFrame < max(silentAfter, 2*every):
		case !p.WriterAlive():
			err = fmt.Errorf("the rig (process %d) died without ending its drive; look at wheel and platform before you start it again", p.WriterPID())
			return errors.Join(end(now, ending{State: "died", Error: err.Error()}), err)
		case !w.stillReported:
			w.stillReported = true
			fmt.Fprintf(s.err, "rig: the rig (process %d) shows nothing new: it is stopped, or gets no processor\n", p.WriterPID())
		}
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// silentAfter is the time without a new frame after which followPage checks whether the rig's process is alive.
const silentAfter = 2 * time.Second

// pageReader polls a page for new frames.
type pageReader struct {
	page          *framepage.Page
	every         time.Duration // time between two calls of readNew
	frame         frame.Frame   // newest frame
	frameNumber   uint64        // sequence number of frame
	sinceNewFrame time.Duration // time since frame was read
	stillReported bool          // the message that no new frames come was printed
}

// readNew copies the newest frame into w.frame and reports whether it is a new one.
func (w *pageReader) readNew() bool {
	if seq := w.page.Seq(); seq != w.frameNumber && w.page.Read(&w.frame) {
		w.frameNumber, w.sinceNewFrame, w.stillReported = seq, 0, false
		return true
	}
	w.sinceNewFrame += w.every
	return false
}
