// Package evdev is one kernel input node: what it is, what its axes and
// buttons say, and the force it can make.
//
// Discovery goes through go-evdev, which opens, asks and closes. Driving does
// not: a Node is a descriptor of our own on the same file, non-blocking, read
// without allocation, with the force-feedback calls of linux/input.h.
//
// Values keep the device's own units and signs: ABS_X grows to the right.
//
// Whoever reads an input node shares it (Share): all read on the loop's thread, one descriptor holds a grab for all,
// and Input.Next lets each see every event. The lock of shared nodes is never held over a call that may block in a
// driver. Keeper is the one hotplug.
package evdev

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	goevdev "github.com/holoplot/go-evdev"
	"golang.org/x/sys/unix"
)

// Event types and codes of linux/input-event-codes.h that this project names.
const (
	EvSyn uint16 = 0x00
	EvKey uint16 = 0x01
	EvAbs uint16 = 0x03
	EvFF  uint16 = 0x15

	SynReport  uint16 = 0
	SynDropped uint16 = 3

	AbsX     uint16 = 0x00
	AbsY     uint16 = 0x01
	AbsZ     uint16 = 0x02
	AbsRX    uint16 = 0x03
	AbsRY    uint16 = 0x04
	AbsRZ    uint16 = 0x05
	AbsWheel uint16 = 0x08
	AbsGas   uint16 = 0x09
	AbsBrake uint16 = 0x0a
	AbsHat0X uint16 = 0x10
	AbsHat3Y uint16 = 0x17
)

// absCodes and keyCodes are how many codes the kernel's bitmaps hold.
const (
	absCodes = 0x40
	keyCodes = 0x300
)

// ErrGone tells that the device was unplugged.
var ErrGone = fmt.Errorf("evdev: device is gone: %w", unix.ENODEV)

// preferredKeys are the names people know for codes that have several.
var preferredKeys = map[uint16]string{0x120: "BTN_TRIGGER", 0x130: "BTN_SOUTH", 0x2c0: "BTN_TRIGGER_HAPPY1"}

// AbsName returns the kernel's name of an axis, such as "ABS_X".
func AbsName(code uint16) string {
	return nameOr(goevdev.ABSToString[goevdev.EvCode(code)], "ABS", code)
}

// KeyName returns the kernel's name of a button or key, such as "BTN_TRIGGER".
func KeyName(code uint16) string {
	if n, ok := preferredKeys[code]; ok {
		return n
	}
	return nameOr(goevdev.KEYToString[goevdev.EvCode(code)], "KEY", code)
}

func ffName(code uint16) string { return nameOr(goevdev.FFToString[goevdev.EvCode(code)], "FF", code) }

func nameOr(name, kind string, code uint16) string {
	if name != "" {
		return name
	}
	return fmt.Sprintf("%s_0x%x", kind, code)
}

// AbsCode returns the axis called name.
func AbsCode(name string) (uint16, error) {
	if c, ok := goevdev.ABSFromString[strings.ToUpper(name)]; ok && c < absCodes {
		return uint16(c), nil
	}
	if c, ok := numbered(name, "ABS", absCodes); ok {
		return c, nil
	}
	return 0, fmt.Errorf("evdev: no axis is called %q; use a name as `rig devices` shows it, such as ABS_Z", name)
}

// KeyCode returns the button or key called name.
func KeyCode(name string) (uint16, error) {
	if c, ok := goevdev.KEYFromString[strings.ToUpper(name)]; ok && c < keyCodes {
		return uint16(c), nil
	}
	if c, ok := numbered(name, "KEY", keyCodes); ok {
		return c, nil
	}
	return 0, fmt.Errorf("evdev: no button is called %q; use a name as `rig devices --watch` shows it, such as BTN_TOP2", name)
}

// numbered reads back what nameOr writes for codes without a name, such as KEY_0x12c:
// the first gears of Logitech's levers are among them.
func numbered(name, kind string, codes uint64) (uint16, bool) {
	digits, ok := strings.CutPrefix(strings.ToUpper(name), kind+"_0X")
	c, err := strconv.ParseUint(digits, 16, 16)
	return uint16(c), ok && err == nil && c < codes
}

// explain adds the remedy to an error from opening path.
func explain(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("evdev: %s: %w; install the udev rule 70-rig.rules, or add yourself to the group input and log in again", path, err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENODEV), errors.Is(err, unix.ENXIO):
		return fmt.Errorf("evdev: %s: %w; plug the device in", path, err)
	default:
		return fmt.Errorf("evdev: %s: %w", path, err)
	}
}
