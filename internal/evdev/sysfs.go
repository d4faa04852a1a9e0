package evdev

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// DeviceFolder is where the driver of an input node, such as /dev/input/event5 or a link to
// it, shows its settings: the HID (or other) device's folder, which may not exist. root is
// /sys, and another in tests.
func DeviceFolder(root, node string) string {
	if real, err := filepath.EvalSymlinks(node); err == nil {
		node = real
	}
	return filepath.Join(root, "class/input", filepath.Base(node), "device/device")
}

func driverOf(path string) string {
	link, err := os.Readlink(filepath.Join(DeviceFolder("/sys", path), "driver"))
	if err != nil {
		return "" // made by uinput, or not a HID device
	}
	return filepath.Base(link)
}

// Attr reads a setting, such as "range" [deg] or "autocenter", in a device's folder.
// fs.ErrNotExist tells that the driver has no such setting.
func Attr(folder, name string) (string, error) {
	f, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		return "", fmt.Errorf("evdev: %w", err)
	}
	defer f.Close()
	b := make([]byte, 256) // os.ReadFile takes 4 kB for any, which stay until garbage is collected
	n, err := f.Read(b)
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("evdev: %w", err)
	}
	return strings.TrimSpace(string(b[:n])), nil
}

// SetAttr writes a setting. It never creates: sysfs refuses that with an error that misleads.
func SetAttr(folder, name, value string) error {
	f, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("evdev: %w; install the udev rule 70-rig.rules, which opens it to the group input", err)
	}
	if err != nil {
		return fmt.Errorf("evdev: %w", err)
	}
	_, err = f.WriteString(value)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("evdev: %w", err)
	}
	return nil
}
