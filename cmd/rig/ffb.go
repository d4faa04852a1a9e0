package main

import (
	"encoding/json"

	"rig.example/rig/internal/live/console"
	"rig.example/rig/internal/tools/watch"
)

type ffbCmd struct {
	Live  ffbLiveCmd  `cmd:"" default:"withargs" help:"Show the force of a running rig, stage by stage."`
	Trial ffbTrialCmd `cmd:"" name:"test" help:"Play one effect on the wheel, without a car. It starts gently and only after you agree."`
	Map   ffbMapCmd   `cmd:"" help:"Rim stability map: simulate the rim at every delay, speed and grip of the hands (your wheel does not move)."`
}

type ffbLiveCmd struct {
	PageSocket string `name:"page" hidden:"" default:"" help:"Watch the rig at this socket."`
	JSON       bool   `name:"json" help:"Print one JSON object per line, ten per second."`
}

func (c *ffbLiveCmd) Run(s *streams) error {
	var force watch.Force
	return followView(s, c.PageSocket, c.JSON, view{
		object: func(g glance) json.RawMessage { force.Add(g.frame); return force.Describe(g.frame) },
		line:   func(g glance) string { force.Add(g.frame); return force.Line(g.frame) },
		lines: func(g glance, columns, _ int) []console.Line {
			force.Add(g.frame)
			return console.Plainly(force.Lines(g.frame, columns))
		},
		stays: true,
	})
}
