package config

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"rig/sim"
	"rig/sim/tire"
)

// LoadCar returns the car that name stands for: a built-in one, or a file that
// changes some of the coupe's parameters. Tires that the file names are read
// from beside it.
func LoadCar(name string) (sim.Params, error) {
	p := sim.Coupe()
	if name == "coupe" {
		return p, nil
	}
	if !isFile(name) {
		return p, &Problem{File: name, Text: `is no built-in car; choose "coupe", or name a file that ends with .toml`}
	}
	data, err := readAll(name)
	if err != nil {
		return sim.Params{}, err
	}
	if err := Decode(name, data, &p); err != nil {
		return sim.Params{}, err
	}
	if err := loadTires(name, data, &p); err != nil {
		return sim.Params{}, err
	}
	return p, nil
}

// loadTires reads the tire files of both axles. What is wrong with their
// presence or with how they go with the car has its place in the car's file.
func loadTires(name string, data []byte, p *sim.Params) error {
	for _, at := range []struct {
		table string
		axle  *sim.Axle
	}{{"front", &p.Front}, {"rear", &p.Rear}} {
		choice := &at.axle.Tire
		if !choice.FromFile() {
			continue
		}
		text, path, err := beside(name, choice.Model)
		if err != nil {
			return locate(name, data, fmt.Errorf("%s.tire: model = %q: %w", at.table, choice.Model, err))
		}
		if choice.File, err = tire.Parse(path, text); err != nil {
			return tireProblem(path, err)
		}
	}
	return nil
}

// beside reads a file that another one names, and returns its path too.
func beside(name, file string) ([]byte, string, error) {
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(name), file)
	}
	data, err := readAll(path)
	return data, path, err
}

// tireProblem gives a fault of a tire's file, which begins with file:line, the
// form of every other fault.
func tireProblem(path string, err error) error {
	text := strings.TrimPrefix(err.Error(), path+":")
	at, rest, _ := strings.Cut(text, ": ")
	if line, bad := strconv.Atoi(at); bad == nil {
		return &Problem{File: path, Line: line, Column: 1, Text: rest}
	}
	return &Problem{File: path, Text: strings.TrimSpace(text)}
}
