package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"rig.example/rig/calib/dialog"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/tools/exercise"
	"rig.example/rig/internal/tools/lab/picture"
)

type motionCmd struct {
	Home    motionHomeCmd    `cmd:"" help:"Home the platform gently, go to its center, and park."`
	Park    motionParkCmd    `cmd:"" help:"Park the platform from wherever it is."`
	Jog     motionJogCmd     `cmd:"" help:"Move one actuator up, down and back."`
	Sweep   motionSweepCmd   `cmd:"" help:"Move each actuator and each degree of freedom. Measure range, following error and delay."`
	OMCT    motionOMCTCmd    `cmd:"" name:"omct" help:"Objective motion cueing test: how much of the car's motion the platform reproduces, versus frequency. Needs no platform."`
	Watch   motionWatchCmd   `cmd:"" help:"Show the platform of a running rig: targets, feedback, faults, temperatures, serial line."`
	Scope   motionScopeCmd   `cmd:"" help:"Show axes of a running rig's platform over time: target, feedback, error. Tables and plots."`
	Profile motionProfileCmd `cmd:"" help:"Saved tunings of the motion, for each car: save, use, list."`
	Tune    motionTuneCmd    `cmd:"" help:"Lower a gain, the filter or a limit of the running rig, or raise it again as far as it is configured. Or list them."`
	Config  motionConfigCmd  `cmd:"" help:"Read, write and save the controller's parameters."`
}

// motionFlags are common to the commands that move a platform.
type motionFlags struct {
	Config          string `type:"path" placeholder:"F" help:"Read this configuration file. It describes the platform and its limits."`
	Demo            bool   `help:"Move a simulated platform."`
	Yes             bool   `help:"Agree in advance, to gentle motion."`
	IgnoreInterlock bool   `name:"ignore-interlock" help:"Move although the belt or door switch is open. Make sure that nobody is in the way."`
	JSON            bool   `name:"json" help:"Print one JSON object. All other text goes to stderr."`
	PageSocket      string `name:"page" hidden:"" help:"Socket that keeps a second rig from running at the same time."`
}

type motionHomeCmd struct {
	motionFlags
	Hold time.Duration `default:"3s" help:"Stay at the center for this long."`
}

type motionParkCmd struct{ motionFlags }

type motionJogCmd struct {
	motionFlags
	Axis  string  `arg:"" help:"Actuator: its number, from 1, or its name. A number may also be that of a motor of the board that the geometry does not use."`
	Share float64 `default:"0.1" help:"Distance to either side, as a fraction of the stroke."`
	Speed float64 `default:"0.1" help:"Top speed [strokes per second]."`
}

type motionSweepCmd struct {
	motionFlags
	Share float64 `default:"0.2" help:"Distance to either side, as a fraction of the stroke. A degree of freedom moves by the same fraction of its range."`
	Speed float64 `default:"0.15" help:"Top speed of an actuator [strokes per second]."`
	Plot  pathArg `placeholder:"F.png|svg" help:"Draw target and feedback versus time into this file."`
}

func (c *motionHomeCmd) Run(s *streams) error {
	if err := wrongUsage(exercise.CheckHold(c.Hold)); err != nil {
		return err
	}
	return c.move(s, func(ctx context.Context, cfg config.Config, o exercise.MotionOptions) (exercise.MotionResult, error) {
		return exercise.HomePlatform(ctx, cfg, c.Hold, o)
	})
}

func (c *motionParkCmd) Run(s *streams) error { return c.move(s, exercise.ParkPlatform) }

func (c *motionJogCmd) Run(s *streams) error {
	j := exercise.Jog{Axis: c.Axis, Amplitude: c.Share, MaxSpeed: c.Speed}
	if err := wrongUsage(j.Validate()); err != nil {
		return err
	}
	return c.move(s, func(ctx context.Context, cfg config.Config, o exercise.MotionOptions) (exercise.MotionResult, error) {
		return exercise.JogAxis(ctx, cfg, j, o)
	})
}

func (c *motionSweepCmd) Run(s *streams) error {
	j := exercise.Jog{Amplitude: c.Share, MaxSpeed: c.Speed}
	if err := wrongUsage(j.Validate()); err != nil {
		return err
	}
	if err := picture.CheckName("--plot", string(c.Plot)); err != nil {
		return err
	}
	return c.move(s, func(ctx context.Context, cfg config.Config, o exercise.MotionOptions) (exercise.MotionResult, error) {
		result, err := exercise.Sweep(ctx, cfg, j, o)
		if c.Plot != "" && len(result.Movements) > 0 {
			err = errors.Join(err, picture.Write(result.Sheet(), "plot", "--plot", string(c.Plot)))
		}
		return result, err
	})
}

func (c *motionFlags) forcedExitText() string {
	return "ended before the platform was parked; it stays where it is: run `rig motion park` when that is safe"
}

// move reserves the platform, runs do, and prints the result.
func (c *motionFlags) move(s *streams, do func(context.Context, config.Config, exercise.MotionOptions) (exercise.MotionResult, error)) error {
	return s.runMover(c, c.Config, &c.PageSocket, func(ctx, stopCtx context.Context, cfg config.Config) error {
		messages := s.out
		if c.JSON {
			messages = s.err
		}
		result, err := do(ctx, cfg, exercise.MotionOptions{
			UI: dialog.New(s.in, messages, false), Output: messages, Confirmed: c.Yes, Simulated: c.Demo, IgnoreInterlock: c.IgnoreInterlock, SoftwareStop: stopCtx, Place: s.place, Log: s.log, Progress: s.progress(),
		})
		if result.Command == "" { // the platform did not move
			return err
		}
		if c.JSON {
			return errors.Join(err, json.NewEncoder(s.out).Encode(result))
		}
		result.Print(s.out)
		return err
	})
}
