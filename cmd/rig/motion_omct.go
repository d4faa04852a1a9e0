package main

import (
	"encoding/json"
	"fmt"

	"rig.example/rig/internal/bench"
	"rig.example/rig/internal/lab/omct"
	"rig.example/rig/internal/lab/tirerig"
)

type motionOMCTCmd struct {
	Config string    `short:"c" type:"path" placeholder:"F" help:"Configuration file: its tables cueing, tuning, geometry and motion are tested."`
	Mode   string    `placeholder:"MODE" help:"Another cueing.mode than the file's."`
	Size   float64   `default:"1" help:"Of the car's motion: 1 is the test's 1 m/s² and 1 °/s, less stays clear of limits."`
	HeadM  []float64 `name:"head-m" placeholder:"X,Y,Z" help:"Where the driver's head is over the platform's reference point."`
	Plot   word      `placeholder:"F.png|svg" help:"Draw gain and phase over the frequency."`
	JSON   bool      `name:"json" help:"Print one JSON object."`
}

func (c *motionOMCTCmd) Run(s *streams) error {
	if err := checkPlot(c.Plot); err != nil {
		return err
	}
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	if c.Mode != "" {
		cfg.Cueing.Mode = c.Mode
	}
	o := omct.DefaultOptions()
	o.Size = c.Size
	if c.HeadM != nil && len(c.HeadM) != len(o.Head) {
		return fmt.Errorf("omct: --head-m has %d numbers; give x, y, z in metres: -0.2,0,0.9", len(c.HeadM))
	}
	copy(o.Head[:], c.HeadM)
	if f := terminal(s.err); f != nil {
		fmt.Fprintln(f, "simulating six motions of the car at twelve frequencies (your platform does not move), which takes some seconds …")
	}
	result, err := bench.OMCT(cfg, o)
	if err != nil {
		return err
	}
	if c.Plot != "" {
		if err := bench.WriteSheet(result.Sheet(), string(c.Plot)); err != nil {
			return err
		}
	}
	out := tirerig.Stdout(s.out)
	if c.JSON {
		return json.NewEncoder(out).Encode(result)
	}
	return result.Print(out)
}
