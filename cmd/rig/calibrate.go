package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"rig.example/rig/calib"
	"rig.example/rig/internal/calibration"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/page"
	"rig.example/rig/internal/printable"
)

type calibrateCmd struct {
	Wheel  calibrateWheelCmd  `cmd:"" help:"Both locks, the centre, the rotation range, the sign of the force."`
	Pedals calibratePedalsCmd `cmd:"" help:"Released and pressed ends of each pedal."`
	FFB    calibrateFFBCmd    `cmd:"" name:"ffb" help:"What the motor gives: the least force that is felt, and the torque of each level, by a luggage scale."`
}

// calibrateFlags are common to every calibration.
type calibrateFlags struct {
	Config string `type:"path" placeholder:"F" help:"Configuration file: which device, where profiles are kept."`
	Device string `placeholder:"NAME" help:"Part of a name, vendor:product, or a path; else the one that would be used."`
	Yes    bool   `help:"Give every question its default answer: for scripts."`
	JSON   bool   `name:"json" help:"Print the profile as JSON; prompts go to stderr."`
}

type calibrateWheelCmd struct {
	calibrateFlags
	Window     time.Duration `help:"Longest wait for each position." default:"30s"`
	RangeDeg   float64       `default:"900" help:"Rotation from lock to lock, offered as the answer."`
	Hold       time.Duration `default:"1s" help:"How long each position must be held."`
	NoSignTest bool          `help:"Leave out the force pulse that tells which way the motor pushes."`
	PushOK     bool          `name:"push-ok" help:"Agree to the force pulse beforehand; --yes alone does not."`
	Page       string        `hidden:"" help:"Socket of the rig: no other may drive beside it."`
}

type calibratePedalsCmd struct {
	calibrateFlags
	Window time.Duration `help:"Longest wait for each position." default:"30s"`
	Pedals []string      `name:"pedal" default:"throttle,brake,clutch" help:"Pedals to measure, in this order."`
	Rest   time.Duration `default:"2s" help:"How long the released pedals are watched."`
}

type calibrateFFBCmd struct {
	calibrateFlags
	Scale bool          `default:"true" negatable:"" help:"Measure torques with a scale; else only the least force that is felt."`
	Hold  time.Duration `default:"10s" help:"Longest time that a level is held."`
	Page  string        `hidden:"" help:"Socket of the rig: no other may drive beside it."`
}

func (c *calibrateWheelCmd) Run(s *streams) error {
	cfg, ctx, done, err := c.prepare(s)
	if err != nil {
		return err
	}
	defer done()
	if c.Device != "" {
		cfg.Wheel.Device = c.Device
	}
	if !c.NoSignTest {
		socket, err := page.Reserve(c.Page) // or a drive would push the same rim
		if err != nil {
			return err
		}
		defer socket.Close()
	}
	opt := calib.DefaultWheelOptions()
	opt.RangeDeg, opt.Window, opt.Hold = c.RangeDeg, c.Window, c.Hold
	opt.SignTest, opt.PushOK = !c.NoSignTest, c.PushOK
	path, profile, err := calibration.Wheel(ctx, cfg, c.ui(s), opt)
	if err != nil {
		return err
	}
	return c.tell(s, path, profile)
}

func (c *calibratePedalsCmd) Run(s *streams) error {
	cfg, ctx, done, err := c.prepare(s)
	if err != nil {
		return err
	}
	defer done()
	if c.Device != "" {
		cfg.Pedals.Device = c.Device
	}
	opt := calib.DefaultPedalsOptions()
	opt.Names, opt.Rest, opt.Window = c.Pedals, c.Rest, c.Window
	saved, err := calibration.Pedals(ctx, cfg, c.ui(s), opt)
	for _, p := range saved {
		err = errors.Join(err, c.tell(s, p.Path, p.Profile))
	}
	return err
}

func (c *calibrateFFBCmd) Run(s *streams) error {
	cfg, ctx, done, err := c.prepare(s)
	if err != nil {
		return err
	}
	defer done()
	if c.Device != "" {
		cfg.Wheel.Device = c.Device
	}
	socket, err := page.Reserve(c.Page) // or a drive would push the same rim
	if err != nil {
		return err
	}
	defer socket.Close()
	opt := calib.DefaultForceOptions()
	opt.Scale, opt.Hold = c.Scale, min(max(c.Hold, time.Second), time.Minute)
	ui := c.ui(s)
	if f, ok := s.in.(*os.File); ok {
		ui.Keys(singleKeys(f))
	}
	path, profile, err := calibration.Force(ctx, cfg, ui, opt)
	if err != nil {
		return err
	}
	return c.tell(s, path, profile)
}

// singleKeys returns what makes a terminal give each key as it is pressed, Ctrl-C
// excepted, and shows none; nil if f is no terminal.
func singleKeys(f *os.File) func() (undo func()) {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return nil
	}
	return func() (undo func()) {
		was, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		if err != nil {
			return func() {} // then a key is a line
		}
		now := *was
		now.Lflag &^= unix.ICANON | unix.ECHO
		now.Cc[unix.VMIN], now.Cc[unix.VTIME] = 1, 0
		_ = unix.IoctlSetTermios(fd, unix.TCSETS, &now)
		return func() { _ = unix.IoctlSetTermios(fd, unix.TCSETSF, was) }
	}
}

// prepare reads the configuration and ties the context to signals.
func (c *calibrateFlags) prepare(s *streams) (config.Config, context.Context, func(), error) {
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return cfg, nil, nil, err
	}
	ctx, _, done := s.operated(c)
	return cfg, ctx, done, nil
}

func (c *calibrateFlags) lastWords() string {
	return "ended at once; the kernel takes a force off"
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
	_, err := fmt.Fprintf(s.out, "saved %s; `rig run` uses it from now on\n", printable.Line(path))
	return err
}
