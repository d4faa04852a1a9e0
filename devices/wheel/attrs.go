package wheel

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// attrs are the settings that a driver shows as files.
type attrs struct {
	read  func(name string) (string, error)
	write func(name, value string) error
}

// attrsOf returns the settings of the HID device behind an input node, such as
// /dev/input/event5 or a link to it; root is /sys, and another in tests. All
// drivers that have any put them there: hid-lg4ff, hid-logitech-hidpp,
// hid-tmff2, hid-t150, hid-fanatecff, simagic-ff.
func attrsOf(root, node string) attrs {
	dir := hidFolder(root, node)
	return attrs{
		read: func(name string) (string, error) {
			b, err := os.ReadFile(filepath.Join(dir, name))
			return strings.TrimSpace(string(b)), err
		},
		write: func(name, value string) error { return overwrite(filepath.Join(dir, name), value) },
	}
}

// hidFolder is the folder of the HID device behind an input node.
func hidFolder(root, node string) string {
	if real, err := filepath.EvalSymlinks(node); err == nil {
		node = real
	}
	return filepath.Join(root, "class/input", filepath.Base(node), "device/device")
}

// overwrite never creates: sysfs refuses that with an error that misleads.
func overwrite(file, value string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("wheel: %w; install the udev rule 70-rig.rules, which opens it to the group input", err)
	}
	if err != nil {
		return fmt.Errorf("wheel: %w", err)
	}
	_, err = f.WriteString(value)
	return errors.Join(err, f.Close())
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
