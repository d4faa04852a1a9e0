package main

import (
	"encoding/json"

	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/internal/tools/watch"
)

type motionWatchCmd struct {
	PageSocket string `name:"page" hidden:"" default:"" help:"Watch the rig at this socket."`
	JSON       bool   `name:"json" help:"Print one JSON object per line, ten per second."`
}

func (c *motionWatchCmd) Run(s *streams) error {
	platform := watch.Motion{Names: actuatorNames(c.PageSocket)}
	return followView(s, c.PageSocket, c.JSON, view{
		object: func(g glance) json.RawMessage { return platform.Describe(g.frame) },
		line:   func(g glance) string { return platform.Line(g.frame) },
		lines:  func(g glance, _, _ int) []console.Line { return console.Plainly(platform.Lines(g.frame)) },
		stays:  true,
	})
}

// actuatorNames returns the names of the running rig's actuators, or nil if there is no rig.
func actuatorNames(path string) []string {
	p, err := framepage.Open(path)
	if err != nil {
		return nil // follow reports the error
	}
	defer p.Close()
	if scene, ok := p.Scene(); ok {
		return scene.Names.Actuators
	}
	return nil
}
