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
	Page string `hidden:"" default:"" help:"Page of the rig to watch."`
	JSON bool   `name:"json" help:"Print one JSON object a line, ten a second."`
}

func (c *watchCmd) Run(s *streams) error {
	if c.Page == "" {
		c.Page = frame.DefaultPath()
	}
	page, err := frame.Open(c.Page)
	if err != nil {
		return err
	}
	defer page.Close()
	interrupt, stop := interrupted()
	defer stop()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var last uint64
	for still := 0; still < 20; still++ {
		var f frame.Frame
		if seq := page.Seq(); seq != last && page.Read(&f) {
			last, still = seq, 0
			if err := c.print(s, &f, page.Notice()); err != nil {
				return err
			}
		}
		select {
		case <-interrupt:
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
		line = "\r\x1b[K" + rig.Fit(line, t)
	} else {
		line += "\n"
	}
	_, err := io.WriteString(s.out, line)
	return err
}
