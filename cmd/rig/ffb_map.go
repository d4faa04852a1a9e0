package main

import (
	"encoding/json"
	"fmt"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/lab/rimlab"
	"rig.example/rig/internal/lab/tirerig"
	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
)

type ffbMapCmd struct {
	Config  string `short:"c" placeholder:"F" type:"path" help:"Settings and car of this file; the defaults."`
	Car     string `placeholder:"NAME|F.toml" help:"Another car than the file's."`
	Picture word   `placeholder:"F.png|svg" help:"Draw the map."`
	Untold  bool   `help:"The delay is not told to the force feedback, as before calibration."`
	JSON    bool   `name:"json" help:"Print one JSON object."`
}

func (c *ffbMapCmd) Run(s *streams) error {
	if c.Picture != "" {
		if err := rimlab.CheckPicture(string(c.Picture)); err != nil {
			return err
		}
	}
	m, err := c.chart(s)
	if err != nil {
		return err
	}
	if c.Picture != "" {
		if err := m.WritePicture(string(c.Picture)); err != nil {
			return err
		}
	}
	out := tirerig.Stdout(s.out)
	if c.JSON {
		return json.NewEncoder(out).Encode(m)
	}
	return m.Print(out)
}

// chart runs the bench.
func (c *ffbMapCmd) chart(s *streams) (*rimlab.Map, error) {
	cfg, _, err := s.load(c.Config, "")
	if err != nil {
		return nil, err
	}
	if c.Car != "" {
		cfg.Car = c.Car
	}
	params, err := config.LoadCar(cfg.Car)
	if err != nil {
		return nil, err
	}
	car, err := sim.New(params, road.Asphalt(), sim.Dt)
	if err != nil {
		return nil, err
	}
	if f := terminal(s.err); f != nil {
		fmt.Fprintln(f, "simulating (your wheel does not move), which takes a minute …")
	}
	return rimlab.Chart(cfg.Car, car, cfg.FFB, rimlab.FullGrid(), !c.Untold)
}
