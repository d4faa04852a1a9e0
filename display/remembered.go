package display

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/internal/kit/valid"
)

// remembered is what the driver has chosen in the window, and finds again in the next drive.
type remembered struct {
	Fullscreen bool             `toml:"fullscreen"`
	Chosen     bool             `toml:"chosen"`  // Fullscreen was chosen; else the configuration counts
	Monitor    string           `toml:"monitor"` // of the full screen
	Eye        map[string]moved `toml:"eye"`     // by the car's name

	path string // of the file; empty: nothing is kept
}

// moved is how far the driver has moved the eye from the seat's place [m].
type moved struct {
	Ahead float64 `toml:"ahead_m" range:"-1..1"`
	Up    float64 `toml:"up_m" range:"-1..1"`
}

// remember reads the file at path. One that cannot be used is told, and replaced by the next choice; "" keeps nothing.
func remember(path string) (remembered, error) {
	empty := remembered{Eye: map[string]moved{}, path: path}
	if path == "" {
		return empty, nil
	}
	text, err := userfile.Read(path, userfile.MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	r := remembered{Eye: map[string]moved{}}
	if err == nil {
		err = toml.Unmarshal(text, &r)
	}
	if err == nil {
		err = valid.Struct(r)
	}
	if err != nil {
		return empty, fmt.Errorf("display: %s: %w; what was chosen in the window is forgotten", path, err)
	}
	if r.Eye == nil {
		r.Eye = map[string]moved{}
	}
	r.path = path
	return r, nil
}

// save replaces the file.
func (r *remembered) save() error {
	if r.path == "" {
		return nil
	}
	text, err := toml.Marshal(r)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(r.path), 0o700)
	}
	if err == nil {
		err = sink.Replace(r.path, 0o600, func(f *os.File) error { _, err := f.Write(text); return err })
	}
	if err != nil {
		return fmt.Errorf("display: what was chosen in the window is not kept: %w", err)
	}
	return nil
}

const eyeStep = 0.005 // by which a key moves the eye [m]

// move moves the eye in a car by steps ahead and up.
func (r *remembered) move(car string, ahead, up int) {
	m := r.Eye[car]
	m.Ahead = valid.Clamp(m.Ahead+eyeStep*float64(ahead), -1, 1)
	m.Up = valid.Clamp(m.Up+eyeStep*float64(up), -1, 1)
	r.Eye[car] = m
}
