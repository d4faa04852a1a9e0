package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/page"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/watch"
)

type watchCmd struct {
	PageSocket string `name:"page" hidden:"" default:"" help:"Watch the rig at this socket."`
	JSON       bool   `name:"json" help:"Print one JSON object per line, ten per second."`
}

func (c *watchCmd) Run(s *streams) error {
	if c.JSON {
		return followJSON(s, c.PageSocket, func(f *frame.Frame) any { return watch.Status(f) })
	}
	t := terminal(s.out)
	return followPage(s, c.PageSocket, redrawEvery, func(f *frame.Frame, notice string) error {
		line := watch.StatusLine(f) + " " + notice
		if t != nil {
			_, err := io.WriteString(t, "\r\x1b[K"+watch.Fit(line, t))
			return err
		}
		_, err := io.WriteString(s.out, line+"\n")
		return err
	}, func(_ *frame.Frame, e ending) error {
		if t != nil {
			_, _ = io.WriteString(t, "\r\x1b[K")
		}
		_, err := fmt.Fprintln(s.out, e.text())
		return err
	})
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

// view gives a frame of a running rig as a JSON object, as a line of text, and as the lines of a screen.
type view struct {
	object func(*frame.Frame) any
	line   func(*frame.Frame) string
	lines  func(f *frame.Frame, columns int) []string // for a screen with this number of columns
}

// followView shows each new frame of a running rig, and how the rig ended: as JSON objects if asJSON is set, as
// a screen on a terminal, and as lines otherwise.
func followView(s *streams, path string, asJSON bool, v view) error {
	t := terminal(s.out)
	switch {
	case asJSON:
		return followJSON(s, path, v.object)
	case t == nil:
		return followPage(s, path, lineEvery, func(f *frame.Frame, _ string) error {
			_, err := fmt.Fprintln(s.out, v.line(f))
			return err
		}, func(_ *frame.Frame, e ending) error {
			_, err := fmt.Fprintln(s.out, e.text())
			return err
		})
	}
	screen := &redraw{out: t}
	defer screen.end()
	show := func(f *frame.Frame, lastLine string) error {
		return screen.show(append(v.lines(f, screen.columns()), lastLine))
	}
	return followPage(s, path, redrawEvery, show, func(f *frame.Frame, e ending) error { return show(f, e.text()) })
}

// followJSON prints a JSON object for each frame. When the rig has ended it prints the last object again
// with the additional key "ended".
func followJSON(s *streams, path string, describe func(*frame.Frame) any) error {
	show := func(f *frame.Frame, _ string) error { return json.NewEncoder(s.out).Encode(describe(f)) }
	return followPage(s, path, redrawEvery, show, func(f *frame.Frame, e ending) error {
		lastObject, err := json.Marshal(describe(f))
		if err != nil {
			return err
		}
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
func followPage(s *streams, path string, every time.Duration, show func(*frame.Frame, string) error, end func(*frame.Frame, ending) error) error {
	p, err := page.Open(path)
	if err != nil {
		return err
	}
	defer p.Close()
	ctx, done := untilInterrupted()
	defer done()
	tick := time.NewTicker(every)
	defer tick.Stop()
	w := pageReader{page: p, every: every}
	for {
		failure, ended := p.Ended() // read before the frame: if the rig has ended, the frame is the last one
		isNew := w.readNew()
		switch {
		case ended:
			return end(&w.frame, endingOf(&w.frame, failure))
		case isNew:
			err = show(&w.frame, p.Notice())
		case w.sinceNewFrame < max(silentAfter, 2*every):
		case !p.WriterAlive():
			err = fmt.Errorf("the rig (process %d) died without ending its drive; look at wheel and platform before you start it again", p.WriterPID())
			return errors.Join(end(&w.frame, ending{State: "died", Error: err.Error()}), err)
		case !w.stillReported:
			w.stillReported = true
			fmt.Fprintf(s.err, "\nrig: the rig (process %d) shows nothing new: it is stopped, or gets no processor\n", p.WriterPID())
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
	page          *page.Page
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
