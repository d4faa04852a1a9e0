package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/rig"
)

type runCmd struct {
	Config          string        `type:"path" placeholder:"F" help:"Read this configuration file. Default: the first of ./rig.toml, ~/.config/rig/rig.toml, /etc/rig/rig.toml; root and the service do not read the first."`
	Car             string        `placeholder:"NAME|F.toml" help:"Drive this built-in car or car file instead of the configuration's."`
	Track           string        `placeholder:"NAME|FILE" help:"Drive on this built-in circuit, circuit file or ground."`
	Platform        string        `placeholder:"NAME|F.toml" help:"Describe the motion platform by this built-in platform or file. Keys of your own file still count above it."`
	Camera          string        `placeholder:"NAME" help:"Start with this camera: chase, cockpit or bonnet."`
	Demo            bool          `help:"Simulate wheel and platform. A driver model drives."`
	Real            realFlag      `placeholder:"DEVICES" help:"With --demo and nobody on the seat: the driver model drives on the configured platform, or, as --real=wheel or --real=all, turns the wheel, or both. Asks first; only a typed yes is consent."`
	IgnoreInterlock bool          `name:"ignore-interlock" help:"With --real: move although the belt or door switch is open. Make sure that nobody is in the way."`
	Driver          string        `placeholder:"NAME" help:"Who drives: the name of a driver's profile, or none. Default: as rig driver use says, or else the configuration."`
	Headless        bool          `help:"Open no window."`
	Fullscreen      bool          `help:"Fill the monitor with the window. F11 changes it."`
	HighTorque      bool          `help:"Consent to more than 8 N·m at the rim, up to the configuration's limit. A key or button takes the consent back."`
	NoCache         bool          `help:"Build the circuit's mesh anew and do not cache it."`
	Duration        time.Duration `placeholder:"D" help:"Drive for this long, then park and exit. The drive gives up with status 1 when the car has been standing for a minute longer than the platform needs to get ready."`
	Laps            int           `placeholder:"N" help:"Start on the grid, drive N laps, valid or not, then park and exit. With --demo the drive gives up with status 1 when a lap takes longer than 5 minutes, or on a long circuit than at 47 km/h."`
	Record          recordFlag    `placeholder:"F" help:"Record the drive, into this new file or, as --record alone, into one in the folder of recordings."`
	Ghost           pathArg       `placeholder:"F.mcap" help:"Show the best lap of this recording as a half-transparent car that starts each lap with you."`
	JSON            bool          `name:"json" help:"Print one JSON object when the drive ends."`
	logFlag
	PageSocket string `name:"page" hidden:"" help:"Publish the state at this socket."`

	hasPlatform bool   // a platform is configured and not simulated
	invitation  string // to the session of rig session join; "" for rig run
}

func (c *runCmd) Run(s *streams) error {
	if err := c.check(); err != nil {
		return err
	}
	log := s.openDriveLog(c.Log)
	defer log.end()
	cfg, path, err := s.chosenConfiguration(c.Config, config.Choice{Car: c.Car, Track: c.Track, Platform: c.Platform, Camera: c.Camera})
	if err != nil {
		return err
	}
	if err := s.applyTuning(&cfg); err != nil {
		return err
	}
	if err := c.checkRealPlatform(cfg); err != nil {
		return err
	}
	driver, err := s.driver(&cfg, c.Driver, !c.Demo)
	if err != nil {
		return err
	}
	cfg.Display.Camera = cmp.Or(c.Camera, cfg.Display.Camera) // counts more than the driver's
	cfg.Display.Fullscreen = cfg.Display.Fullscreen || c.Fullscreen
	c.hasPlatform = cfg.Motion.Protocol != "" && (!c.Demo || c.Real.Platform)
	inSession, err := c.session(&cfg, s.log)
	if err != nil {
		return err
	}
	defer inSession.Close()
	orders, stop := s.orders(c)
	defer stop()
	s.log.Info("rig starts", "path", path, "car", cfg.Car, "track", cfg.Track)
	options := rig.Options{
		Config: cfg, Demo: c.Demo, Real: c.real(), Headless: c.Headless, NoCache: c.NoCache, HighTorque: c.HighTorque, Duration: c.Duration, Laps: c.Laps, Command: s.command, Place: s.place, Page: c.PageSocket,
		Record: c.Record.set, RecordFile: c.Record.file, Ghost: string(c.Ghost), Driver: driver, Services: services(&cfg, false, inSession),
		Orders: orders, Log: s.log, Status: log.status(inSession),
	}
	if c.real().Any() {
		messages := s.out
		if c.JSON {
			messages = s.err
		}
		w, end := watchTerminal(s.in, messages, orders)
		defer end()
		options.Orders, options.Confirm = w.orders, func(text string) error { _ = s.flush(); return w.confirm(text) }
	}
	sum, err := rig.Run(options)
	log.end()
	if sum.ExitState == "" { // the drive never started
		return err
	}
	if c.JSON {
		return errors.Join(err, json.NewEncoder(s.out).Encode(sum))
	}
	sum.Print(s.out)
	return err
}

// check returns an error for flags that cannot be used together.
func (c *runCmd) check() error {
	if err := checkDuration(c.Duration); c.Duration != 0 && err != nil {
		return err
	}
	if c.Ghost != "" && c.Headless {
		return &config.Problem{File: "--ghost", Text: "the ghost is in the window; leave --headless out"}
	}
	switch {
	case c.Laps < 0:
		return &config.Problem{File: "--laps", Text: fmt.Sprintf("%d: must be 1 or more", c.Laps)}
	case c.Laps > 0 && c.Duration > 0:
		return &config.Problem{File: "--laps", Text: "the laps end the drive; leave --duration out"}
	}
	return c.checkReal()
}

func (c *runCmd) forcedExitText() string {
	const wheel = "ended at once: the kernel stops the force"
	if !c.hasPlatform {
		return wheel
	}
	return wheel + ", and the platform may not be parked; look at it before anybody climbs off, and run `rig motion park` when that is safe"
}

// checkDuration returns an error for a duration below one millisecond.
func checkDuration(d time.Duration) error {
	if d >= time.Millisecond {
		return nil
	}
	return &config.Problem{File: "--duration", Text: fmt.Sprintf("%v is less than a millisecond; give a time such as 30s", d)}
}
