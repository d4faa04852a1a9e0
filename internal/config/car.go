package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/sim"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// LoadCar returns the car that name stands for: a built-in one, or a file that
// changes some parameters of one. Tires that the file names are read from beside
// it. Each of set then changes a parameter more, as mass_kg=1350.
func LoadCar(name string, set ...string) (sim.Params, error) {
	p, err := namedCar(name)
	if err == nil {
		err = override(&p, set)
	}
	if err != nil {
		return sim.Params{}, err
	}
	return p, nil
}

func namedCar(name string) (sim.Params, error) {
	if data, file, ok := builtinCar(name); ok {
		return decodeCar(file, data, builtIn)
	}
	if !isFile(name) {
		return sim.Params{}, &Problem{File: name, Text: noCar() + ", or name a file that ends with .toml"}
	}
	data, err := readAll(name)
	if err != nil {
		return sim.Params{}, err
	}
	return decodeCar(name, data, beside)
}

// loadTires reads the tire files of both axles. One that cannot be read is a fault
// with its place in the car's file, what is wrong in it one in the tire's own. What
// has been read is left alone.
func loadTires(name string, data []byte, p *sim.Params, read reader) error {
	for _, at := range []struct {
		table string
		axle  *suspension.Params
	}{{"front", &p.Front}, {"rear", &p.Rear}} {
		choice := &at.axle.Tire
		if !choice.FromFile() || choice.File != nil {
			continue
		}
		text, path, err := read(name, choice.Model)
		if err != nil {
			return locate(name, data, fmt.Errorf("%s.tire: model = %q: %w", at.table, choice.Model, err))
		}
		if choice.File, err = tire.Parse(path, text); err != nil {
			return TireProblems(err)
		}
		if without := choice.File.Without; len(without) > 0 {
			return locate(name, data, fmt.Errorf("%s.tire: model = %q: it has no %s, and a car needs both; name a file that has, or add the coefficients", at.table, choice.Model, strings.Join(without, " and no ")))
		}
	}
	return nil
}

// changedTires forgets what was read for tires that are not the ones of before.
func changedTires(before, p *sim.Params) {
	if p.Front.Tire.Model != before.Front.Tire.Model {
		p.Front.Tire.File = nil
	}
	if p.Rear.Tire.Model != before.Rear.Tire.Model {
		p.Rear.Tire.File = nil
	}
}

// reader reads a file that another one names, and returns its path too.
type reader func(name, file string) (data []byte, path string, err error)

// beside reads from the folder of the file that names it.
func beside(name, file string) ([]byte, string, error) {
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(name), file)
	}
	data, err := readAll(path)
	return data, path, err
}

// TireProblems gives what is wrong in a tire's file the form of every other fault.
func TireProblems(err error) error {
	var all []error
	for _, e := range leaves(err) {
		if f := (*tire.Fault)(nil); errors.As(e, &f) {
			e = &Problem{File: f.File, Line: f.Line, Column: f.Column, Text: f.Text}
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}

// TireNotices lists what the tire files of a car left out and what was assumed.
func TireNotices(p sim.Params) (list []string) {
	for _, t := range []*tire.Tire{p.Front.Tire.File, p.Rear.Tire.File} {
		if t == nil {
			continue
		}
		for _, n := range t.Notices {
			if n = t.Name + ": " + n; !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	return list
}
