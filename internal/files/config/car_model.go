package config

import (
	"path/filepath"

	"rig.example/rig/display/model"
)

// LoadModel returns which files show the car that LoadCar loads by this name, with absolute paths. A built-in car has none.
func LoadModel(name string) (model.Config, error) {
	f := carFile{Model: model.DefaultConfig()}
	if !isPath(name) {
		return f.Model, nil
	}
	data, err := readText(name)
	if err != nil {
		return f.Model, err
	}
	if f.Params, err = loadBase(name, data); err != nil {
		return f.Model, err
	}
	if err := Decode(name, data, &f); err != nil {
		return model.DefaultConfig(), err
	}
	for _, path := range []*string{&f.Model.Body, &f.Model.Cockpit} {
		if *path == "" {
			continue
		}
		if !filepath.IsAbs(*path) {
			*path = filepath.Join(filepath.Dir(name), *path)
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return model.DefaultConfig(), &Problem{File: name, Text: err.Error()}
		}
	}
	return f.Model, nil
}
