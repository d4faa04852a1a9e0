package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/bench"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/lab/chart"
	"rig.example/rig/internal/page"
)

type motionCmd struct {
	Home   motionHomeCmd   `cmd:"" help:"Find out where the platform stands, go to its centre gently, and park."`
	Park   motionParkCmd   `cmd:"" help:"Go to where the platform parks, wherever it stands."`
	Jog    motionJogCmd    `cmd:"" help:"Move one actuator to both sides and back."`
	Sweep  motionSweepCmd  `cmd:"" help:"Move each actuator and each degree of freedom: ranges, following error, delay."`
	OMCT   motionOMCTCmd   `cmd:"" name:"omct" help:"Objective motion cueing test: what the platform gives of the car's motion, over the frequency. Needs no platform."`
	Watch  motionWatchCmd  `cmd:"" help:"The platform of a running rig: demand, feedback, faults, temperatures, line."`
	Config motionConfigCmd `cmd:"" help:"Parameters that the controller keeps: read, write, save."`
}

// motionFlags are common to the commands that move a platform.
type motionFlags struct {
	Config string `type:"path" placeholder:"F" help:"Configuration file: which platform, its limits."`
	Demo   bool   `help:"Move a simulated platform."`
	Yes    bool   `help:"Agree beforehand, to mild motion."`
	Open   bool   `name:"ignore-interlock" help:"Move though the belt or door switch is open: nobody can be in the way."`
	JSON   bool   `name:"json" help:"Print one JSON object; all else goes to stderr."`
	Page   string `hidden:"" help:"Socket of the rig: no other may drive beside it."`
}

type motionHomeCmd struct {
	motionFlags
	Hold time.Duration `default:"3s" help:"How long the platform stays at its centre."`
}

type motionParkCmd struct{ motionFlags }

type motionJogCmd struct {
	motionFlags
	Axis  string  `arg:"" help:"Number of an actuator, from 1, or its name."`
	Share float64 `default:"0.1" help:"How far to either side, as a share of the stroke."`
	Speed float64 `default:"0.1" help:"Top speed in strokes a second."`
}

type motionSweepCmd struct {
	motionFlags
	Share float64 `default:"0.2" help:"How far each actuator goes to either side, as a share of its stroke; a degree of freedom as much of its reach."`
	Speed float64 `default:"0.15" help:"Top speed of an actuator in strokes a second."`
	Plot  word    `placeholder:"F.png|svg" help:"Draw demand and feedback over the time."`
}

func (c *motionHomeCmd) Run(s *streams) error {
	return c.move(s, func(ctx context.Context, cfg config.Config, o bench.MotionOptions) (bench.MotionResult, error) {
		return bench.HomePlatform(ctx, cfg, c.Hold, o)
	})
}

func (c *motionParkCmd) Run(s *streams) error { return c.move(s, bench.ParkPlatform) }

func (c *motionJogCmd) Run(s *streams) error {
	j := bench.Jog{Axis: c.Axis, Share: c.Share, Speed: c.Speed}
	if err := j.Validate(); err != nil {
		return &config.Problem{File: "rig", Text: oneLine(err)}
	}
	return c.move(s, func(ctx context.Context, cfg config.Config, o bench.MotionOptions) (bench.MotionResult, error) {
		return bench.JogAxis(ctx, cfg, j, o)
	})
}

func (c *motionSweepCmd) Run(s *streams) error {
	j := bench.Jog{Share: c.Share, Speed: c.Speed}
	if err := j.Validate(); err != nil {
		return &config.Problem{File: "rig", Text: oneLine(err)}
	}
	if err := checkPlot(c.Plot); err != nil {
		return err
	}
	return c.move(s, func(ctx context.Context, cfg config.Config, o bench.MotionOptions) (bench.MotionResult, error) {
		result, err := bench.Sweep(ctx, cfg, j, o)
		if c.Plot != "" && len(result.Moves) > 0 {
			err = errors.Join(err, bench.WriteSheet(result.Sheet(), string(c.Plot)))
		}
		return result, err
	})
}

func (c *motionFlags) lastWords() string {
	return "ended before the platform was parked; it stands wherever it is: `rig motion park` once that is safe"
}

// checkPlot refuses a picture's name without a format, before anything moves.
func checkPlot(path word) error {
	if _, ok := chart.Format(string(path)); path != "" && !ok {
		return &config.Problem{File: "--plot", Text: fmt.Sprintf("%q: end the name with .svg or .png", string(path))}
	}
	return nil
}

// move reserves the platform, moves it and tells what came of it.
func (c *motionFlags) move(s *streams, do func(context.Context, config.Config, bench.MotionOptions) (bench.MotionResult, error)) error {
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	socket, err := page.Reserve(c.Page) // or a drive would move the same platform
	if err != nil {
		return err
	}
	defer socket.Close()
	say := s.out
	if c.JSON {
		say = s.err
	}
	ctx, stopped, done := s.operated(c)
	defer done()
	result, err := do(ctx, cfg, bench.MotionOptions{
		UI: calib.NewUI(s.in, say, false), Say: say, Agreed: c.Yes, Demo: c.Demo, Unlocked: c.Open, Stopped: stopped, Log: s.log, Terminal: terminal(s.err),
	})
	if result.Did == "" { // nothing was moved
		return err
	}
	if c.JSON {
		return errors.Join(err, json.NewEncoder(s.out).Encode(result))
	}
	result.Print(s.out)
	return err
}
