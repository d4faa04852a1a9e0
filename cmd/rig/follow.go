package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"rig.example/rig/internal/connect/axissigns"
	"rig.example/rig/internal/connect/games"
	"rig.example/rig/internal/connect/outputs"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/internal/live/rig"
)

type followCmd struct {
	Source   string        `arg:"" optional:"" help:"Game: beamng, outsim, forza, dirt, wrc, rbr, ac, acevo, rf2, lmu or scs (--list says more). Default: follow.source, or the first that is heard."`
	Config   string        `type:"path" placeholder:"F" help:"Read this configuration file. It describes the platform and its limits."`
	Driver   string        `placeholder:"NAME" help:"Who drives: the name of a driver's profile, or none, as in rig run. Its gains of the motion count."`
	List     bool          `help:"List the games, their ports and signs."`
	Watch    bool          `help:"Say in words what the game's car does. Move nothing."`
	Confirm  bool          `help:"Confirm the signs of each axis in the game. Move nothing."`
	Predict  bool          `help:"Show the motion an interval of the packets earlier: less delay, more grain."`
	Window   bool          `help:"Open a window with the platform's page."`
	Demo     bool          `help:"Move a simulated platform."`
	Duration time.Duration `placeholder:"D" help:"Follow for this long, then park and exit."`
	Record   recordFlag    `placeholder:"F" help:"Record, into this new file or, as --record alone, into one in the folder of recordings."`
	JSON     bool          `name:"json" help:"Print JSON: one object at the end, or ten in a second with --watch."`
	logFlag
	PageSocket string `name:"page" hidden:"" help:"Publish the state at this socket."`
}

func (c *followCmd) forcedExitText() string {
	return "ended before the platform was parked; it stays where it is: run `rig motion park` when that is safe"
}

func (c *followCmd) Run(s *streams) error {
	if c.List {
		return c.list(s)
	}
	if err := checkDuration(c.Duration); c.Duration != 0 && err != nil {
		return err
	}
	if c.Source != "" {
		if _, err := games.Find(c.Source); err != nil {
			return &config.Problem{File: "source", Text: err.Error()}
		}
	}
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	f := games.Of(&cfg)
	if c.Source != "" && c.Source != f.Source {
		f.Source, f.Port = c.Source, 0
	}
	f.Predict = f.Predict || c.Predict
	f.Put(&cfg)
	if cfg.Motion.Protocol == "" && !c.Demo && !c.Watch && !c.Confirm {
		return &config.Problem{File: "motion.protocol", Text: "is not set, so there is no platform to move; describe it, or give --demo or --watch"}
	}
	switch {
	case c.Watch:
		return c.watch(s, cfg)
	case c.Confirm:
		return c.confirm(s, cfg)
	}
	return c.follow(s, cfg)
}

// newHub returns what receives the game's packets. Its log is that of s.
func newHub(s *streams, cfg config.Config) (*games.Hub, error) {
	hub, err := games.New(games.Of(&cfg), s.log)
	if err != nil {
		return nil, err
	}
	telemetry := outputs.Of(&cfg).Telemetry
	for _, address := range hub.Addresses() {
		if err := telemetry.CheckLoops(address, nil); err != nil {
			return nil, &config.Problem{File: "telemetry", Text: err.Error()}
		}
	}
	return hub, nil
}

func (c *followCmd) list(s *streams) error {
	if c.JSON {
		return json.NewEncoder(s.out).Encode(games.Sources)
	}
	for _, g := range games.Sources {
		where := fmt.Sprintf("UDP port %d", g.Port)
		if g.Port == 0 {
			where = "/dev/shm/" + g.Files[0]
		}
		if _, err := fmt.Fprintf(s.out, "%-8s %s, %s packets a second\n         %s\n         %s\n", g.Name, where, g.Rate, g.About, g.Signs); err != nil {
			return err
		}
	}
	return nil
}

