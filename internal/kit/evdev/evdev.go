// Package evdev reads the kernel's input nodes and plays force-feedback effects on them.
//
// List and Describe find out what a node is, by means of go-evdev. A Node is a descriptor of this
// package on the same file: non-blocking, read without allocation, with the force-feedback calls of
// linux/input.h. An Input follows the axes and buttons of a Node.
//
// Values keep the device's own units and signs: ABS_X grows to the right.
//
// Parts of the rig that read the same node share its Input (Share): all of them read on the loop's
// thread, one descriptor holds a grab for all, and Input.NextEvent gives each of them every event. The
// lock of shared nodes is never held during a call that may block in a driver.
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

// Event types and codes of linux/input-event-codes.h that the rig uses.
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

// absCodes and keyCodes are the numbers of codes in the kernel's bitmaps of axes and of buttons.
const (
	absCodes = 0x40
	keyCodes = 0x300
)

// ErrDisconnected is returned after the device was unplugged or its node closed.
var ErrDisconnected = fmt.Errorf("evdev: device not found: %w", unix.ENODEV)

// preferredKeys has the common names of codes that have several names.
var preferredKeys = map[uint16]string{0x120: "BTN_TRIGGER", 0x130: "BTN_SOUTH", 0x2c0: "BTN_TRIGGER_HAPPY1"}

// AbsName returns the kernel's name of an axis, such as "ABS_X".
func AbsName(code uint16) string {
	return nameOrNumber(goevdev.ABSToString[goevdev.EvCode(code)], "ABS", code)
}

// KeyName returns the kernel's name of a button or key, such as "BTN_TRIGGER".
func KeyName(code uint16) string {
	if n, ok := preferredKeys[code]; ok {
		return n
	}
	return nameOrNumber(goevdev.KEYToString[goevdev.EvCode(code)], "KEY", code)
}

func ffName(code uint16) string {
	return nameOrNumber(goevdev.FFToString[goevdev.EvCode(code)], "FF", code)
}

// nameOrNumber returns name, or if that is empty, a name made of the kind of the code and its number,
// such as KEY_0x12c.
func nameOrNumber(name, kind string, code uint16) string {
	if name != "" {
		return name
	}
	return fmt.Sprintf("%s_0x%x", kind, code)
}

// AbsCode returns the code of the axis called name.
func AbsCode(name string) (uint16, error) {
	if c, ok := goevdev.ABSFromString[strings.ToUpper(name)]; ok && c < absCodes {
		return uint16(c), nil
	}
	if c, ok := parseNumbered(name, "ABS", absCodes); ok {
		return c, nil
	}
	return 0, fmt.Errorf("evdev: axis %q not found; use a name that `rig devices` shows, such as ABS_Z", name)
}

// KeyCode returns the code of the button or key called name.
func KeyCode(name string) (uint16, error) {
	if c, ok := goevdev.KEYFromString[strings.ToUpper(name)]; ok && c < keyCodes {
		return uint16(c), nil
	}
	if c, ok := parseNumbered(name, "KEY", keyCodes); ok {
		return c, nil
	}
	return 0, fmt.Errorf("evdev: button %q not found; use a name that `rig devices --watch` shows, such as BTN_TOP2", name)
}

// parseNumbered parses the names that nameOrNumber makes for codes without a name, such as KEY_0x12c.
// The buttons of the first gears of Logitech's shifters are among them.
func parseNumbered(name, kind string, codes uint64) (uint16, bool) {
	digits, ok := strings.CutPrefix(strings.ToUpper(name), kind+"_0X")
	c, err := strconv.ParseUint(digits, 16, 16)
	return uint16(c), ok && err == nil && c < codes
}

// withRemedy adds what to do to an error from opening path.
func withRemedy(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("evdev: %s: %w; install the udev rule 70-rig.rules, or add yourself to the group input and log in again", path, err)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENODEV), errors.Is(err, unix.ENXIO):
		return fmt.Errorf("evdev: %s: %w; plug the device in", path, err)
	default:
		return fmt.Errorf("evdev: %s: %w", path, err)
	}
}
