package config

import (
	"embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rig/sim/road"
)

//go:embed circuits/*.toml
var circuitFiles embed.FS

// Circuit is a circuit's file.
type Circuit struct {
	Title   string      `toml:"title"`
	Layout  road.Layout `toml:"layout"` // of a road that rig builds
	Start   Mark        `toml:"start"`
	Sectors []Mark      `toml:"sector"` // where one ends and the next begins
	Pit     Pit         `toml:"pit"`

	File string `toml:"-"` // for faults
}

// Mark is a place along a road.
type Mark struct {
	On string  `toml:"on"`   // a piece of the layout, by its name
	At float64 `toml:"at_m"` // from its start
}

// Pit is a lane beside the road.
type Pit struct {
	From  Mark    `toml:"from"`
	To    Mark    `toml:"to"`
	Right float64 `toml:"right_m"` // its sides beside the centre line, positive to the left
	Left  float64 `toml:"left_m"`
	Limit float64 `toml:"limit_kph"`
}

// Validate reports every value that is out of range.
func (c *Circuit) Validate() error { return section("layout", c.Layout) }

// Circuits lists the built-in circuits.
func Circuits() []string {
	entries, err := circuitFiles.ReadDir("circuits")
	if err != nil {
		panic(err) // the folder was embedded above
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".toml"))
	}
	return names
}

// LoadCircuit returns the circuit that name stands for: a built-in one, or a file.
func LoadCircuit(name string) (Circuit, error) {
	c := Circuit{Layout: road.DefaultLayout(), File: name}
	var data []byte
	var err error
	switch {
	case slices.Contains(Circuits(), name):
		c.File = "circuits/" + name + ".toml"
		data, err = circuitFiles.ReadFile(c.File)
	case isFile(name):
		data, err = readAll(name)
	default:
		err = &Problem{File: name, Text: fmt.Sprintf("is no built-in circuit; choose %s, or name a file", strings.Join(Circuits(), ", "))}
	}
	if err != nil {
		return Circuit{}, err
	}
	if err := Decode(c.File, data, &c); err != nil {
		return Circuit{}, err
	}
	if c.Title == "" {
		c.Title = strings.TrimSuffix(filepath.Base(name), ".toml")
	}
	return c, nil
}
