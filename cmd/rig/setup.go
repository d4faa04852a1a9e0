package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"golang.org/x/term"

	"rig.example/rig/display"
	"rig.example/rig/internal/connect/sections"
	"rig.example/rig/internal/tools/setup"
)

type setupCmd struct {
	Config     string `type:"path" placeholder:"F" help:"Write this configuration file. Default: /etc/rig/rig.toml for root, else ~/.config/rig/rig.toml."`
	Yes        bool   `help:"Answer every question with its default, for scripts. It agrees neither to torque nor to motion."`
	PushOK     bool   `name:"push-ok" help:"Agree in advance to pulses and a drive's torque at the rim."`
	MoveOK     bool   `name:"move-ok" help:"Agree in advance to a platform that moves: nobody and nothing may be on it or in its way."`
	NoDrive    bool   `name:"no-drive" help:"Do not offer a drive at the end."`
	JSON       bool   `name:"json" help:"Print one JSON object at the end. Questions go to stderr."`
	PageSocket string `name:"page" hidden:"" help:"Socket that keeps a second rig from running at the same time."`
}

// setupDrive is how long the drive at the end of the setup takes.
const setupDrive = 30 * time.Second

func (c *setupCmd) forcedExitText() string {
	return "ended at once: the kernel stops the force, and a platform that was moving is not parked: run `rig motion park` when that is safe"
}

func (c *setupCmd) Run(s *streams) error {
	if f, ok := s.in.(*os.File); !c.Yes && (!ok || !term.IsTerminal(int(f.Fd()))) {
		return wrongUsage(errors.New("setup asks questions, and this is no terminal; run it in one, or give --yes"))
	}
	messages := *s
	if c.JSON {
		messages.out = s.err
	}
	sum, err := c.guide(&messages)
	if sum.Written || len(sum.Profiles) > 0 || err == nil {
		err = errors.Join(err, c.finish(&messages, &sum))
		if c.JSON {
			err = errors.Join(err, json.NewEncoder(s.out).Encode(sum))
		}
	}
	return err
}

// guide asks, measures and writes. Meanwhile no drive and no other command can move the devices.
func (c *setupCmd) guide(s *streams) (sum setup.Summary, err error) {
	err = s.guarded(c, &c.PageSocket, func(ctx, stopCtx context.Context) (err error) {
		sum, err = setup.Run(ctx, setup.Options{
			Config: c.Config, Yes: c.Yes, PushOK: c.PushOK, MoveOK: c.MoveOK, NoDrive: c.NoDrive, Sections: sections.All(),
			In: s.in, Out: s.out, Log: s.log, Progress: s.progress(), Stop: stopCtx, Place: s.place, Getenv: os.Getenv, UID: os.Geteuid(),
		}, setup.ThisMachine(features()))
		return err
	})
	return sum, err
}

// finish drives if the operator wants to, says what was written, and returns an error for whatever failed.
func (c *setupCmd) finish(s *streams, sum *setup.Summary) error {
	var err error
	if sum.Drive {
		drive := runCmd{logFlag: logFlag{Log: "auto"}, Config: sum.Config, Duration: setupDrive, Headless: display.Available() != nil, PageSocket: c.PageSocket}
		err = drive.Run(s)
	}
	sum.Print(s.out)
	if sum.HasErrors() {
		err = errors.Join(err, errorOfFindings(sum.Problems))
	}
	return errors.Join(err, sum.Failed())
}
