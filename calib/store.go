package calib

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/internal/sink"
	"rig.example/rig/internal/source"
)

// Store is the folder that holds the profiles.
type Store struct{ Dir string }

// DefaultStore is in the user's configuration folder: $XDG_CONFIG_HOME, or
// ~/.config where that is not set.
func DefaultStore() (Store, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return Store{}, fmt.Errorf("calib: %w; set HOME, or name a folder for the profiles", err)
	}
	return Store{filepath.Join(dir, "rig", "profiles")}, nil
}

// Wheel reads the profile of a wheel. The error is fs.ErrNotExist where the
// device was never calibrated.
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

// SaveWheel writes p to the file for its device and returns the path. The
// profile before it stays beside it, with the ending .bak.
func (s Store) SaveWheel(p WheelProfile) (string, error) { return s.save("wheel", p.Device, &p) }

// SavePedals writes p as SaveWheel does.
func (s Store) SavePedals(p PedalsProfile) (string, error) { return s.save("pedals", p.Device, &p) }

// profile is what both kinds of profile can do.
type profile interface{ Validate() error }

func (s Store) read(kind string, id Identity, p profile) error {
	path := s.find(kind, id)
	b, err := source.Read(path, source.Text)
	if err != nil {
		return fmt.Errorf("calib: %s: %w; run `rig calibrate %s`", path, err, kind)
	}
	return parse(path, b, p)
}

// find returns the device's own file, or else the only one of its model where
// the device has no serial number: such a device changes its place, and with
// it its name, whenever it is plugged in elsewhere.
func (s Store) find(kind string, id Identity) string {
	own := s.path(kind, id)
	if _, err := os.Stat(own); err == nil || id.Uniq != "" {
		return own
	}
	same, err := filepath.Glob(filepath.Join(globSafe(s.Dir), kind+"-"+id.model()+"-*.toml"))
	if err != nil || len(same) != 1 {
		return own
	}
	return same[0]
}

func (s Store) path(kind string, id Identity) string {
	return filepath.Join(s.Dir, kind+"-"+id.file()+".toml")
}

// globSafe escapes what Glob would take for a pattern.
func globSafe(dir string) string {
	var b bytes.Buffer
	for _, r := range dir {
		if bytes.ContainsRune([]byte(`*?[\`), r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// parse decodes strictly; errors start with file:line:column.
func parse(path string, b []byte, p profile) error {
	const keys = 1000 // and tables: a motor has 64 points
	b, line, err := source.TOML(b, keys)
	if err != nil {
		return fmt.Errorf("calib: %s:%d:1: %w; calibrate again", path, line, err)
	}
	d := toml.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(p); err != nil {
		return fmt.Errorf("calib: %s%w; correct it or calibrate again", position(path, err), err)
	}
	if err := p.Validate(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// position returns "file:line:column: " as far as err knows it.
func position(path string, err error) string {
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
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return "", fmt.Errorf("calib: %w; make the folder writable", err)
	}
	path := s.path(kind, id)
	if err := replace(path, b); err != nil {
		return "", fmt.Errorf("calib: save profile: %w", err)
	}
	return path, nil
}

// replace puts b at path so that at every moment a whole file is there, and
// keeps what was there under the ending .bak.
func replace(path string, b []byte) error {
	const mode = 0o644
	return sink.Replace(path, mode, func(f *os.File) error {
		_, err := f.Write(b)
		if err := errors.Join(err, f.Chmod(mode)); err != nil {
			return err
		}
		return keep(path)
	})
}

// keep links the present file, if any, to its name with .bak. It is a link
// and not a rename, so that path never misses.
func keep(path string) error {
	bak := path + ".bak"
	if err := os.Remove(bak); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Link(path, bak); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
