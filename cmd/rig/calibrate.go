package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"rig.example/rig/calib"
	"rig.example/rig/calib/dialog"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/internal/tools/calibration"
)

type calibrateCmd struct {
	Wheel  calibrateWheelCmd  `cmd:"" help:"Measure the steering locks, the center, the rotation range and the direction of the force."`
	Pedals calibratePedalsCmd `cmd:"" help:"Measure the released and the pressed position of each pedal."`
	FFB    calibrateFFBCmd    `cmd:"" name:"ffb" help:"Measure the motor: the smallest force you feel, and the torque of each force level with a luggage scale."`
}

// calibrateFlags are the flags that all calibrations have.
type calibrateFlags struct {
	rimMover
	Config string `type:"path" placeholder:"F" help:"Read this configuration file. It names the device and the folder of profiles."`
	Device string `placeholder:"NAME" help:"Choose the device by part of its name, by vendor:product or by path. Default: the device that a drive would use."`
	Yes    bool   `help:"Answer every question with its default. For scripts."`
	JSON   bool   `name:"json" help:"Print the profile as JSON. Questions go to stderr."`
}

type calibrateWheelCmd struct {
	calibrateFlags
	Timeout    time.Duration `name:"window" help:"Wait at most this long for each position." default:"30s"`
	RangeDeg   float64       `default:"900" help:"Offer this rotation from lock to lock [°] as the default answer."`
	Hold       time.Duration `default:"1s" help:"Hold each position for this long."`
	NoSignTest bool          `help:"Skip the force pulse that finds out in which direction the motor pushes."`
	PushOK     bool          `name:"push-ok" help:"Agree to the force pulse in advance. --yes alone does not."`
	PageSocket string        `name:"page" hidden:"" help:"Socket that keeps a second rig from running at the same time."`
}

type calibratePedalsCmd struct {
	calibrateFlags
	Timeout time.Duration `name:"window" help:"Wait at most this long for each position." default:"30s"`
	Pedals  []string      `name:"pedal" default:"throttle,brake,clutch" help:"Measure these pedals, in this order."`
	Rest    time.Duration `default:"2s" help:"Watch the released pedals for this long."`
}

type calibrateFFBCmd struct {
	calibrateFlags
	Scale      bool          `default:"true" negatable:"" help:"Measure torques with a scale. --no-scale measures only the smallest force you feel."`
	Hold       time.Duration `default:"10s" help:"Hold each force level for at most this long, 1s to 1m."`
	PageSocket string        `name:"page" hidden:"" help:"Socket that keeps a second rig from running at the same time."`
}

func (c *calibrateWheelCmd) Run(s *streams) error {
	pageSocket := &c.PageSocket
	if c.NoSignTest {
		pageSocket = nil // the rim is not moved
	}
	return s.runMover(c, c.Config, pageSocket, func(ctx, _ context.Context, cfg config.Config) error {
		cfg.Wheel.Device = cmp.Or(c.Device, cfg.Wheel.Device)
		opt := calib.DefaultWheelOptions()
		opt.RangeDeg, opt.Window, opt.Hold = c.RangeDeg, c.Timeout, c.Hold
		opt.SignTest, opt.PushOK = !c.NoSignTest, c.PushOK
		path, profile, err := calibration.Wheel(ctx, cfg, c.ui(s), opt)
		if err != nil {
			return err
		}
		return c.printSaved(s, path, profile)
	})
}

func (c *calibratePedalsCmd) Run(s *streams) error {
	return s.runMover(c, c.Config, nil, func(ctx, _ context.Context, cfg config.Config) error {
		cfg.Pedals.Device = cmp.Or(c.Device, cfg.Pedals.Device)
		opt := calib.DefaultPedalsOptions()
		opt.Names, opt.Rest, opt.Window = c.Pedals, c.Rest, c.Timeout
		saved, err := calibration.Pedals(ctx, cfg, c.ui(s), opt)
		for _, p := range saved {
			err = errors.Join(err, c.printSaved(s, p.Path, p.Profile))
		}
		return err
	})
}

func (c *calibrateFFBCmd) Run(s *streams) error {
	if err := valid.DurationInRange("--hold", c.Hold, time.Second, time.Minute); err != nil {
		return wrongUsage(fmt.Errorf("calibrate ffb: %w", err))
	}
	return s.runMover(c, c.Config, &c.PageSocket, func(ctx, _ context.Context, cfg config.Config) error {
		cfg.Wheel.Device = cmp.Or(c.Device, cfg.Wheel.Device)
		opt := calib.DefaultForceOptions()
		opt.Scale, opt.Hold = c.Scale, c.Hold
		ui := c.ui(s)
		if f, ok := s.in.(*os.File); ok {
			ui.Keys = singleKeys(f)
		}
		path, profile, err := calibration.Force(ctx, cfg, ui, opt)
		if err != nil {
			return err
		}
		return c.printSaved(s, path, profile)
	})
}

// singleKeys returns a function that puts a terminal into a mode in which the program gets each key
// at once, without Enter, and the key is not shown; Ctrl-C still interrupts. undo restores the
// previous mode. singleKeys returns nil if f is not a terminal.
func singleKeys(f *os.File) func() (undo func()) {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return nil
	}
	return func() (undo func()) {
		previous, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		if err != nil {
			return func() {} // the mode cannot be changed, so that each answer needs Enter
		}
		single := *previous
		single.Lflag &^= unix.ICANON | unix.ECHO
		single.Cc[unix.VMIN], single.Cc[unix.VTIME] = 1, 0
		_ = unix.IoctlSetTermios(fd, unix.TCSETS, &single)
		return func() { // not TCSETSF, which would wait for a terminal that was stopped with Ctrl-S
			_ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH)
			_ = unix.IoctlSetTermios(fd, unix.TCSETS, previous)
		}
	}
}

// ui returns the dialogue with the user; it writes to stderr if stdout gets JSON.
func (c *calibrateFlags) ui(s *streams) *dialog.Dialog {
	out := s.out
	if c.JSON {
		out = s.err
	}
	return dialog.New(s.in, out, c.Yes)
}

// printSaved prints the path of a saved profile, or with --json the path and the profile.
func (c *calibrateFlags) printSaved(s *streams, path string, profile any) error {
	if c.JSON {
		return json.NewEncoder(s.out).Encode(struct {
			Path    string `json:"path"`
			Profile any    `json:"profile"`
		}{path, profile})
	}
	_, err := fmt.Fprintf(s.out, "saved %s; `rig run` now uses it\n", printable.Line(path))
	return err
}
