package evdev

import (
	"fmt"
	"strings"
)

// Returning keeps a part of the rig to the device with which it began. After an unplug it waits for that device: a twin in
// its place would be a wheel, with force, or a pedal that nobody chose, perhaps in somebody else's hands.
//
// The same device has the same vendor and serial number, or if it has none the same port. Its product may differ, because
// wheels change it when their driver switches their mode. Some makers give all devices one serial number, so a device at
// another port is the same one only if it was plugged in after the loss.
//
// The zero value has no device yet. One goroutine at a time may use it.
type Returning struct {
	used    Info
	hasUsed bool
	lost    bool            // used was not plugged in at the last Choose
	others  map[string]bool // ports at which devices were plugged in when used was lost
}

// Use notes that the part uses a device now. Later calls of Choose return only this one.
func (r *Returning) Use(i Info) { r.used, r.hasUsed, r.lost, r.others = i, true, false, nil }

// Choose returns the device of list that choose returns, or an error that names both devices if that is not the one in
// use. part is the part of the rig, such as "wheel", with which messages begin.
func (r *Returning) Choose(part string, list []Info, choose func([]Info) (Info, error)) (Info, error) {
	if !r.hasUsed {
		return choose(list)
	}
	if !r.lost {
		r.lost, r.others = true, map[string]bool{}
		for _, i := range list {
			r.others[i.Phys] = true
		}
	}
	var same []Info
	for _, i := range list {
		if i.Err != nil || r.isSame(i) {
			same = append(same, i)
		}
	}
	info, err := choose(same)
	if err == nil {
		return info, nil
	}
	if other, otherErr := choose(list); otherErr == nil {
		return Info{}, fmt.Errorf("%s: %s is another one than %s, with which this drive began, and is not used; plug that one in again%s, or end the drive and begin a new one",
			part, other.identity(), r.used.identity(), r.used.where())
	}
	return info, err
}

// isSame reports whether i is the device in use.
func (r *Returning) isSame(i Info) bool {
	u := &r.used
	switch {
	case u.Vendor != i.Vendor:
		return false
	case u.Uniq != "" && i.Uniq != "":
		return u.Uniq == i.Uniq && (u.Phys == i.Phys || interfaceOf(u.Phys) == interfaceOf(i.Phys) && !r.others[i.Phys])
	case u.Phys != "" || i.Phys != "":
		return u.Phys == i.Phys
	}
	return u.Product == i.Product && u.Name == i.Name // made by a program: nothing else tells two of them apart
}

// interfaceOf returns the part of a location after the port, such as input0, which tells the nodes of one device apart.
func interfaceOf(phys string) string { return phys[strings.LastIndexByte(phys, '/')+1:] }

// identity returns the name of a device and what tells it from others of its model, for messages.
func (i Info) identity() string {
	switch {
	case i.Uniq != "":
		return fmt.Sprintf("%s (serial number %s, %s)", i.Name, i.Uniq, i.Path)
	case i.Phys != "":
		return fmt.Sprintf("%s (port %s, %s)", i.Name, i.Phys, i.Path)
	}
	return fmt.Sprintf("%s (%s)", i.Name, i.Path)
}

// where returns where a device must be plugged in to be the same one, for messages.
func (i Info) where() string {
	if i.Uniq == "" && i.Phys != "" {
		return " at its port"
	}
	return ""
}
