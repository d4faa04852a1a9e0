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
	"strconv"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/evdev"
)

// Line describes a serial line on USB.
type Line struct {
	Vendor, Product       evdev.ID
	IgnoredByModemManager bool // udev makes ModemManager ignore it
}

// Lookup returns the description of the line at path; ok is false if the line is not on USB. root is the
// folder that stands for /, "" except in tests.
func Lookup(root, path string) (l Line, ok bool) {
	device, err := filepath.EvalSymlinks(path)
	if err != nil {
		device = path
	}
	folder, err := filepath.EvalSymlinks(filepath.Join(root, "/sys/class/tty", filepath.Base(device), "device"))
	if err != nil {
		return l, false
	}
	const levels = 4 // folders from the port of an adapter up to its USB device
	for range levels {
		vendor, errV := readUSBID(folder, "idVendor")
		product, errP := readUSBID(folder, "idProduct")
		if errV == nil && errP == nil {
			return Line{vendor, product, modemManagerIgnores(root, filepath.Base(device))}, true
		}
		folder = filepath.Dir(folder)
	}
	return l, false
}

// readUSBID reads a hexadecimal id, such as idVendor, from the folder of a USB device.
func readUSBID(folder, name string) (evdev.ID, error) {
	text, err := evdev.Attr(folder, name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(text, 16, 16)
	return evdev.ID(n), err
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

// Check calls add with a warning if ModemManager may probe port, the path of a motion controller's line. root is
// as for Lookup.
func Check(root, port string, add func(level, where, what, remedy string)) {
	l, usb := Lookup(root, port)
	if !usb || l.IgnoredByModemManager || unix.Access(filepath.Join(root, "/run/udev/data"), unix.X_OK) != nil {
		return
	}
	add("warning", "platform", port+": ModemManager does not ignore it; its probing would move the platform",
		"add to "+RulesFile+": "+l.Rule()+" and plug the controller in again; see docs/controllers.md")
}

// Warn logs the warning of Check, if there is one.
func Warn(root, port string, log *slog.Logger) {
	Check(root, port, func(_, _, what, remedy string) { log.Warn(what, "remedy", remedy) })
}
