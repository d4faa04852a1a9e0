package evdev

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// sysDevice returns the sysfs folder of the HID (or other) device that owns
// the node at path; it may not exist.
func sysDevice(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return filepath.Join("/sys/class/input", filepath.Base(path), "device/device")
}

func driverOf(path string) string {
	link, err := os.Readlink(filepath.Join(sysDevice(path), "driver"))
	if err != nil {
		return "" // made by uinput, or not a HID device
	}
	return filepath.Base(link)
}

// Attr reads an integer the driver offers in sysfs, such as "range" [deg] or
// "autocenter", for the device of the node at path.
func Attr(path, name string) (int, error) {
	b, err := os.ReadFile(filepath.Join(sysDevice(path), name))
	if err != nil {
		return 0, fmt.Errorf("evdev: %w", err)
	}
	v, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0, fmt.Errorf("evdev: attribute %s of %s: %w", name, path, err)
	}
	return v, nil
}

// SetAttr writes an integer to an attribute that Attr can read.
func SetAttr(path, name string, v int) error {
	file := filepath.Join(sysDevice(path), name)
	f, err := os.OpenFile(file, os.O_WRONLY, 0) // sysfs refuses creation, so never ask for it
	if err != nil {
		return fmt.Errorf("evdev: %w; install the udev rule 70-rig.rules, which opens it to the group input", err)
	}
	defer f.Close()
	if _, err := f.WriteString(strconv.Itoa(v)); err != nil {
		return fmt.Errorf("evdev: %w", err)
	}
	return nil
}
