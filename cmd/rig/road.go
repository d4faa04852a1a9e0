package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/tools/lab/picture"
	"rig.example/rig/internal/tools/lab/survey"
)

type roadCmd struct {
	Road    string   `arg:"" optional:"" name:"name|file" help:"Built-in circuit, circuit file, or ground: .glb, .gltf, .obj, .xodr, .crg, .asc. Without one, list the built-in circuits."`
	Picture pathArg  `placeholder:"F.png|svg" help:"Draw the road from above into this file."`
	Probe   pathArg  `placeholder:"P.csv" help:"Print height, normal and surface of the ground at the points of this table. Columns: x_m, y_m, and optionally z_m, the height to look down from. - is stdin."`
	JSON    bool     `name:"json" help:"Print one JSON object. With --probe print one per point."`
	Set     []string `sep:"none" placeholder:"KEY=VALUE" help:"Override a key of the circuit's file. May be repeated."`
	NoCache bool     `help:"Build meshes anew and do not cache them."`
}

func (c *roadCmd) Run(s *streams) error {
	if err := picture.CheckName("--picture", string(c.Picture)); err != nil {
		return err
	}
	if c.Probe != "" && c.Picture != "" {
		return &config.Problem{File: "--probe", Text: "--picture draws and --probe answers for places; give one of them"}
	}
	if c.Road == "" {
		return c.list(s)
	}
	if c.Probe != "" {
		return c.probe(s)
	}
	r, err := survey.Inspect(c.Road, c.options(s), 0)
	if err != nil {
		return err
	}
	if c.Picture != "" {
		if err := r.WritePicture(string(c.Picture)); err != nil {
			return err
		}
	}
	out := sink.Stdout("road", s.out)
	if c.JSON {
		return json.NewEncoder(out).Encode(r)
	}
	return r.Print(out)
}

// options returns how the circuit is loaded according to the flags; progress is shown on a terminal.
func (c *roadCmd) options(s *streams) circuit.Options {
	o := circuit.Options{Overrides: c.Set, Cache: circuit.UserCache()}
	if c.NoCache {
		o.Cache = ""
	}
	if f := terminal(s.err); f != nil {
		o.Progress = func(text string) { fmt.Fprintf(f, "%s …\n", printable.Line(text)) }
	}
	return o
}

// list prints the built-in circuits.
func (c *roadCmd) list(s *streams) error {
	if c.Picture != "" || c.Probe != "" || len(c.Set) > 0 {
		return &config.Problem{File: "rig road", Text: "no road to look at; name one of " + strings.Join(config.Circuits(), ", ") + ", or a file"}
	}
	list, err := survey.List()
	if err != nil {
		return err
	}
	out := sink.Stdout("road", s.out)
	if c.JSON {
		return json.NewEncoder(out).Encode(list)
	}
	text := ""
	for _, o := range list {
		text += o.String() + "\n"
	}
	_, err = io.WriteString(out, text)
	return err
}
