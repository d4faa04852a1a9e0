package config

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/layout"
)

//go:embed circuits/*.toml
var circuitFiles embed.FS

// Circuit is a circuit's file: a road that rig builds, or the ground of another file,
// and what stands and happens on it.
type Circuit struct {
	Title     string                        `toml:"title"`
	Layout    layout.Plan                   `toml:"layout"`    // of a road that rig builds
	Ground    Ground                        `toml:"ground"`    // or the ground of a file
	Materials map[string]string             `toml:"materials"` // of that file: what surfaces they are
	Areas     map[string]string             `toml:"areas"`     // and the areas that they belong to
	Surfaces  map[string]road.SurfaceParams `toml:"surface"`   // of the circuit's own
	Line      Line                          `toml:"line"`
	Start     Start                         `toml:"start"`
	Sectors   []Mark                        `toml:"sector" most:"4000"` // where one ends and the next begins
	Pit       Pit                           `toml:"pit"`
	Walls     []Wall                        `toml:"wall" most:"4000"`
	Cones     []Cones                       `toml:"cone" most:"4000"`
	Changes   []Change                      `toml:"change" most:"4000"` // of the grip of areas during a run

	File     string   `toml:"-"` // for faults
	Warnings []string `toml:"-"` // faults of what nothing uses, a line each

	text []byte
}

// Circuits lists the built-in circuits.
func Circuits() []string { return builtin(circuitFiles, "circuits") }

// LoadCircuit returns the circuit that name stands for: a built-in one, a file, or one
// of nothing but the ground of a file. Arguments such as start.at_m=20 change its keys.
func LoadCircuit(name string, set ...string) (Circuit, error) {
	c := Circuit{Layout: layout.Default(), Ground: DefaultGround(), File: name}
	var err error
	switch kind := strings.ToLower(filepath.Ext(name)); {
	case slices.Contains(Circuits(), name):
		c.File = "circuits/" + name + ".toml"
		c.text, err = circuitFiles.ReadFile(c.File)
	case slices.Contains(GroundKinds(), kind):
		c.Ground.File = filepath.Base(name)
	case isFile(name):
		c.text, err = readAll(name)
	default:
		err = &Problem{File: name, Text: fmt.Sprintf("is no built-in circuit; choose %s, or name a file", strings.Join(Circuits(), ", "))}
	}
	if err != nil {
		return Circuit{}, err
	}
	if err := Decode(c.File, c.text, &c); err != nil {
		return Circuit{}, err
	}
	if err := c.override(set); err != nil {
		return Circuit{}, err
	}
	if c.Title == "" {
		c.Title = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	c.Warnings = c.idle()
	return c, nil
}

// override changes keys by arguments.
func (c *Circuit) override(arguments []string) error {
	if len(arguments) == 0 {
		return nil
	}
	data, err := document(arguments, "circuit's file and its value, as start.at_m=20")
	if err != nil {
		return err
	}
	return inArguments(Decode("--set", data, c), arguments)
}

// Surface returns a surface by its name: one of the circuit's own, or a built-in one.
func (c *Circuit) Surface(name string) (road.Surface, error) {
	if own, ok := c.Surfaces[name]; ok {
		return own.Surface(name)
	}
	s, err := road.SurfaceNamed(name)
	if err != nil {
		return s, fmt.Errorf("surface %q is not known; choose %s, or describe it in [surface.%s]",
			name, strings.Join(c.SurfaceNames(), ", "), name)
	}
	return s, nil
}

// SurfaceNames lists the surfaces that the circuit can be made of.
func (c *Circuit) SurfaceNames() []string {
	list := slices.AppendSeq(road.SurfaceNames(), maps.Keys(c.Surfaces))
	slices.Sort(list)
	return slices.Compact(list)
}

// Fault gives an error about a part of the circuit the place of its key in the file.
func (c *Circuit) Fault(err error) error {
	var all, bare []error
	for _, e := range leaves(err) {
		var p *Problem
		if errors.As(e, &p) {
			all = append(all, e)
			continue
		}
		text := strings.TrimPrefix(strings.TrimPrefix(e.Error(), "road: "), "layout: ")
		for _, list := range []string{"piece[", "part[", "feature["} {
			if strings.HasPrefix(text, list) {
				text = "layout." + text
			}
		}
		bare = append(bare, errors.New(text))
	}
	if len(bare) > 0 {
		all = append(all, leaves(locate(c.File, c.text, errors.Join(bare...)))...)
	}
	return errors.Join(all...)
}

// Beside returns where a file lies that the circuit names.
func (c *Circuit) Beside(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(filepath.Dir(c.File), file)
}

// idle reports what is wrong with surfaces that nothing names, which keeps no one from
// driving.
func (c *Circuit) idle() []string {
	var found []string
	used := c.used()
	for _, name := range slices.Sorted(maps.Keys(c.Surfaces)) {
		if slices.Contains(used, name) {
			continue
		}
		if _, err := c.Surface(name); err != nil {
			found = append(found, fmt.Sprintf("%s: surface.%s: nothing uses it, and it is wrong: %s", c.File, name, OneLine(err)))
		}
	}
	return found
}

// OneLine returns an error's text on one line.
func OneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// used lists the surfaces that the file names for its ground.
func (c *Circuit) used() []string {
	if c.Ground.File != "" {
		return append(slices.Sorted(maps.Values(c.Materials)), c.Ground.Surface)
	}
	list := []string{c.Layout.Road, c.Layout.Verge, "kerb"}
	for i := range c.Layout.Parts {
		list = append(list, c.Layout.Parts[i].Surface)
	}
	return list
}
