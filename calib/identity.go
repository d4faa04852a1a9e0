package calib

import (
	"fmt"
	"strings"

	"rig.example/rig/internal/evdev"
)

// Identity tells one device from all others.
type Identity struct {
	Name    string `toml:"name"` // for people
	Vendor  uint16 `toml:"vendor"`
	Product uint16 `toml:"product"`
	Version uint16 `toml:"device_version"`
	Uniq    string `toml:"uniq"` // serial number, often empty
	Phys    string `toml:"phys"` // where it was plugged in
}

// IdentityOf returns the identity of a discovered device.
func IdentityOf(i evdev.Info) Identity {
	return Identity{i.Name, uint16(i.Vendor), uint16(i.Product), uint16(i.Version), i.Uniq, i.Phys}
}

// model is the part of the file name that all devices of one model share.
func (id Identity) model() string {
	return fmt.Sprintf("%04x-%04x-%04x", id.Vendor, id.Product, id.Version)
}

// file is a file name without folder, kind or ending: the model, then the
// serial number, or the place where the device has none.
func (id Identity) file() string {
	own := id.Uniq
	if own == "" {
		own = id.Phys
	}
	return id.model() + "-" + safe(own)
}

// maxOwn keeps file names far below what file systems take.
const maxOwn = 80

// safe keeps letters, digits and dots inside; all else becomes a dash.
func safe(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return '-'
	}, s)
	s = strings.Trim(s[:min(len(s), maxOwn)], "-.")
	if s == "" {
		return "any"
	}
	return s
}

func checkAxisName(field, name string) error {
	if err := axisNameProblem(name); err != nil {
		return fmt.Errorf("calib: %s: %w", field, err)
	}
	return nil
}

func axisNameProblem(name string) error {
	_, err := evdev.AbsCode(name)
	return err
}
