package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"rig/calib"
	"rig/internal/config"
	"rig/internal/rig"
)

type calibrateCmd struct {
	Wheel  calibrateWheelCmd  `cmd:"" help:"Both locks, the centre, the rotation range, the sign of the force."`
	Pedals calibratePedalsCmd `cmd:"" help:"Released and pressed ends of each pedal."`
}

// calibrateFlags are common to every calibration.
type calibrateFlags struct {
	Config string        `type:"path" placeholder:"F" help:"Configuration file: which device, where profiles are kept."`
	Device string        `placeholder:"NAME" help:"Part of a name, vendor:product, or a path; else the one that would be used."`
	Window time.Duration `help:"Longest wait for each position." default:"30s"`
	Yes    bool          `help:"Give every question its default answer: for scripts."`
	JSON   bool          `name:"json" help:"Print the profile as JSON; prompts go to stderr."`
}

type calibrateWheelCmd struct {
	calibrateFlags
	RangeDeg   float64       `default:"900" help:"Rotation from lock to lock, offered as the answer."`
	Hold       time.Duration `default:"1s" help:"How long each position must be held."`
	NoSignTest bool          `help:"Leave out the force pulse that tells which way the motor pushes."`
	PushOK     bool          `name:"push-ok" help:"Agree to the force pulse beforehand; --yes alone does not."`
}

type calibratePedalsCmd struct {
	calibrateFlags
	Pedals []string      `name:"pedal" default:"throttle,brake,clutch" help:"Pedals to measure, in this order."`
	Rest   time.Duration `default:"2s" help:"How long the released pedals are watched."`
}

func (c *calibrateWheelCmd) Run(s *streams) error {
	cfg, ctx, done, err := c.prepare()
	if err != nil {
		return err
	}
	defer done()
	if c.Device != "" {
		cfg.Wheel.Device = c.Device
	}
	opt := calib.DefaultWheelOptions()
	opt.RangeDeg, opt.Window, opt.Hold = c.RangeDeg, c.Window, c.Hold
	opt.SignTest, opt.PushOK = !c.NoSignTest, c.PushOK
	path, profile, err := rig.CalibrateWheel(ctx, cfg, c.ui(s), opt)
	if err != nil {
		return err
	}
	return c.tell(s, path, profile)
}

func (c *calibratePedalsCmd) Run(s *streams) error {
	cfg, ctx, done, err := c.prepare()
	if err != nil {
		return err
	}
	defer done()
	if c.Device != "" {
		cfg.Pedals.Device = c.Device
	}
	opt := calib.DefaultPedalsOptions()
	opt.Names, opt.Rest, opt.Window = c.Pedals, c.Rest, c.Window
	saved, err := rig.CalibratePedals(ctx, cfg, c.ui(s), opt)
	for _, p := range saved {
		err = errors.Join(err, c.tell(s, p.Path, p.Profile))
	}
	return err
}

// prepare reads the configuration and ties the context to Ctrl-C.
func (c *calibrateFlags) prepare() (config.Config, context.Context, func(), error) {
	cfg, _, err := loadConfig(c.Config)
	if err != nil {
		return cfg, nil, nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	interrupt, stop := interrupted()
	go func() {
		select {
		case <-interrupt:
			cancel()
		case <-ctx.Done():
		}
	}()
	return cfg, ctx, func() { cancel(); stop() }, nil
}

func (c *calibrateFlags) ui(s *streams) *calib.UI {
	out := s.out
	if c.JSON {
		out = s.err
	}
	return calib.NewUI(s.in, out, c.Yes)
}

func (c *calibrateFlags) tell(s *streams, path string, profile any) error {
	if c.JSON {
		return json.NewEncoder(s.out).Encode(struct {
			Path    string `json:"path"`
			Profile any    `json:"profile"`
		}{path, profile})
	}
	_, err := fmt.Fprintf(s.out, "saved %s; `rig run` uses it from now on\n", path)
	return err
}
