package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"rig/internal/frame"
	"rig/internal/rig"
)

type watchCmd struct {
	Page string `hidden:"" default:"" help:"Socket of the rig to watch."`
	JSON bool   `name:"json" help:"Print one JSON object a line, ten a second."`
}

func (c *watchCmd) Run(s *streams) error {
	return follow(s, c.Page, 100*time.Millisecond, func(f *frame.Frame, notice string) error { return c.print(s, f, notice) })
}

// follow shows a running rig's newest frame again and again, until a signal to end or
// until the rig has stopped.
func follow(s *streams, path string, every time.Duration, show func(f *frame.Frame, notice string) error) error {
	page, err := frame.Open(path)
	if err != nil {
		return err
	}
	defer page.Close()
	ctx, done := untilInterrupted()
	defer done()
	tick := time.NewTicker(every)
	defer tick.Stop()
	const patience = 2 * time.Second
	var last uint64
	for still := time.Duration(0); still < max(patience, 2*every); still += every {
		var f frame.Frame
		if seq := page.Seq(); seq != last && page.Read(&f) {
			last, still = seq, 0
			if err := show(&f, page.Notice()); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
	fmt.Fprintln(s.err, "\nrig: no new frames for 2 s; the rig has stopped")
	return nil
}

func (c *watchCmd) print(s *streams, f *frame.Frame, notice string) error {
	if c.JSON {
		return json.NewEncoder(s.out).Encode(rig.Describe(f))
	}
	line := rig.StatusLine(f) + " " + notice
	if t := terminal(s.out); t != nil {
		_, err := io.WriteString(t, "\r\x1b[K"+rig.Fit(line, t))
		return err
	}
	_, err := io.WriteString(s.out, line+"\n")
	return err
}
