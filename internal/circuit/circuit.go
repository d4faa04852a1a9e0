// Package circuit builds circuits from their files.
package circuit

import (
	"fmt"

	"rig/internal/config"
	"rig/sim/road"
	"rig/sim/tire"
)

// Load returns the circuit that name stands for: a built-in one, or a file. paving is
// what its tarmac does to tires, by name, as "wet" after rain; "dry" leaves it.
func Load(name, paving string) (*road.Circuit, error) {
	weather, err := tire.SurfaceNamed(paving)
	if err != nil {
		return nil, err
	}
	surfaces := func(name string) (road.Surface, error) {
		s, err := road.SurfaceNamed(name)
		if name == "tarmac" && paving != "dry" {
			s.Tire = weather
		}
		return s, err
	}
	file, err := config.LoadCircuit(name)
	if err != nil {
		return nil, err
	}
	ribbon, _, err := road.NewRibbon(file.Layout, surfaces)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.File, err)
	}
	c := &road.Circuit{Ground: ribbon, Line: ribbon.Line(), Title: file.Title}
	mark := func(m config.Mark) (s float64) {
		if err == nil {
			s, err = ribbon.Station(m.On, m.At)
		}
		return s
	}
	c.Start = mark(file.Start)
	for _, m := range file.Sectors {
		c.Sectors = append(c.Sectors, mark(m))
	}
	if p := file.Pit; p.Left > p.Right {
		c.Pit = road.Pit{From: mark(p.From), To: mark(p.To), Right: p.Right, Left: p.Left, Limit: p.Limit / 3.6}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.File, err)
	}
	return c, nil
}
