package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"rig.example/rig/internal/circuit"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/lab/survey"
	"rig.example/rig/internal/lab/tirerig"
	"rig.example/rig/internal/printable"
)

type roadCmd struct {
	Road    string   `arg:"" optional:"" name:"name|file" help:"A built-in circuit, a circuit's file, or a ground: .glb, .gltf, .obj, .xodr, .crg, .asc. Without one the built-in circuits are listed."`
	Picture word     `placeholder:"F.png|svg" help:"Draw it from above."`
	Probe   word     `placeholder:"P.csv" help:"Print height, normal and surface of the ground at the places of a table with the columns x_m and y_m, and z_m to look down from there; - is stdin."`
	JSON    bool     `name:"json" help:"Print one JSON object; with --probe one for each place."`
	Set     []string `sep:"none" placeholder:"KEY=VALUE" help:"Change a key of the circuit's file; may be repeated."`
	NoCache bool     `help:"Build meshes anew, and do not keep them."`
}

func (c *roadCmd) Run(s *streams) error {
	if c.Picture != "" {
		if err := survey.CheckPicture(string(c.Picture)); err != nil {
			return err
		}
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
	r, err := survey.Look(c.Road, c.options(s), 0)
	if err != nil {
		return err
	}
	if c.Picture != "" {
		if err := r.WritePicture(string(c.Picture)); err != nil {
			return err
		}
	}
	out := tirerig.Stdout(s.out)
	if c.JSON {
		return json.NewEncoder(out).Encode(r)
	}
	return r.Print(out)
}

func (c *roadCmd) options(s *streams) circuit.Options {
	o := circuit.Options{Set: c.Set, Cache: circuit.UserCache()}
	if c.NoCache {
		o.Cache = ""
	}
	if f := terminal(s.err); f != nil {
		o.Tell = func(text string) { fmt.Fprintf(f, "%s …\n", printable.Line(text)) }
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
	out := tirerig.Stdout(s.out)
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
