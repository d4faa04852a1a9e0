package calib

import (
	"fmt"
	"strings"

	"rig.example/rig/internal/kit/evdev"
)

// Identity identifies a device among all others.
type Identity struct {
	Name    string `toml:"name"` // for people; not used to find a profile
	Vendor  uint16 `toml:"vendor"`
	Product uint16 `toml:"product"`
	Version uint16 `toml:"device_version"`
	Uniq    string `toml:"uniq"` // serial number, often empty
	Phys    string `toml:"phys"` // port to which it was connected

	Firmware uint16 `toml:"firmware,omitempty"` // version of the firmware at the time; 0: not known. Not used to find a profile
	Driver   string `toml:"driver,omitempty"`   // kernel driver at the time; "": not known. Not used to find a profile
}

// IdentityOf returns the identity of a discovered device.
func IdentityOf(i evdev.Info) Identity {
	return Identity{i.Name, uint16(i.Vendor), uint16(i.Product), uint16(i.Version), i.Uniq, i.Phys, uint16(i.Firmware), i.Driver}
}

// Changed says what has changed at a device since it was calibrated, so that it may count otherwise; "" for nothing.
func (id Identity) Changed(now evdev.Info) string {
	switch {
	case id.Driver != "" && now.Driver != "" && id.Driver != now.Driver:
		return fmt.Sprintf("its driver was %s when it was calibrated, and is %s", id.Driver, now.Driver)
	case id.Firmware != 0 && now.Firmware != 0 && evdev.ID(id.Firmware) != now.Firmware:
		return fmt.Sprintf("its firmware was %s when it was calibrated, and is %s", evdev.ID(id.Firmware), now.Firmware)
	}
	return ""
}

// Is reports whether two identities are those of one device, as the store has it.
func (id Identity) Is(other Identity) bool { return id.fileName() == other.fileName() }

// modelName returns the part of the file name that all devices of one model share.
func (id Identity) modelName() string {
	return fmt.Sprintf("%04x-%04x-%04x", id.Vendor, id.Product, id.Version)
}

// fileName returns the file name of a profile without folder, kind and extension: the model, followed by the
// serial number, or by the port for a device without serial number.
func (id Identity) fileName() string {
	suffix := id.Uniq
	if suffix == "" {
		suffix = id.Phys
	}
	return id.modelName() + "-" + fileSafe(suffix)
}

// maxSuffix limits the length of file names to much less than file systems allow.
const maxSuffix = 80

// fileSafe replaces everything but letters, digits and dots by dashes, and removes dashes and dots at the
// ends.
func fileSafe(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return '-'
	}, s)
	s = strings.Trim(s[:min(len(s), maxSuffix)], "-.")
	if s == "" {
		return "any"
	}
	return s
}
