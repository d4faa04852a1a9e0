// Package usbserial describes a serial line on USB: the ids of its adapter, and whether udev makes
// ModemManager ignore it. If ModemManager probes the line of a motion controller, the platform moves. The
// path of the line goes in; its ids, a udev rule and a warning come out. The package never opens a line.
package usbserial

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/kit/evdev"
)

// Line describes a serial line on USB.
type Line struct {
	Vendor, Product       evdev.ID
	IgnoredByModemManager bool // udev makes ModemManager ignore it
}

// Lookup returns the description of the line at path; ok is false if the line is not on USB. root is the
// folder that stands for /, "" except in tests.
func Lookup(root, path string) (l Line, ok bool) {
	folder, ok := Folder(root, path)
	if !ok {
		return l, false
	}
	vendor, errV := evdev.USBID(folder, "idVendor")
	product, errP := evdev.USBID(folder, "idProduct")
	return Line{vendor, product, modemManagerIgnores(root, deviceName(path))}, errV == nil && errP == nil
}

// Folder returns the folder in sysfs of the USB device of the line at path; ok and root are as for Lookup.
func Folder(root, path string) (folder string, ok bool) {
	return evdev.USBFolder(filepath.Join(root, "/sys/class/tty", deviceName(path), "device"))
}

// deviceName returns the kernel's name, such as ttyACM0, of the line to which path leads.
func deviceName(path string) string {
	if device, err := filepath.EvalSymlinks(path); err == nil {
		path = device
	}
	return filepath.Base(path)
}

// modemManagerIgnores reports whether udev's record of a line makes ModemManager ignore it.
func modemManagerIgnores(root, name string) bool {
	number, err := evdev.Attr(filepath.Join(root, "/sys/class/tty", name), "dev")
	if err != nil {
		return false
	}
	record, err := os.ReadFile(filepath.Join(root, "/run/udev/data/c"+number))
	return err == nil && bytes.Contains(append([]byte("\n"), record...), []byte("\nE:ID_MM_DEVICE_IGNORE=1\n"))
}

// Rule returns the udev rule that marks the line's adapter as a motion controller, for which 70-rig.rules
// makes ModemManager ignore it.
func (l Line) Rule() string {
	return fmt.Sprintf(`SUBSYSTEM=="tty", SUBSYSTEMS=="usb", ATTRS{idVendor}=="%v", ATTRS{idProduct}=="%v", ENV{RIG_CONTROLLER}="1"`, l.Vendor, l.Product)
}

// RulesFile is the file in which users put the rules that Rule returns. udev reads it before 70-rig.rules,
// because it reads files in the order of their names.
const RulesFile = "/etc/udev/rules.d/69-rig-own.rules"

// Check calls add, with the name of this check, if ModemManager may probe port, the path of a motion controller's
// line. root is as for Lookup.
func Check(root, port string, add func(check, where, what, remedy string)) {
	l, usb := Lookup(root, port)
	if !usb || l.IgnoredByModemManager || unix.Access(filepath.Join(root, "/run/udev/data"), unix.X_OK) != nil {
		return
	}
	add("modemmanager", "platform", port+": ModemManager does not ignore it; its probing would move the platform",
		"see docs/platforms.md; plug the controller in again after this: `echo '"+l.Rule()+"' | sudo tee -a "+RulesFile+" && sudo udevadm control --reload`")
}

// Warn logs the warning of Check, if there is one.
func Warn(root, port string, log *slog.Logger) {
	Check(root, port, func(_, _, what, remedy string) { log.Warn(what, "remedy", remedy) })
}
