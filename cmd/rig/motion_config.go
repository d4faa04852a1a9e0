package main

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/internal/tools/exercise"
)

type motionConfigCmd struct {
	Config     string   `short:"c" type:"path" placeholder:"F" help:"Read this configuration file. It names the controller and its port."`
	Demo       bool     `help:"Use a simulated controller."`
	Set        []string `placeholder:"NAME=VALUE" sep:"none" help:"Set a parameter. May be repeated."`
	Save       bool     `help:"Save the parameters in the controller, so that they survive power-off."`
	JSON       bool     `name:"json" help:"Print one JSON array."`
	PageSocket string   `name:"page" hidden:"" help:"Socket that keeps a second rig from running at the same time."`
}

func (c *motionConfigCmd) Run(s *streams) error {
	set, err := assignments(c.Set)
	if err != nil {
		return err
	}
	if c.Save && len(set) == 0 {
		return wrongUsage(errors.New("motion: --save stores what --set has changed; give --set NAME=VALUE with it"))
	}
	return s.runMover(c, c.Config, &c.PageSocket, func(ctx, _ context.Context, cfg config.Config) error {
		parameters, err := exercise.ConfigureMotion(ctx, cfg, set, c.Save, c.Demo, s.log)
		if err != nil {
			return err
		}
		if c.JSON {
			return json.NewEncoder(s.out).Encode(parameters)
		}
		parameters.Print(s.out)
		return nil
	})
}

// assignments parses a list of texts NAME=VALUE.
func assignments(list []string) (map[string]float64, error) {
	set := map[string]float64{}
	for _, text := range list {
		name, value, found := strings.Cut(text, "=")
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if !found || err != nil || !valid.Finite(v) {
			return nil, &config.Problem{File: "--set", Text: strconv.Quote(text) + `: give NAME=NUMBER, as in kp_a=4.2`}
		}
		set[strings.TrimSpace(name)] = v
	}
	return set, nil
}

func (c *motionConfigCmd) forcedExitText() string {
	return "ended before the controller answered; run `rig motion config` to see its parameters"
}
