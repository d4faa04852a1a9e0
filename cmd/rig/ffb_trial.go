package main

import (
	"encoding/json"
	"errors"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/bench"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/page"
)

type ffbTrialCmd struct {
	Effect     string        `arg:"" optional:"" default:"constant" enum:"constant,sine,spring,damper,friction,impact,chirp" help:"constant, sine, spring, damper, friction, impact or chirp."`
	TorqueNm   float64       `name:"torque-nm" default:"1" help:"The most torque; below 0 it begins to the right. More than 2 N·m needs a typed yes."`
	Hz         float64       `default:"5" help:"Of a sine."`
	Duration   time.Duration `default:"5s" help:"From its first torque to its fade-out, 1s to 60s."`
	Yes        bool          `help:"Agree beforehand, to 2 N·m at most."`
	HighTorque bool          `help:"Consent to more than 8 N·m, as far as the configuration allows."`
	Config     string        `type:"path" placeholder:"F" help:"Configuration file: which wheel, how strong it may be."`
	Device     string        `placeholder:"NAME" help:"Part of a name, vendor:product, or a path; else the wheel that would be used."`
	JSON       bool          `name:"json" help:"Print one JSON object; all else goes to stderr."`
	Page       string        `hidden:"" help:"Socket of the rig: no other may drive beside it."`
}

func (c *ffbTrialCmd) Run(s *streams) error {
	trial := bench.Trial{Effect: c.Effect, Torque: c.TorqueNm, Hz: c.Hz, Duration: c.Duration, HighTorque: c.HighTorque}
	if err := trial.Validate(); err != nil {
		return &config.Problem{File: "rig", Text: oneLine(err)}
	}
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	if c.Device != "" {
		cfg.Wheel.Device = c.Device
	}
	socket, err := page.Reserve(c.Page) // or a drive would push the same rim
	if err != nil {
		return err
	}
	defer socket.Close()
	ctx, _, done := s.operated(c)
	defer done()
	say := s.out
	if c.JSON {
		say = s.err
	}
	result, err := bench.PlayTrial(ctx, cfg, trial, bench.TrialOptions{
		UI: calib.NewUI(s.in, say, false), Say: say, Agreed: c.Yes, Log: s.log, Terminal: terminal(s.err),
	})
	if result.Wheel == "" { // nothing was played
		return err
	}
	if c.JSON {
		return errors.Join(err, json.NewEncoder(s.out).Encode(result))
	}
	result.Print(s.out)
	return err
}

func (c *ffbTrialCmd) lastWords() string {
	return "ended at once; the kernel takes the force off"
}
