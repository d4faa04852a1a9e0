package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/watch"
)

type ffbCmd struct {
	Live  ffbLiveCmd  `cmd:"" default:"withargs" help:"The force of a running rig, stage by stage, as it comes to be."`
	Trial ffbTrialCmd `cmd:"" name:"test" help:"Play one effect at the wheel, without a car: gently, and only when you agree."`
	Map   ffbMapCmd   `cmd:"" help:"Rim stability map, simulated (your wheel does not move): every delay and speed, hands off to firm: figures and a picture."`
}

type ffbLiveCmd struct {
	Page string `hidden:"" default:"" help:"Socket of the rig to watch."`
	JSON bool   `name:"json" help:"Print one JSON object a line, ten a second."`
}

// Redraws of a terminal, lines where there is none, and objects for scripts.
const (
	redrawEvery = 100 * time.Millisecond
	lineEvery   = time.Second
)

func (c *ffbLiveCmd) Run(s *streams) error {
	var watch watch.Force
	t := terminal(s.out)
	switch {
	case c.JSON:
		return followJSON(s, c.Page, func(f *frame.Frame) any {
			watch.Add(f)
			return watch.Describe(f)
		})
	case t == nil:
		return follow(s, c.Page, lineEvery, func(f *frame.Frame, _ string) error {
			watch.Add(f)
			_, err := fmt.Fprintln(s.out, watch.Line(f))
			return err
		}, func(_ *frame.Frame, e ending) error {
			_, err := fmt.Fprintln(s.out, e.line())
			return err
		})
	}
	screen := &redraw{out: t}
	defer screen.end()
	return follow(s, c.Page, redrawEvery, func(f *frame.Frame, notice string) error {
		watch.Add(f)
		return screen.show(append(watch.Lines(f, screen.columns()), notice))
	}, func(f *frame.Frame, e ending) error {
		return screen.show(append(watch.Lines(f, screen.columns()), e.line()))
	})
}

// redraw writes lines over those it wrote before.
type redraw struct {
	out  *os.File
	rows int // written before
}

// columns is the terminal's width, or the usual one.
func (r *redraw) columns() int {
	if width, _, err := term.GetSize(int(r.out.Fd())); err == nil && width > 0 {
		return width
	}
	return 80
}

// show cuts what a terminal has no room for: a line that wraps, or scrolls, could not be
// written over.
func (r *redraw) show(lines []string) error {
	var b strings.Builder
	if r.rows == 0 {
		b.WriteString("\x1b[?25l") // no cursor
	} else {
		fmt.Fprintf(&b, "\r\x1b[%dA", r.rows)
	}
	if _, height, err := term.GetSize(int(r.out.Fd())); err == nil && height > 1 {
		lines = lines[:min(len(lines), height-1)]
	}
	for _, l := range lines {
		b.WriteString("\x1b[K" + watch.Fit(l, r.out) + "\n")
	}
	b.WriteString("\x1b[J")
	r.rows = len(lines)
	_, err := io.WriteString(r.out, b.String())
	return err
}

// end gives the cursor back.
func (r *redraw) end() {
	if r.rows > 0 {
		_, _ = io.WriteString(r.out, "\x1b[?25h")
	}
}