// watch says in words what the car does, until a signal.
func (c *followCmd) watch(s *streams, cfg config.Config) error {
	panel, leave := (*console.Panel)(nil), func() {}
	if !c.JSON {
		panel, leave = s.openView()
	}
	defer leave()
	hub, err := newHub(s, cfg)
	if err != nil {
		return err
	}
	ctx, done := s.untilInterrupted()
	defer done()
	end := receive(ctx, hub)
	err = axissigns.NewListener(hub, follow.Config{Predict: games.Of(&cfg).Predict}).Watch(ctx, func(text string, object any) (err error) {
		switch {
		case c.JSON:
			return json.NewEncoder(s.out).Encode(object)
		case panel != nil:
			err = panel.Show([]console.Line{{Text: text}})
		default:
			_, err = fmt.Fprintln(s.out, text)
		}
		return err
	})
	return errors.Join(err, end())
}

// receive lets the hub receive in the background, until end is called or ctx ends.
func receive(ctx context.Context, hub *games.Hub) (end func() error) {
	ctx, cancel := context.WithCancel(ctx)
	received := make(chan error, 1)
	go func() { received <- hub.Run(ctx) }()
	return func() error { cancel(); return <-received }
}

// confirm lets the operator confirm the signs.
func (c *followCmd) confirm(s *streams, cfg config.Config) error {
	if games.Of(&cfg).Source == "" {
		return &config.Problem{File: "source", Text: "name the game whose signs you confirm, such as rig follow beamng --confirm"}
	}
	store, platform, err := trustOf(cfg)
	if err != nil {
		return err
	}
	hub, err := newHub(s, cfg)
	if err != nil {
		return err
	}
	ctx, done := s.untilInterrupted()
	defer done()
	end := receive(ctx, hub)
	axes, err := axissigns.NewListener(hub, follow.Config{}).Confirm(ctx, s.in, s.out)
	err = errors.Join(err, end())
	if err != nil || len(axes) == 0 {
		return errors.Join(err, errIf(len(axes) == 0, "no axis was confirmed; the motion stays at a tenth"))
	}
	version := hub.Version()
	if err := store.Confirm(games.Of(&cfg).Source, version, platform, axes); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "\nconfirmed for %s on this platform: %s (%s)\n", strings.TrimSpace(games.Of(&cfg).Source+" "+version), strings.Join(axes, ", "), store.Path)
	return err
}

func errIf(is bool, text string) error {
	if !is {
		return nil
	}
	return errors.New(text)
}

func trustOf(cfg config.Config) (store axissigns.Store, platform string, err error) {
	if store, err = axissigns.StoreOf(cfg); err == nil {
		platform, err = axissigns.Platform(cfg)
	}
	return store, platform, err
}

// follow lets the platform follow the game.
func (c *followCmd) follow(s *streams, cfg config.Config) error {
	log := s.openDriveLog(c.Log)
	defer log.end()
	hub, err := newHub(s, cfg)
	if err != nil {
		return err
	}
	store, platform, err := trustOf(cfg)
	if err != nil {
		return err
	}
	trust, err := store.Trust(platform)
	if err != nil {
		return err
	}
	if err := s.applyTuning(&cfg); err != nil {
		return err
	}
	driver, err := s.driver(&cfg, c.Driver, false)
	if err != nil {
		return err
	}
	orders, stop := s.orders(c)
	defer stop()
	s.log.Info("rig starts: " + hub.Status())
	sum, err := rig.Run(rig.Options{
		Config: cfg, Demo: c.Demo, Headless: !c.Window, Duration: c.Duration, Command: s.command, Place: s.place, Page: c.PageSocket, Driver: driver, Record: c.Record.set, RecordFile: c.Record.file,
		Follow:   &rig.Follow{Source: hub, Config: follow.Config{Predict: games.Of(&cfg).Predict}, Trust: trust},
		Services: services(&cfg, true, nil), Orders: orders, Log: s.log, Status: log.status(nil),
	})
	log.end()
	if sum.ExitState == "" {
		return err
	}
	if c.JSON {
		return errors.Join(err, json.NewEncoder(s.out).Encode(sum))
	}
	sum.Print(s.out)
	return err
}
