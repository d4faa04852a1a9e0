// Package picture writes drawings into the files that flags name.
package picture

import (
	"fmt"
	"io"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/tools/lab/chart"
)

// Drawing can be drawn in a format: svg or png.
type Drawing interface {
	Render(format string) ([]byte, error)
}

// CheckName returns an error about flag unless path is empty or ends with .svg or .png.
func CheckName(flag, path string) error {
	if _, ok := chart.Format(path); !ok && path != "" {
		return &config.Problem{File: flag, Text: fmt.Sprintf("%q: end the name with .svg or .png", path)}
	}
	return nil
}

// Write draws d into the file path, which flag names and which must not be empty. Errors while writing begin with
// subject.
func Write(d Drawing, subject, flag, path string) error {
	if err := CheckName(flag, path); err != nil {
		return err
	}
	format, _ := chart.Format(path)
	data, err := d.Render(format)
	if err != nil {
		return err
	}
	return sink.Sink{Command: subject, Path: path}.Fill(func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
