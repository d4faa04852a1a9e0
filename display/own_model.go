package display

import (
	"fmt"

	"rig.example/rig/display/model"
	"rig.example/rig/display/scene"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/userfile"
)

// CheckModel returns an error in one line if the files of c cannot be shown: file, what is wrong and what to do.
func CheckModel(c model.Config) error {
	_, err := loadModel(c)
	return err
}

// loadModel reads the user's own model of the car. It returns the built-in car with an error.
func loadModel(c model.Config) (own scene.OwnModel, err error) {
	if own.Body, err = readModel("body", c.Body, c, false); err != nil {
		return scene.OwnModel{}, err
	}
	if own.Cockpit, err = readModel("cockpit", c.Cockpit, c, true); err != nil {
		return scene.OwnModel{}, err
	}
	return own, nil
}

// readModel reads the file at path, which key of the car's file names, or returns nil if it names none. The files beside it
// may together be as large as the file.
func readModel(key, path string, c model.Config, bothSides bool) (*model.Model, error) {
	if path == "" {
		return nil, nil
	}
	data, err := userfile.Read(path, model.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("display: model.%s: %s: %w", key, printable.Line(path), err)
	}
	m, err := model.Parse(data, userfile.NextTo(path, model.MaxBytes, userfile.GLTFBuffers...).Read, c, bothSides)
	if err != nil {
		return nil, fmt.Errorf("display: model.%s: %s: %w", key, printable.Line(path), err)
	}
	return m, nil
}
