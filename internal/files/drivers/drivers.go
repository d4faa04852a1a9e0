// Package drivers keeps the profiles of the people who share a rig: what each has set, what each has chosen in the window,
// and each one's records.
//
// Its inputs are names of drivers, a configuration, and what a drive publishes; its outputs are files, and a configuration
// that is overlaid by a driver's profile. It moves nothing, and no profile can change what protects the driver
// (config.Config.ApplyDriver).
package drivers

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
)

// Store is the folder of the drivers' files.
type Store struct {
	Dir     string
	useFile string // says who drives
}

// StoreOf returns the store of a configuration: in profiles_dir, or else in the user's configuration folder.
func StoreOf(cfg config.Config) (Store, error) {
	profiles, err := cfg.ProfileStore()
	if err != nil {
		return Store{}, err
	}
	s := Store{Dir: filepath.Join(filepath.Dir(profiles.Dir), "drivers"), useFile: filepath.Join(profiles.Dir, "driver.toml")}
	if cfg.Profiles != "" { // the folder above may be another's
		s.Dir = filepath.Join(profiles.Dir, "drivers")
	}
	return s, nil
}

// Endings of a driver's files.
const (
	profileEnding = ".toml"         // the keys of the configuration
	windowEnding  = ".window.toml"  // what the driver has chosen in the window
	recordsEnding = ".records.toml" // best laps and sectors
)

// endings are those of all files of a driver, the profile last: it makes the driver exist.
var endings = []string{windowEnding, recordsEnding, profileEnding}

// Profile returns the path of a driver's profile.
func (s Store) Profile(name string) string { return filepath.Join(s.Dir, name+profileEnding) }

// Window returns the path of what a driver has chosen in the window.
func (s Store) Window(name string) string { return filepath.Join(s.Dir, name+windowEnding) }

// recordsPath returns the path of a driver's records.
func (s Store) recordsPath(name string) string { return filepath.Join(s.Dir, name+recordsEnding) }

// WindowFile returns the path of what is chosen in the window: the driver's, or that of all without one.
func WindowFile(cfg config.Config) (string, error) {
	s, err := StoreOf(cfg)
	if err != nil {
		return "", err
	}
	if cfg.Driver == "" {
		return filepath.Join(filepath.Dir(s.useFile), "display.toml"), nil
	}
	return s.Window(cfg.Driver), nil
}

// Names lists the drivers.
func (s Store) Names() (names []string, err error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), profileEnding); ok && config.CheckDriverName(name) == nil {
			names = append(names, name)
		}
	}
	return names, err
}

// Text returns the text of a driver's profile.
func (s Store) Text(name string) ([]byte, error) {
	if err := config.CheckDriverName(name); err != nil {
		return nil, err
	}
	text, err := userfile.Read(s.Profile(name), userfile.MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("driver %q: not found; %s", name, s.known(name))
	}
	if err != nil {
		return nil, fmt.Errorf("driver %q: %s: %w", name, s.Profile(name), err)
	}
	return userfile.WithoutBOM(text), nil
}

// known says which drivers there are, and how to make one.
func (s Store) known(name string) string {
	text := fmt.Sprintf("run `rig driver new %s`", name)
	if names, _ := s.Names(); len(names) > 0 {
		text = fmt.Sprintf("choose %s, or %s", strings.Join(names, ", "), text)
	}
	return text
}

// Apply decides who drives and overlays cfg by that driver's profile. flag is the name that the user gives, "none" for
// nobody; if it is empty, the driver of `rig driver use` drives, or else that of the configuration. cfg.Driver is then
// the driver's name, or "". Nobody drives if this user may not know who does (UseProblem).
func Apply(cfg *config.Config, flag string) error {
	name := flag
	if name == "" {
		name = cfg.Driver
	}
	cfg.Driver = ""
	if name == config.NoDriver {
		return nil
	}
	s, err := StoreOf(*cfg)
	switch {
	case err != nil && name == "":
		return nil // without a folder there are none
	case err != nil:
		return err
	}
	if flag == "" {
		used, err := s.InUse()
		switch {
		case errors.Is(err, fs.ErrPermission):
			return nil // UseProblem tells
		case err != nil:
			return err
		case used != "":
			name = used
		}
	}
	if name == "" {
		return nil
	}
	text, err := s.Text(name)
	if err != nil {
		return err
	}
	if err := cfg.ApplyDriver(s.Profile(name), text); err != nil {
		return err
	}
	cfg.Driver = name
	return nil
}

// use are the contents of the file that says who drives.
type use struct {
	Driver string `toml:"driver"`
}

// Validate reports a name that cannot be a driver's.
func (u use) Validate() error {
	if err := config.CheckDriverName(u.Driver); err != nil {
		return fmt.Errorf("driver = %w", err)
	}
	return nil
}

// InUse returns the driver of `rig driver use`, or "".
func (s Store) InUse() (string, error) {
	text, err := userfile.Read(s.useFile, userfile.MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.useFile, err)
	}
	var u use
	if err := config.Decode(s.useFile, text, &u); err != nil {
		return "", err
	}
	return u.Driver, nil
}

// UseProblem returns why this user may not know the driver of `rig driver use`, or nil. It is nil too if flag names who
// drives, or nobody.
func UseProblem(cfg config.Config, flag string) error {
	if flag != "" {
		return nil
	}
	s, err := StoreOf(cfg)
	if err != nil {
		return nil // Apply tells
	}
	if _, err = s.InUse(); !errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return fmt.Errorf("%w: nobody in particular drives; let its owner run `chmod a+r` on it and `chmod a+rx` on its folder, or name who drives by --driver", err)
}

