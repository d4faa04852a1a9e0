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

// LoadCar returns a built-in car by its name, or a car from a file, which changes some parameters of a
// built-in one. Relative paths of tire and mesh files start at the folder of the file. Each argument of set
// then changes one more parameter, such as mass_kg=1350.
func LoadCar(name string, set ...string) (sim.Params, error) {
	p, err := namedCar(name)
	if err == nil {
		err = applyArguments(&p, set, readBeside)
	}
	if err != nil {
		return sim.Params{}, err
	}
	return p, nil
}

// namedCar returns a car by its built-in name or its path.
func namedCar(name string) (sim.Params, error) {
	if data, file, ok := readBuiltinCar(name); ok {
		return decodeCar(file, data, readBuiltinFile)
	}
	if !isPath(name) {
		return sim.Params{}, &Problem{File: name, Text: "not found; choose " + strings.Join(Cars(), ", ") + ", or name a file that ends with .toml"}
	}
	data, err := readText(name)
	if err != nil {
		return sim.Params{}, err
	}
	return decodeCar(name, data, readBeside)
}

// loadTires reads the tire files of both axles, unless they have been read already. name and data are path
// and text of the car's file: an error about reading has its position there, an error in a tire file has
// its position in the tire file.
func loadTires(name string, data []byte, p *sim.Params, read fileReader) error {
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
			return locate(name, data, fmt.Errorf("%s.tire.model = %q: %w", at.table, choice.Model, err))
		}
		if choice.File, err = tire.Parse(path, text); err != nil {
			return TireProblems(err)
		}
		if missing := choice.File.MissingForces; len(missing) > 0 {
			return locate(name, data, fmt.Errorf("%s.tire.model = %q: the tire has no %s, and a car needs both; "+
				"use a tire with both, or add the coefficients", at.table, choice.Model, strings.Join(missing, " and no ")))
		}
	}
	return nil
}

// dropChangedTires removes the parsed tire files of p from axles whose tire differs from that of before.
func dropChangedTires(before, p *sim.Params) {
	if p.Front.Tire.Model != before.Front.Tire.Model {
		p.Front.Tire.File = nil
	}
	if p.Rear.Tire.Model != before.Rear.Tire.Model {
		p.Rear.Tire.File = nil
	}
}

// fileReader reads a file to which the file called name refers, and returns its text and path.
type fileReader func(name, file string) (data []byte, path string, err error)

// readBeside is a fileReader: relative paths start at the folder of the file called name.
func readBeside(name, file string) ([]byte, string, error) {
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(name), file)
	}
	data, err := readText(path)
	return data, path, err
}

// TireProblems returns err with each *tire.Fault replaced by a *Problem.
func TireProblems(err error) error {
	var all []error
	for _, e := range Faults(err) {
		if f := (*tire.Fault)(nil); errors.As(e, &f) {
			e = &Problem{File: f.File, Line: f.Line, Column: f.Column, Text: f.Text}
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}

// TireNotices lists what the tire files of a car omit and which values are assumed instead.
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
