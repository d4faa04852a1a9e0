package calib

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
)

// Store is the folder of the profiles.
type Store struct{ Dir string }

// DefaultStore returns the store in the user's configuration folder, which is $XDG_CONFIG_HOME, or
// ~/.config if that is not set.
func DefaultStore() (Store, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return Store{}, fmt.Errorf("calib: %w; set HOME, or name a folder for the profiles", err)
	}
	return Store{filepath.Join(dir, "rig", "profiles")}, nil
}

// Wheel reads the profile of a wheel. The error is fs.ErrNotExist if the device was never calibrated.
func (s Store) Wheel(id Identity) (WheelProfile, error) {
	var p WheelProfile
	err := s.read("wheel", id, &p)
	return p, err
}

// Pedals reads the profile of pedals, as Wheel does.
func (s Store) Pedals(id Identity) (PedalsProfile, error) {
	var p PedalsProfile
	err := s.read("pedals", id, &p)
	return p, err
}

// SaveWheel writes p to the file for its device and returns the path. It keeps the former profile under the
// same name with the extension .bak.
func (s Store) SaveWheel(p WheelProfile) (string, error) { return s.save("wheel", p.Device, &p) }

// SavePedals writes p as SaveWheel does.
func (s Store) SavePedals(p PedalsProfile) (string, error) { return s.save("pedals", p.Device, &p) }

// profile is a *WheelProfile or a *PedalsProfile.
type profile interface{ Validate() error }

func (s Store) read(kind string, id Identity, p profile) error {
	path := s.profilePath(kind, id)
	b, err := userfile.Read(path, userfile.MaxText)
	if err != nil {
		return fmt.Errorf("calib: %s: %w; run `rig calibrate %s`", path, err, kind)
	}
	return parse(path, b, p)
}

// profilePath returns the path of the device's own file. If that does not exist and the device has no serial
// number, it returns the only file of the same model, because the file name of such a device changes with the
// port to which it is connected.
func (s Store) profilePath(kind string, id Identity) string {
	ownPath := s.ownPath(kind, id)
	if _, err := os.Stat(ownPath); err == nil || id.Uniq != "" {
		return ownPath
	}
	candidates, err := filepath.Glob(filepath.Join(globEscape.Replace(s.Dir), kind+"-"+id.modelName()+"-*.toml"))
	if err != nil || len(candidates) != 1 {
		return ownPath
	}
	return candidates[0]
}

func (s Store) ownPath(kind string, id Identity) string {
	return filepath.Join(s.Dir, kind+"-"+id.fileName()+".toml")
}

// globEscape escapes the characters that Glob would read as a pattern.
var globEscape = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`)

// parse decodes and validates a profile. Unknown keys are errors. Errors begin with file:line:column.
func parse(path string, b []byte, p profile) error {
	const keys = 1000 // limit of keys and tables; a motor has up to 64 points
	b, errorLine, err := userfile.TOML(b, keys)
	if err != nil {
		return fmt.Errorf("calib: %s:%d:1: %w; calibrate again", path, errorLine, err)
	}
	d := toml.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(p); err != nil {
		return fmt.Errorf("calib: %s%w; correct it or calibrate again", errorPosition(path, err), err)
	}
	if err := p.Validate(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// errorPosition returns "file:line:column: ", or "file: " if err has no position.
func errorPosition(path string, err error) string {
	var bad *toml.DecodeError
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		bad = &unknown.Errors[0]
		row, column := bad.Position()
		return fmt.Sprintf("%s:%d:%d: unknown key %q: ", path, row, column, bad.Key())
	}
	if errors.As(err, &bad) {
		row, column := bad.Position()
		return fmt.Sprintf("%s:%d:%d: ", path, row, column)
	}
	return path + ": "
}

func (s Store) save(kind string, id Identity, p profile) (string, error) {
	if err := p.Validate(); err != nil {
		return "", err
	}
	b, err := toml.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("calib: %w", err)
	}
	folder, err := sink.MakeFolder(s.Dir, 0o755)
	if err != nil {
		return "", fmt.Errorf("calib: %w; make the folder writable", err)
	}
	path := s.ownPath(kind, id)
	if err := replaceFile(path, b, folder); err != nil {
		return "", fmt.Errorf("calib: save profile: %w", err)
	}
	return path, nil
}

// replaceFile writes b to path, so that there is a complete file at every moment, and keeps the former file
// with the extension .bak. If root writes, the file belongs to the owner of the folder, who measures again.
func replaceFile(path string, b []byte, folder fs.FileInfo) error {
	const mode = 0o644
	return sink.Replace(path, mode, func(f *os.File) error {
		_, err := f.Write(b)
		if err := errors.Join(err, f.Chmod(mode), sink.OwnLike(f, folder)); err != nil {
			return err
		}
		return sink.KeepBackup(path)
	})
}
