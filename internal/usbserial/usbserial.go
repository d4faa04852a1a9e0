// Package usbserial tells what the system knows of a serial line on USB: whose adapter it is, and
// whether udev keeps ModemManager away from it, whose probing would move a platform. In goes the
// line's path; out come its ids, a udev rule and a warning. It never opens a line.
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

// Line is what the system knows of a serial line on USB.
type Line struct {
	Vendor, Product evdev.ID
	Guarded         bool // udev keeps ModemManager away from it
}

// Lookup returns what the system knows of the line at path; ok is false where it is not on USB.
// root is "", and another in tests.
func Lookup(root, path string) (l Line, ok bool) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	folder, err := filepath.EvalSymlinks(filepath.Join(root, "/sys/class/tty", filepath.Base(real), "device"))
	if err != nil {
		return l, false
	}
	const levels = 4 // from a port of an adapter over its interface to its device
	for range levels {
		vendor, errV := usbNumber(folder, "idVendor")
		product, errP := usbNumber(folder, "idProduct")
		if errV == nil && errP == nil {
			return Line{vendor, product, ignored(root, filepath.Base(real))}, true
		}
		folder = filepath.Dir(folder)
	}
	return l, false
}

func usbNumber(folder, name string) (evdev.ID, error) {
	text, err := evdev.Attr(folder, name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(text, 16, 16)
	return evdev.ID(n), err
}

// ignored reports whether udev's record of a line tells ModemManager to leave it alone.
func ignored(root, name string) bool {
	number, err := evdev.Attr(filepath.Join(root, "/sys/class/tty", name), "dev")
	if err != nil {
		return false
	}
	record, err := os.ReadFile(filepath.Join(root, "/run/udev/data/c"+number))
	return err == nil && bytes.Contains(append([]byte("\n"), record...), []byte("\nE:ID_MM_DEVICE_IGNORE=1\n"))
}

// Rule returns what a user's own file of udev rules says of such a line, for it to count as a
// motion controller in 70-rig.rules.
func (l Line) Rule() string {
	return fmt.Sprintf(`SUBSYSTEM=="tty", SUBSYSTEMS=="usb", ATTRS{idVendor}=="%v", ATTRS{idProduct}=="%v", ENV{RIG_CONTROLLER}="1"`, l.Vendor, l.Product)
}

// RulesFile is where that file is. Its name sorts before 70-rig.rules.
const RulesFile = "/etc/udev/rules.d/69-rig-own.rules"

// Check warns of a controller's line that ModemManager may talk to. root is "", and another in
// tests; add is called once for a warning, if at all.
func Check(root, port string, add func(level, where, what, remedy string)) {
	l, usb := Lookup(root, port)
	if !usb || l.Guarded || unix.Access(filepath.Join(root, "/run/udev/data"), unix.X_OK) != nil {
		return
	}
	add("warning", "platform", port+": udev does not keep ModemManager away from it, whose probing would move the platform",
		"put into "+RulesFile+": "+l.Rule()+" and plug the controller in again; see docs/motion.md")
}

// Warn logs what Check finds, for those who did not run the check.
func Warn(root, port string, log *slog.Logger) {
	Check(root, port, func(_, _, what, remedy string) { log.Warn(what, "remedy", remedy) })
}