// Use lets a driver drive when no other is named; "none" ends it.
func (s Store) Use(name string) error {
	if name == config.NoDriver {
		if err := os.Remove(s.useFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if _, err := s.Text(name); err != nil {
		return err
	}
	text, err := config.SetKeys(nil, map[string]any{"driver": name})
	if err != nil {
		return err
	}
	return write(s.useFile, text)
}

// New makes a driver of what a configuration sets for its driver and what was chosen in the window. It returns the
// profile's path, and that of a new folder with what was left of an earlier driver of that name, or "".
func (s Store) New(name string, cfg config.Config) (path, kept string, err error) {
	if err := config.CheckDriverName(name); err != nil {
		return "", "", err
	}
	text, err := newProfile(cfg)
	if err != nil {
		return "", "", err
	}
	unlock, err := s.lock(name)
	if err != nil {
		return "", "", err
	}
	defer unlock()
	path = s.Profile(name)
	if _, err := os.Lstat(path); err == nil {
		return "", "", fmt.Errorf("driver %q: exists: %s; choose another name, or run `rig driver delete %s`", name, path, name)
	}
	if kept, err = s.moveAway(name); err != nil {
		return "", kept, err
	}
	if err := s.copyWindow(name, cfg); err != nil {
		return "", kept, err
	}
	return path, kept, write(path, text)
}

// newProfile returns the text of a new profile: what a configuration sets for its driver.
func newProfile(cfg config.Config) ([]byte, error) {
	keys, err := config.DriverKeys(cfg)
	if err != nil {
		return nil, err
	}
	return config.SetKeys([]byte("# What belongs to this driver, as keys of rig.toml: see docs/configuration.md. It counts more than rig.toml.\n"), keys)
}

// copyWindow gives a driver what was chosen in the window.
func (s Store) copyWindow(name string, cfg config.Config) error {
	window, err := WindowFile(cfg)
	if err != nil {
		return err
	}
	chosen, err := userfile.Read(window, userfile.MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return write(s.Window(name), chosen)
}

// Delete deletes a driver, and returns the path of a new folder with copies of the files.
func (s Store) Delete(name string) (kept string, err error) {
	if _, err := s.Text(name); err != nil {
		return "", err
	}
	unlock, err := s.lock(name)
	if err != nil {
		return "", err
	}
	defer unlock()
	if kept, err = s.moveAway(name); err != nil {
		return "", err
	}
	if used, err := s.InUse(); err != nil || used != name {
		return kept, err
	}
	return kept, s.Use(config.NoDriver)
}

// moveAway moves the files of a driver into a new folder, whose path it returns, or "" if there are none. The caller
// holds the lock.
func (s Store) moveAway(name string) (kept string, err error) {
	for _, ending := range endings {
		path := filepath.Join(s.Dir, name+ending)
		text, err := userfile.Read(path, userfile.MaxText)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && kept == "" {
			kept, err = s.newKept(name)
		}
		if err == nil {
			err = write(filepath.Join(kept, name+ending), text)
		}
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil {
			return kept, err
		}
	}
	return kept, nil
}

// newKept makes a folder for the files of a driver who is deleted.
func (s Store) newKept(name string) (string, error) {
	for n := 1; ; n++ {
		kept := filepath.Join(s.Dir, fmt.Sprintf("deleted-%s-%d", name, n))
		if err := sink.MakeOneFolder(kept, folderMode); !errors.Is(err, fs.ErrExist) {
			return kept, err
		}
	}
}

// Keep sets keys in the profile of the driver for whom cfg is; all else in it stays. The error names the keys that cannot
// be set; the others are.
func (s Store) Keep(cfg config.Config, keys map[string]any) error {
	name := cfg.Driver
	if len(keys) == 0 {
		return nil
	}
	unlock, err := s.lock(name)
	if err != nil {
		return err
	}
	defer unlock()
	text, err := s.Text(name)
	if err != nil {
		return err
	}
	changed, err := s.withKeys(cfg, text, keys)
	if err != nil {
		changed, err = s.withKeysThatFit(cfg, text, keys)
	}
	if bytes.Equal(changed, text) {
		return err
	}
	return errors.Join(err, rewrite(s.Profile(name), changed))
}

// withKeys returns the text of a profile with keys, or as it is with an error if that would not load.
func (s Store) withKeys(cfg config.Config, text []byte, keys map[string]any) ([]byte, error) {
	path := s.Profile(cfg.Driver)
	changed, err := config.SetKeys(text, keys)
	if err != nil {
		return text, fmt.Errorf("%s: %w", path, err)
	}
	if err := cfg.ApplyDriver(path, changed); err != nil {
		return text, err
	}
	return changed, nil
}

// withKeysThatFit returns the text of a profile with those of the keys that can be set, and an error that names the others.
func (s Store) withKeysThatFit(cfg config.Config, text []byte, keys map[string]any) ([]byte, error) {
	if _, err := s.withKeys(cfg, text, nil); err != nil {
		return text, err // it is wrong already
	}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		var err error
		if text, err = s.withKeys(cfg, text, map[string]any{key: keys[key]}); err != nil {
			errs = append(errs, err)
		}
	}
	return text, errors.Join(errs...)
}
