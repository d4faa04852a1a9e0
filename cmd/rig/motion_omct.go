package main

import (
	"encoding/json"
	"fmt"

	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/tools/exercise"
	"rig.example/rig/internal/tools/lab/omct"
	"rig.example/rig/internal/tools/lab/picture"
)

type motionOMCTCmd struct {
	Config string    `short:"c" type:"path" placeholder:"F" help:"Test the tables cueing, tuning, geometry and motion of this configuration file."`
	Mode   string    `placeholder:"MODE" help:"Use this cueing.mode instead of the file's."`
	Size   float64   `default:"1" help:"Size of the car's motion: 1 is the standard's 1 m/s² and 1 °/s. Use less to stay clear of limits."`
	HeadM  []float64 `name:"head-m" placeholder:"X,Y,Z" help:"Position of the driver's head above the platform's reference point [m]."`
	Plot   pathArg   `placeholder:"F.png|svg" help:"Draw gain and phase versus frequency into this file."`
	JSON   bool      `name:"json" help:"Print one JSON object."`
}

func (c *motionOMCTCmd) Run(s *streams) error {
	if err := picture.CheckName("--plot", string(c.Plot)); err != nil {
		return err
	}
	o := omct.DefaultOptions()
	o.Size = c.Size
	if c.HeadM != nil && len(c.HeadM) != len(o.Head) {
		return wrongUsage(fmt.Errorf("omct: --head-m has %d numbers; give x, y, z in metres: -0.2,0,0.9", len(c.HeadM)))
	}
	copy(o.Head[:], c.HeadM)
	if err := wrongUsage(o.Validate()); err != nil {
		return err
	}
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	if c.Mode != "" {
		cfg.Cueing.Mode = c.Mode
		if err := wrongUsage(cfg.Cueing.Validate()); err != nil {
			return err
		}
	}
	if f := terminal(s.err); f != nil {
		fmt.Fprintln(f, "simulating six motions of the car at twelve frequencies (your platform does not move), which takes a few seconds …")
	}
	show, done := progressOf(s, "simulating")
	o.Progress = show
	result, err := exercise.OMCT(cfg, o)
	done()
	if err != nil {
		return err
	}
	if c.Plot != "" {
		if err := picture.Write(result.Sheet(), "plot", "--plot", string(c.Plot)); err != nil {
			return err
		}
	}
	out := sink.Stdout("motion", s.out)
	if c.JSON {
		return json.NewEncoder(out).Encode(result)
	}
	return result.Print(out)
}
