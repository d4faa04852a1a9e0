package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/rig"
)

type runCmd struct {
	Config     string        `type:"path" placeholder:"F" help:"Configuration file; without one the first of ./rig.toml, ~/.config/rig/rig.toml, /etc/rig/rig.toml; for root only the last."`
	Demo       bool          `help:"Simulated wheel and platform, a driver model at the wheel."`
	Headless   bool          `help:"No window."`
	HighTorque bool          `help:"Consent to more than 8 N·m at the rim, as far as the configuration allows; a key or button takes it back."`
	NoCache    bool          `help:"Build a circuit's mesh anew, and do not keep it."`
	Duration   time.Duration `placeholder:"D" help:"Drive for so long, then park and exit. Such a drive gives up, with status 1, when the car has stood for a minute and what its platform needs to get ready."`
	JSON       bool          `name:"json" help:"Print one JSON object at exit."`
	Page       string        `hidden:"" help:"Socket where watchers get the state."`

	platform bool // a real one is configured
}

func (c *runCmd) Run(s *streams) error {
	if err := checkDuration(c.Duration); c.Duration != 0 && err != nil {
		return err
	}
	cfg, path, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	c.platform = cfg.Motion.Protocol != "" && !c.Demo
	orders, stop := s.orders(c.lastWords())
	defer stop()
	s.log.Info("rig starts", "config", path, "car", cfg.Car, "track", cfg.Track, "demo", c.Demo)
	sum, err := rig.Run(rig.Options{
		Config: cfg, Demo: c.Demo, Headless: c.Headless, NoCache: c.NoCache, HighTorque: c.HighTorque, Duration: c.Duration, Page: c.Page,
		Orders: orders, Log: s.log, Terminal: terminal(s.err),
	})
	if sum.ExitState == "" { // it never started
		return err
	}
	if c.JSON {
		return errors.Join(err, json.NewEncoder(s.out).Encode(sum))
	}
	sum.Print(s.out)
	return err
}

func (c *runCmd) lastWords() string {
	const wheel = "ended at once: the kernel takes the force off"
	if !c.platform {
		return wheel
	}
	return wheel + ", and the platform may not be parked; look at it before anybody climbs off, and `rig motion park` once that is safe"
}

// checkDuration refuses what is no time to drive.
func checkDuration(d time.Duration) error {
	if d >= time.Millisecond {
		return nil
	}
	return &config.Problem{File: "--duration", Text: fmt.Sprintf("%v is less than a millisecond; give a time such as 30s", d)}
}
