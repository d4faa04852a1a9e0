package config

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/road"
	"rig.example/rig/road/layout"
)

//go:embed circuits/*.toml
var circuitFiles embed.FS

// Circuit is a circuit's file: a road that rig builds, or the ground of another file,
// and what stands and happens on it.
type Circuit struct {
	Title  string      `toml:"title"`            // name that the window shows; empty means the name of the file
	Layout layout.Plan `toml:"layout" valid:"-"` // the road, if rig builds it from pieces
	Ground Ground      `toml:"ground" valid:"-"` // the ground, if it comes from another file
	// surface of each material of the ground's file, as `NAME = "grass"`; NAME is a group or an object if its
	// triangles have no material. `"none"` leaves the triangles out: nothing drives on them, as on a tree
	Materials map[string]string `toml:"materials"`
	// area of each material, as `NAME = "wet part"`; at most 7 areas with names
	Areas    map[string]string             `toml:"areas"`
	Surfaces map[string]road.SurfaceParams `toml:"surface" valid:"-"` // surfaces that this file defines, by name
	Line     Line                          `toml:"line"`
	Start    Start                         `toml:"start"`
	Sectors  []Mark                        `toml:"sector" count:"0..4000"` // places where a sector ends and the next begins, in driving order
	Pit      Pit                           `toml:"pit"`
	Walls    []Wall                        `toml:"wall" count:"0..4000"`   // walls between two points, or along the road
	Cones    []Cones                       `toml:"cone" count:"0..4000"`   // rows of cones, or the lanes that ISO 3888 marks with cones
	Changes  []Change                      `toml:"change" count:"0..4000"` // changes of the grip of areas during a run

	File     string   `toml:"-"` // path of the file, or its name in errors if it is built in
	Warnings []string `toml:"-"` // errors in unused surfaces, one line each

	text []byte // contents of File
}

// Circuits lists the built-in circuits.
func Circuits() []string { return builtinNames(circuitFiles, "circuits") }

// LoadCircuit returns a built-in circuit by its name, a circuit from a TOML file, or one that consists only of
// the ground in a file of GroundKinds. Each argument of set then changes a key, such as start.at_m=20.
func LoadCircuit(name string, set ...string) (Circuit, error) {
	c := Circuit{Layout: layout.Default(), Ground: DefaultGround(), File: name}
	var err error
	switch kind := strings.ToLower(filepath.Ext(name)); {
	case slices.Contains(Circuits(), name):
		c.File = "circuits/" + name + ".toml"
		c.text, err = circuitFiles.ReadFile(c.File)
	case slices.Contains(GroundKinds(), kind):
		c.Ground.File = filepath.Base(name)
	case isPath(name):
		c.text, err = readText(name)
	default:
		err = &Problem{File: name, Text: fmt.Sprintf("not found; choose %s, or name a file",
			strings.Join(Circuits(), ", "))}
	}
	if err != nil {
		return Circuit{}, err
	}
	if err := Decode(c.File, c.text, &c); err != nil {
		return Circuit{}, err
	}
	if err := c.applyArguments(set); err != nil {
		return Circuit{}, err
	}
	if c.Title == "" {
		c.Title = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	c.Warnings = c.unusedSurfaceWarnings()
	return c, nil
}

// applyArguments changes keys of the circuit by arguments such as start.at_m=20.
func (c *Circuit) applyArguments(arguments []string) error {
	if len(arguments) == 0 {
		return nil
	}
	data, err := argumentsToTOML(arguments, "circuit's file and its value, as start.at_m=20")
	if err != nil {
		return err
	}
	return locateInArguments(Decode("--set", data, c), arguments)
}

// Surface returns a surface by its name: one that the circuit's file defines, or a built-in one.
func (c *Circuit) Surface(name string) (road.Surface, error) {
	if own, ok := c.Surfaces[name]; ok {
		return own.Surface(name)
	}
	s, err := road.SurfaceNamed(name)
	if err != nil {
		return s, fmt.Errorf("surface %q not found; choose %s, or describe it in [surface.%s]",
			name, strings.Join(c.SurfaceNames(), ", "), name)
	}
	return s, nil
}

// SurfaceNames lists the names that Surface accepts, sorted.
func (c *Circuit) SurfaceNames() []string {
	list := slices.AppendSeq(road.SurfaceNames(), maps.Keys(c.Surfaces))
	slices.Sort(list)
	return slices.Compact(list)
}

// Locate returns errors about the circuit, which name its keys, as Problems with the positions of the keys.
func (c *Circuit) Locate(err error) error {
	var all, unlocated []error
	for _, e := range Faults(err) {
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
		unlocated = append(unlocated, errors.New(text))
	}
	if len(unlocated) > 0 {
		all = append(all, Faults(locate(c.File, c.text, errors.Join(unlocated...)))...)
	}
	return errors.Join(all...)
}

// ResolvePath returns where a file lies that the circuit names.
func (c *Circuit) ResolvePath(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(filepath.Dir(c.File), file)
}

// unusedSurfaceWarnings returns a line for each invalid surface that the circuit does not use; it can be driven
// nevertheless.
func (c *Circuit) unusedSurfaceWarnings() []string {
	var found []string
	used := c.usedSurfaces()
	for _, name := range slices.Sorted(maps.Keys(c.Surfaces)) {
		if slices.Contains(used, name) {
			continue
		}
		if _, err := c.Surface(name); err != nil {
			found = append(found, fmt.Sprintf("%s: surface.%s: not used, and not valid: %s", c.File, name, OneLine(err)))
		}
	}
	return found
}

// OneLine returns the text of an error on one line, with "; " for each line feed.
func OneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// usedSurfaces lists the names of the surfaces that the layout or the ground uses.
func (c *Circuit) usedSurfaces() []string {
	if c.Ground.File != "" {
		return append(slices.Sorted(maps.Values(c.Materials)), c.Ground.Surface)
	}
	list := []string{c.Layout.Road, c.Layout.Verge, "kerb"}
	for i := range c.Layout.Parts {
		list = append(list, c.Layout.Parts[i].Surface)
	}
	return list
}
