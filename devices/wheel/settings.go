package wheel

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"rig.example/rig/internal/kit/evdev"
)

// driverSettings reads and writes the settings that a driver offers as files in sysfs.
type driverSettings struct {
	read  func(name string) (string, error)
	write func(name, value string) error
}

// settingsOf returns the settings of the device behind an input node. root is /sys; tests use another
// folder. All drivers with settings offer them in the device's folder: hid-lg4ff, hid-logitech-hidpp,
// hid-tmff2, hid-t150, hid-fanatecff and simagic-ff.
func settingsOf(root, node string) driverSettings {
	dir := evdev.DeviceFolder(root, node)
	return driverSettings{
		read:  func(name string) (string, error) { return evdev.Attr(dir, name) },
		write: func(name, value string) error { return evdev.SetAttr(dir, name, value) },
	}
}

// readInt reads an integer. The error is fs.ErrNotExist if the driver has no such setting.
func (a driverSettings) readInt(name string) (int, error) {
	text, err := a.read(name)
	if err != nil {
		return 0, fmt.Errorf("wheel: %w", err)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("wheel: %s = %q is not an integer; update the wheel's driver", name, text)
	}
	return n, nil
}

// setting is a driver's setting and its value.
type setting struct{ name, value string }

// change writes a setting. If that changes its value, it adds the former value to saved. It does nothing
// if the driver has no such setting.
func (a driverSettings) change(saved []setting, to setting) ([]setting, error) {
	was, err := a.read(to.name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && was == to.value {
		return saved, nil
	}
	if err != nil {
		return saved, fmt.Errorf("wheel: %w", err)
	}
	if err := a.write(to.name, to.value); err != nil {
		return saved, err
	}
	return append(saved, setting{to.name, was}), nil
}

// restore restores saved settings, the last one first.
func (a driverSettings) restore(saved []setting) error {
	var errs []error
	for i := len(saved) - 1; i >= 0; i-- {
		errs = append(errs, a.write(saved[i].name, saved[i].value))
	}
	return errors.Join(errs...)
}
