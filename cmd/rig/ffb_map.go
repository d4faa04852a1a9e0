package main

import (
	"encoding/json"
	"fmt"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/tools/lab/picture"
	"rig.example/rig/internal/tools/lab/rimlab"
	"rig.example/rig/road"
	"rig.example/rig/sim"
)

type ffbMapCmd struct {
	Config      string  `short:"c" placeholder:"F" type:"path" help:"Use the settings and the car of this configuration file. Default: built-in defaults."`
	Car         string  `placeholder:"NAME|F.toml" help:"Use this car instead of the file's."`
	Picture     pathArg `placeholder:"F.png|svg" help:"Draw the map into this file."`
	AssumeDelay bool    `name:"untold" help:"Let the force feedback assume a delay, as it does before calibration."`
	JSON        bool    `name:"json" help:"Print one JSON object."`
}

func (c *ffbMapCmd) Run(s *streams) error {
	if err := picture.CheckName("--picture", string(c.Picture)); err != nil {
		return err
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
	out := sink.Stdout("ffb", s.out)
	if c.JSON {
		return json.NewEncoder(out).Encode(m)
	}
	return m.Print(out)
}

// chart runs the simulations of the rim stability map. It takes about a minute.
func (c *ffbMapCmd) chart(s *streams) (*rimlab.Map, error) {
	cfg, _, err := s.load(c.Config, "", config.Choice{})
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
		fmt.Fprintln(f, "simulating (your wheel does not move); this takes a minute …")
	}
	show, done := progressOf(s, "simulating")
	defer done()
	return rimlab.RunGrid(cfg.Car, car, cfg.FFB, rimlab.FullGrid(), !c.AssumeDelay, show)
}
