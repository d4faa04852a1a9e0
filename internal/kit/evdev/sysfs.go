package evdev

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
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

// HIDRaw returns the raw node, such as /dev/hidraw3, of the HID device behind an input node, "" if there is none.
// root is as for DeviceFolder.
func HIDRaw(root, node string) string {
	found, _ := filepath.Glob(filepath.Join(DeviceFolder(root, node), "hidraw/hidraw*"))
	if len(found) == 0 {
		return ""
	}
	return "/dev/" + filepath.Base(found[0])
}

// USBFolder returns the folder in sysfs of the USB device to which folder, that of one of its parts, belongs. ok
// is false if the part is not on USB.
func USBFolder(folder string) (device string, ok bool) {
	device, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", false
	}
	const levels = 6 // an input node is four below its USB device
	for range levels {
		if _, err := os.Stat(filepath.Join(device, "idVendor")); err == nil {
			return device, true
		}
		device = filepath.Dir(device)
	}
	return "", false
}

// USBID reads a hexadecimal number, such as idVendor or bcdDevice, from the folder of a USB device.
func USBID(folder, name string) (ID, error) {
	text, err := Attr(folder, name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(text, 16, 16)
	return ID(n), err
}

// firmwareOf returns the version of the firmware that the USB device behind an input node states (bcdDevice), 0 if
// it is not on USB.
func firmwareOf(root, node string) ID {
	device, ok := USBFolder(DeviceFolder(root, node))
	if !ok {
		return 0
	}
	version, _ := USBID(device, "bcdDevice")
	return version
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
