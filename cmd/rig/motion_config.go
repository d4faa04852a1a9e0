package main

import (
	"encoding/json"
	"strconv"
	"strings"

	"rig.example/rig/internal/bench"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/page"
)

type motionConfigCmd struct {
	Config string   `short:"c" type:"path" placeholder:"F" help:"Configuration file: which controller, on which port."`
	Demo   bool     `help:"Ask a simulated controller."`
	Set    []string `placeholder:"NAME=VALUE" sep:"none" help:"Give a parameter a value; as often as you like."`
	Save   bool     `help:"Have the controller keep them when it loses power."`
	JSON   bool     `name:"json" help:"Print one JSON array."`
	Page   string   `hidden:"" help:"Socket of the rig: no other may drive beside it."`
}

func (c *motionConfigCmd) Run(s *streams) error {
	set, err := assignments(c.Set)
	if err != nil {
		return err
	}
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	socket, err := page.Reserve(c.Page) // or a drive would use the same line
	if err != nil {
		return err
	}
	defer socket.Close()
	ctx, _, done := s.operated(c)
	defer done()
	list, err := bench.ConfigureMotion(ctx, cfg, set, c.Save, c.Demo, s.log)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(list)
	}
	list.Print(s.out)
	return nil
}

// assignments reads NAME=VALUE.
func assignments(list []string) (map[string]float64, error) {
	set := map[string]float64{}
	for _, text := range list {
		name, value, found := strings.Cut(text, "=")
		v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if !found || err != nil || v-v != 0 {
			return nil, &config.Problem{File: "--set", Text: strconv.Quote(text) + `: give NAME=NUMBER, as in kp_a=4.2`}
		}
		set[strings.TrimSpace(name)] = v
	}
	return set, nil
}

func (c *motionConfigCmd) lastWords() string {
	return "ended before the controller had answered; `rig motion config` shows what it has"
}
