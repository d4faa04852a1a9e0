package wheel

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"rig.example/rig/internal/evdev"
)

// attrs are the settings that a driver shows as files.
type attrs struct {
	read  func(name string) (string, error)
	write func(name, value string) error
}

// attrsOf returns the settings of the device behind an input node; root is /sys, and
// another in tests. All drivers that have any put them into its folder: hid-lg4ff,
// hid-logitech-hidpp, hid-tmff2, hid-t150, hid-fanatecff, simagic-ff.
func attrsOf(root, node string) attrs {
	dir := evdev.DeviceFolder(root, node)
	return attrs{
		read:  func(name string) (string, error) { return evdev.Attr(dir, name) },
		write: func(name, value string) error { return evdev.SetAttr(dir, name, value) },
	}
}

// number reads a whole number; fs.ErrNotExist tells that the driver has no such setting.
func (a attrs) number(name string) (int, error) {
	text, err := a.read(name)
	if err != nil {
		return 0, fmt.Errorf("wheel: %w", err)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("wheel: %s = %q is no whole number; update the wheel's driver", name, text)
	}
	return n, nil
}

// setting is a driver's setting and its value.
type setting struct{ name, value string }

// change writes a setting, and adds what it was to kept unless it was that
// already. A driver without it is left alone.
func (a attrs) change(kept []setting, to setting) ([]setting, error) {
	was, err := a.read(to.name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && was == to.value {
		return kept, nil
	}
	if err != nil {
		return kept, fmt.Errorf("wheel: %w", err)
	}
	if err := a.write(to.name, to.value); err != nil {
		return kept, err
	}
	return append(kept, setting{to.name, was}), nil
}

// restore writes kept settings back, the last first.
func (a attrs) restore(kept []setting) error {
	var errs []error
	for i := len(kept) - 1; i >= 0; i-- {
		errs = append(errs, a.write(kept[i].name, kept[i].value))
	}
	return errors.Join(errs...)
}
