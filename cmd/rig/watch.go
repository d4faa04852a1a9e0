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
	Page string `hidden:"" default:"" help:"Socket of the rig to watch."`
	JSON bool   `name:"json" help:"Print one JSON object a line, ten a second."`
}

func (c *watchCmd) Run(s *streams) error {
	if c.JSON {
		return followJSON(s, c.Page, func(f *frame.Frame) any { return watch.Describe(f) })
	}
	t := terminal(s.out)
	return follow(s, c.Page, redrawEvery, func(f *frame.Frame, notice string) error {
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
		_, err := fmt.Fprintln(s.out, e.line())
		return err
	})
}

// ending is how a rig ended that was watched.
type ending struct {
	State  string `json:"state"`  // the last safety state, or died
	Status *int   `json:"status"` // of its exit; null if it died
	Error  string `json:"error"`  // why it failed, "" if it did not
}

// endingOf is that of a rig whose last frame is f.
func endingOf(f *frame.Frame, failure string) ending {
	status := exitDone
	if failure != "" {
		status = exitFailed
	}
	return ending{watch.StateName(f.State), &status, printable.Line(failure)}
}

// line is how it ended, for people.
func (e ending) line() string {
	line := "the rig has ended: " + e.State
	if e.Status != nil {
		line += fmt.Sprintf(", status %d", *e.Status)
	}
	if e.Error != "" {
		line += ": " + e.Error
	}
	return line
}

// followJSON prints an object for each frame, and the last one once more with how the rig ended.
func followJSON(s *streams, path string, describe func(*frame.Frame) any) error {
	show := func(f *frame.Frame, _ string) error { return json.NewEncoder(s.out).Encode(describe(f)) }
	return follow(s, path, redrawEvery, show, func(f *frame.Frame, e ending) error {
		last, err := json.Marshal(describe(f))
		if err != nil {
			return err
		}
		how, err := json.Marshal(e)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.out, "%s,\"ended\":%s}\n", last[:len(last)-1], how)
		return err
	})
}

// follow shows a running rig's newest frame again and again, until a signal to end, or until
// the rig has ended: end says how. It fails only if the rig died.
func follow(s *streams, path string, every time.Duration, show func(*frame.Frame, string) error, end func(*frame.Frame, ending) error) error {
	p, err := page.Open(path)
	if err != nil {
		return err
	}
	defer p.Close()
	ctx, done := untilInterrupted()
	defer done()
	tick := time.NewTicker(every)
	defer tick.Stop()
	w := watched{page: p, every: every}
	for {
		failure, ended := p.Ended() // before the frame, which is the last one then
		fresh := w.look()
		switch {
		case ended:
			return end(&w.frame, endingOf(&w.frame, failure))
		case fresh:
			err = show(&w.frame, p.Notice())
		case w.still < max(patience, 2*every):
		case !p.WriterLives():
			err = fmt.Errorf("the rig (process %d) died without ending its drive; look at wheel and platform before you start it again", p.Writer())
			return errors.Join(end(&w.frame, ending{State: "died", Error: err.Error()}), err)
		case !w.told:
			w.told = true
			fmt.Fprintf(s.err, "\nrig: the rig (process %d) shows nothing new: it is stopped, or gets no processor\n", p.Writer())
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

// patience is how long nothing new may come of a rig before somebody asks whether it lives.
const patience = 2 * time.Second

// watched is a page that is looked at again and again.
type watched struct {
	page  *page.Page
	every time.Duration // between two looks
	frame frame.Frame   // the newest
	seq   uint64        // its number
	still time.Duration // since it came
	told  bool          // that nothing new comes
}

// look reads the newest frame, and reports whether it is a new one.
func (w *watched) look() bool {
	if seq := w.page.Seq(); seq != w.seq && w.page.Read(&w.frame) {
		w.seq, w.still, w.told = seq, 0, false
		return true
	}
	w.still += w.every
	return false
}
