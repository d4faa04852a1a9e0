package config

import (
	"embed"
	"errors"
	"slices"
	"strings"

	"rig.example/rig/display/model"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
)

//go:embed cars/*.toml cars/*.tir
var carFiles embed.FS

// Cars lists the built-in cars.
func Cars() []string { return builtinNames(carFiles, "cars") }

// builtinNames lists the TOML files in an embedded folder, without their extension.
func builtinNames(files embed.FS, folder string) (names []string) {
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic(err) // not possible: the folder is embedded in the program
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok {
			names = append(names, name)
		}
	}
	return names
}

// readBuiltinCar returns the text of a built-in car's file and the file name to use in errors; ok reports
// whether there is such a car.
func readBuiltinCar(name string) (data []byte, file string, ok bool) {
	if !slices.Contains(Cars(), name) {
		return nil, "", false
	}
	file = "cars/" + name + ".toml"
	data, err := carFiles.ReadFile(file)
	return data, file, err == nil
}

// readBuiltinFile is a fileReader for built-in cars, whose files are embedded.
func readBuiltinFile(_, file string) ([]byte, string, error) {
	path := "cars/" + file
	data, err := carFiles.ReadFile(path)
	return data, path, err
}

// carFile is the file of a car: the built-in car that it starts from, and the parameters that it changes.
type carFile struct {
	Base string `toml:"base"` // the built-in car whose keys this file changes; empty is the plain car
	sim.Params
	// how the window shows the car
	Model model.Config `toml:"model"`
}

// Validate reports every parameter that is out of range.
func (f *carFile) Validate() error {
	return errors.Join(f.Params.Validate(), valid.WithPrefix("model", f.Model.Validate()))
}

// decodeCar decodes a car's file over its base car, and reads its tire and mesh files with read.
func decodeCar(name string, data []byte, read fileReader) (sim.Params, error) {
	return decodeCarWith(Decode, name, data, read)
}

// decodeCarWith is decodeCar with a function that decodes the file's text.
func decodeCarWith(decode func(name string, data []byte, v validator) error, name string, data []byte, read fileReader) (sim.Params, error) {
	start, err := loadBase(name, data)
	if err != nil {
		return sim.Params{}, err
	}
	f := carFile{Params: start, Model: model.DefaultConfig()}
	if err := decode(name, data, &f); err != nil {
		return sim.Params{}, err
	}
	dropChangedTires(&start, &f.Params)
	if err := loadTires(name, data, &f.Params, read); err != nil {
		return sim.Params{}, err
	}
	return f.Params, loadMesh(name, data, &f.Params, read)
}

// loadBase returns the car that a car's file starts from. It reports only a base that is not known; Decode
// reports other errors in the file.
func loadBase(name string, data []byte) (sim.Params, error) {
	var head struct {
		Base any `toml:"base"`
	}
	base := "" // the default car
	if decodeLenient(data, &head) == nil {
		if own, given := head.Base.(string); given {
			base = own
		}
	}
	if base == "" {
		return sim.DefaultCar(), nil
	}
	text, file, ok := readBuiltinCar(base)
	if !ok {
		return sim.Params{}, locate(name, data, valid.OneOf("base", base, Cars()...))
	}
	unchecked := func(_ string, data []byte, v validator) error { return decodeLenient(data, v) } // a built-in car is valid
	return decodeCarWith(unchecked, file, text, readBuiltinFile)
}
