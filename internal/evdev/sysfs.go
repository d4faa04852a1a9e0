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

// DeviceFolder returns the folder in sysfs of the device, such as a HID device, behind an input node, in
// which its driver offers settings. node is a path such as /dev/input/event5, or a link to it. The folder may
// not exist. root is /sys; tests use another folder.
func DeviceFolder(root, node string) string {
	if real, err := filepath.EvalSymlinks(node); err == nil {
		node = real
	}
	return filepath.Join(root, "class/input", filepath.Base(node), "device/device")
}

// driverOf returns the name of the kernel driver of a node's device, "" if there is none.
func driverOf(path string) string {
	link, err := os.Readlink(filepath.Join(DeviceFolder("/sys", path), "driver"))
	if err != nil {
		return "" // made by uinput, or not a HID device
	}
	return filepath.Base(link)
}

// Attr reads a setting, such as "range" [deg] or "autocenter", in a device's folder. The error is
// fs.ErrNotExist if the driver has no such setting.
func Attr(folder, name string) (string, error) {
	f, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		return "", fmt.Errorf("evdev: %w", err)
	}
	defer f.Close()
	b := make([]byte, 256) // instead of os.ReadFile's 4 kB, because no garbage is collected while the car drives
	n, err := f.Read(b)
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("evdev: %w", err)
	}
	return strings.TrimSpace(string(b[:n])), nil
}

// SetAttr writes a setting. It never creates a file: sysfs refuses that with a misleading error.
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
