// Package tunings keeps saved tunings of the motion, by name, and which one each car uses.
//
// Its inputs are the factors that a driver has found, and a configuration; its outputs are files beside the calibration
// profiles, and a configuration with the factors of the tuning in use. It moves nothing.
package tunings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/internal/kit/valid"
)

// Store is the folder of the tunings.
type Store struct{ Dir string }

// StoreOf returns the store of a configuration.
func StoreOf(cfg config.Config) (Store, error) {
	profiles, err := cfg.ProfileStore()
	return Store{profiles.Dir}, err
}

// saved are the contents of a tuning's file.
type saved struct {
	Tuning config.Tuning `toml:"tuning"`
}

// Validate reports every factor that is out of range.
func (s saved) Validate() error { return s.Tuning.Validate() }

// uses are the contents of the file that says what is in use.
type uses struct {
	List []Use `toml:"use" count:"0..200"`
}

// Use is a tuning that a car uses.
type Use struct {
	Car    string `toml:"car" json:"car"`       // name of the car; empty for all others
	Tuning string `toml:"tuning" json:"tuning"` // name of the tuning
}

// Validate reports what cannot be used.
func (u uses) Validate() error {
	errs := []error{valid.Struct(u)}
	for i, x := range u.List {
		if err := CheckName(x.Tuning); err != nil {
			errs = append(errs, fmt.Errorf("use[%d].tuning: %w", i, err))
		}
	}
	return errors.Join(errs...)
}

const (
	prefix  = "motion-"
	useFile = "motion.toml"
)

var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)

// CheckName returns an error unless name can be that of a tuning.
func CheckName(name string) error {
	if !namePattern.MatchString(name) {
		return fmt.Errorf("%q: a tuning's name must be 1 to 40 letters, digits, - or _", name)
	}
	return nil
}

func (s Store) path(name string) string { return filepath.Join(s.Dir, prefix+name+".toml") }

// read decodes a file of the store into v. A file that does not exist is fs.ErrNotExist.
func read(path string, v interface{ Validate() error }) error {
	text, err := userfile.Read(path, userfile.MaxText)
	if err != nil {
		return err
	}
	return config.Decode(path, text, v)
}

// write replaces a file of the store.
func (s Store) write(path string, v any) error {
	text, err := toml.Marshal(v)
	if err == nil {
		err = os.MkdirAll(s.Dir, 0o700)
	}
	if err == nil {
		err = sink.Replace(path, 0o600, func(f *os.File) error { _, err := f.Write(text); return err })
	}
	return err
}

// Save saves a tuning. The former one of that name is kept as NAME.toml.bak. It returns the path.
func (s Store) Save(name string, t config.Tuning) (string, error) {
	if err := errors.Join(CheckName(name), t.Validate()); err != nil {
		return "", err
	}
	path := s.path(name)
	if text, err := userfile.Read(path, userfile.MaxText); err == nil {
		if err := sink.Replace(path+".bak", 0o600, func(f *os.File) error { _, err := f.Write(text); return err }); err != nil {
			return "", err
		}
	}
	return path, s.write(path, saved{t})
}

// Load returns a tuning.
func (s Store) Load(name string) (config.Tuning, error) {
	if err := CheckName(name); err != nil {
		return config.Tuning{}, err
	}
	t := saved{config.DefaultTuning()}
	err := read(s.path(name), &t)
	if errors.Is(err, fs.ErrNotExist) {
		return t.Tuning, fmt.Errorf("tuning %q: not found; %s", name, s.known())
	}
	return t.Tuning, err
}

func (s Store) known() string {
	names, _ := s.Names()
	if len(names) == 0 {
		return "save one by rig motion profile save NAME"
	}
	return "choose " + strings.Join(names, ", ")
}

// Names lists the saved tunings.
func (s Store) Names() ([]string, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		name, isTuning := strings.CutPrefix(e.Name(), prefix)
		name, isTOML := strings.CutSuffix(name, ".toml")
		if isTuning && isTOML && CheckName(name) == nil {
			names = append(names, name)
		}
	}
	return names, err
}

// Uses returns which cars use which tunings.
func (s Store) Uses() ([]Use, error) {
	var u uses
	err := read(filepath.Join(s.Dir, useFile), &u)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return u.List, err
}

// Use lets a car use a tuning; "" stands for all cars that have none of their own, and the tuning "" ends it.
func (s Store) Use(car, name string) error {
	if name != "" {
		if _, err := s.Load(name); err != nil {
			return err
		}
	}
	list, err := s.Uses()
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(u Use) bool { return u.Car == car })
	if name != "" {
		list = append(list, Use{car, name})
	}
	return s.write(filepath.Join(s.Dir, useFile), uses{list})
}

// Apply sets the factors of the tuning that the configuration's car uses, in place of those of the table [tuning]. It returns
// the tuning's name, or "" if the car uses none.
func Apply(cfg *config.Config) (name string, err error) {
	s, err := StoreOf(*cfg)
	if err != nil {
		return "", nil // without a folder there are none
	}
	list, err := s.Uses()
	if err != nil {
		return "", err
	}
	car := userfile.BaseName(cfg.Car)
	for _, u := range list {
		if u.Car == car || u.Car == "" && name == "" {
			name = u.Tuning
			if u.Car == car {
				break
			}
		}
	}
	if name == "" {
		return "", nil
	}
	cfg.Tuning, err = s.Load(name)
	return name, err
}
