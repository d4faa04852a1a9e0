package evdev

import (
	"fmt"
	"path/filepath"
)

// ReturningUSB keeps a part of the rig to the USB device with which it began, such as the adapter of a serial line, as
// Returning does for input devices: by vendor and serial number, or by its port.
//
// The zero value has no device yet. One goroutine at a time may use it.
type ReturningUSB struct {
	used  usbIdentity
	lost  bool   // used was lost
	other string // port of another device with its serial number that was there when used was lost, "" if none was
}

// usbIdentity is what tells a USB device from others.
type usbIdentity struct {
	vendor ID
	serial string // often empty
	port   string // such as 1-2.3, "" if there is no device
}

// identityOf returns the identity of the USB device with this folder in sysfs, the zero value if there is none.
func identityOf(folder string) (i usbIdentity) {
	vendor, err := USBID(folder, "idVendor")
	if err != nil {
		return i
	}
	serial, _ := Attr(folder, "serial") // many have none
	return usbIdentity{vendor, serial, filepath.Base(folder)}
}

// Use notes that the part uses a device now, that of a folder as USBFolder returns it. Without a folder the part is not on
// USB, and any device is the same.
func (r *ReturningUSB) Use(folder string) { *r = ReturningUSB{used: identityOf(folder)} }

// Check returns an error that names both devices unless the device of a folder is the one in use. It must be called
// before each attempt to open the device. Messages begin with part; path is what the configuration names.
func (r *ReturningUSB) Check(part, path, folder string) error {
	first := !r.lost
	r.lost = true
	now := identityOf(folder)
	if r.used.port == "" || now.port == "" || r.isSame(now, first) {
		return nil
	}
	return fmt.Errorf("%s: %s is another device now (%s) than when this drive began (%s), and is not used; plug that one in again, or end the drive and begin a new one",
		part, path, now, r.used)
}

// isSame reports whether now is the device in use. first is true for the first attempt after the loss.
func (r *ReturningUSB) isSame(now usbIdentity, first bool) bool {
	u := r.used
	switch {
	case u.vendor != now.vendor:
		return false
	case u.port == now.port:
		return u.serial == now.serial
	case u.serial == "" || u.serial != now.serial:
		return false
	case first:
		r.other = now.port // some makers give all devices one serial number: by hand it cannot be plugged in so soon
	}
	return now.port != r.other
}

func (i usbIdentity) String() string {
	if i.serial == "" {
		return "at USB port " + i.port
	}
	return fmt.Sprintf("serial number %s at USB port %s", i.serial, i.port)
}
