package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"rig.example/rig/calib/dialog"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/tools/exercise"
)

type ffbTrialCmd struct {
	rimMover
	Effect     string        `arg:"" optional:"" default:"constant" enum:"constant,sine,spring,damper,friction,impact,chirp" help:"Effect to play: constant, sine, spring, damper, friction, impact or chirp."`
	TorqueNm   float64       `name:"torque-nm" default:"1" help:"Highest torque [N·m]. A negative one starts to the right. Above 2 N·m you must type yes."`
	Hz         float64       `default:"5" help:"Frequency of the sine [Hz]."`
	Duration   time.Duration `default:"5s" help:"Duration from the first torque to the fade-out, 1s to 60s."`
	Yes        bool          `help:"Agree in advance, to 2 N·m at most."`
	HighTorque bool          `help:"Consent to more than 8 N·m, up to the configuration's limit."`
	Config     string        `type:"path" placeholder:"F" help:"Read this configuration file. It names the wheel and its torque limit."`
	Device     string        `placeholder:"NAME" help:"Choose the wheel by part of its name, by vendor:product or by path. Default: the wheel that a drive would use."`
	JSON       bool          `name:"json" help:"Print one JSON object. All other text goes to stderr."`
	PageSocket string        `name:"page" hidden:"" help:"Socket that keeps a second rig from running at the same time."`
}

func (c *ffbTrialCmd) Run(s *streams) error {
	trial := exercise.ForceTrial{Effect: c.Effect, Torque: c.TorqueNm, Hz: c.Hz, Duration: c.Duration, HighTorque: c.HighTorque}
	if err := wrongUsage(trial.Validate()); err != nil {
		return err
	}
	return s.runMover(c, c.Config, &c.PageSocket, func(ctx, _ context.Context, cfg config.Config) error {
		cfg.Wheel.Device = cmp.Or(c.Device, cfg.Wheel.Device)
		messages := s.out
		if c.JSON {
			messages = s.err
		}
		result, err := exercise.PlayForceTrial(ctx, cfg, trial, exercise.ForceTrialOptions{
			UI: dialog.New(s.in, messages, false), Output: messages, Confirmed: c.Yes, Log: s.log, Progress: s.progress(),
		})
		if result.Wheel == "" { // no effect was played
			return err
		}
		if c.JSON {
			return errors.Join(err, json.NewEncoder(s.out).Encode(result))
		}
		result.Print(s.out)
		return err
	})
}
