package config

import (
	"fmt"
	"path/filepath"

	"rig.example/rig/sim"
)

// CarFiles are the texts that a user's car consists of.
type CarFiles struct {
	Name string            `json:"name"`           // of its file, without the folder
	Text string            `json:"text"`           // of its file
	Refs map[string]string `json:"refs,omitempty"` // texts of the files that it names, by these names
}

// LoadCarFiles loads a car as LoadCar does, and returns the texts that it read, or nil for a built-in car.
func LoadCarFiles(name string) (sim.Params, *CarFiles, error) {
	if !isPath(name) {
		p, err := LoadCar(name)
		return p, nil, err
	}
	data, err := readText(name)
	if err != nil {
		return sim.Params{}, nil, err
	}
	f := &CarFiles{Name: filepath.Base(name), Text: string(data), Refs: map[string]string{}}
	p, err := decodeCar(name, data, func(name, file string) ([]byte, string, error) {
		text, path, err := readBeside(name, file)
		f.Refs[file] = string(text)
		return text, path, err
	})
	return p, f, err
}

// Car returns the car of these texts, changed by KEY=VALUE arguments.
func (f *CarFiles) Car(set ...string) (sim.Params, error) {
	p, err := decodeCar(f.Name, []byte(f.Text), func(_, file string) ([]byte, string, error) {
		text, ok := f.Refs[file]
		if !ok {
			return nil, file, fmt.Errorf("%s is not in the recording", file)
		}
		return []byte(text), file, nil
	})
	if err == nil {
		err = applyArguments(&p, set, readBeside)
	}
	return p, err
}
