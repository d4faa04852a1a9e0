package config

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"rig.example/rig/sim"
)

//go:embed cars/*.toml cars/*.tir
var carFiles embed.FS

// Cars lists the built-in cars.
func Cars() []string { return builtin(carFiles, "cars") }

// builtin lists the settings that are embedded in a folder.
func builtin(files embed.FS, folder string) (names []string) {
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic(err) // the folder was embedded
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok {
			names = append(names, name)
		}
	}
	return names
}

// builtinCar returns the text of a built-in car's file and the name that stands
// for it in faults.
func builtinCar(name string) (data []byte, file string, ok bool) {
	if !slices.Contains(Cars(), name) {
		return nil, "", false
	}
	file = "cars/" + name + ".toml"
	data, err := carFiles.ReadFile(file)
	return data, file, err == nil
}

// builtIn reads a file that a built-in car names.
func builtIn(_, file string) ([]byte, string, error) {
	path := "cars/" + file
	data, err := carFiles.ReadFile(path)
	return data, path, err
}

// carFile is a car's file: the car that it starts from, and what it changes.
type carFile struct {
	Base string `toml:"base"`
	sim.Params
}

// Validate reports every parameter that is out of range.
func (f *carFile) Validate() error { return f.Params.Validate() }

// decodeCar reads a car's file over its base.
func decodeCar(name string, data []byte, read reader) (sim.Params, error) {
	start, err := baseOf(name, data)
	if err != nil {
		return sim.Params{}, err
	}
	f := carFile{Params: start}
	if err := Decode(name, data, &f); err != nil {
		return sim.Params{}, err
	}
	changedTires(&start, &f.Params)
	if err := loadTires(name, data, &f.Params, read); err != nil {
		return sim.Params{}, err
	}
	return f.Params, loadMesh(name, data, &f.Params, read)
}

// baseOf returns the car that a file starts from. What else is wrong with the
// file is left to those who read the rest of it.
func baseOf(name string, data []byte) (sim.Params, error) {
	var head struct {
		Base any `toml:"base"`
	}
	base := "" // the default car
	if peek(data, &head) == nil {
		if own, given := head.Base.(string); given {
			base = own
		}
	}
	if base == "" {
		return sim.DefaultCar(), nil
	}
	text, file, ok := builtinCar(base)
	if !ok {
		return sim.Params{}, locate(name, data, fmt.Errorf("base = %q %s", base, noCar()))
	}
	return decodeCar(file, text, builtIn)
}

func noCar() string { return "is no built-in car; choose " + strings.Join(Cars(), ", ") }
