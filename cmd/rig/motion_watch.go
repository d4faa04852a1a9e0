package main

import (
	"fmt"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/page"
	"rig.example/rig/internal/watch"
)

type motionWatchCmd struct {
	Page string `hidden:"" default:"" help:"Socket of the rig to watch."`
	JSON bool   `name:"json" help:"Print one JSON object a line, ten a second."`
}

func (c *motionWatchCmd) Run(s *streams) error {
	t := terminal(s.out)
	watch := watch.Motion{Names: legNames(c.Page)}
	switch {
	case c.JSON:
		return followJSON(s, c.Page, func(f *frame.Frame) any { return watch.Describe(f) })
	case t == nil:
		return follow(s, c.Page, lineEvery, func(f *frame.Frame, _ string) error {
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
		return screen.show(append(watch.Lines(f), notice))
	}, func(f *frame.Frame, e ending) error {
		return screen.show(append(watch.Lines(f), e.line()))
	})
}

// legNames returns how the running rig calls its actuators, or nothing.
func legNames(path string) []string {
	p, err := page.Open(path)
	if err != nil {
		return nil // follow tells why
	}
	defer p.Close()
	if scene, ok := p.Scene(); ok {
		return scene.Legs
	}
	return nil
}
