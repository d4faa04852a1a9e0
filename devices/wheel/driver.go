package wheel

import "rig.example/rig/internal/kit/evdev"

// Driver describes the kernel driver that a wheel needs for its force.
type Driver struct {
	Name     string   // as users know it, such as hid-lg4ff; "" if there is none for this wheel
	InSysfs  []string // names under which it may be bound, as evdev.Info.Driver
	Modules  []string // its names for modprobe; nil: a part of the kernel's HID core
	Where    string   // where to get it
	Switcher string   // what switches the wheel from this USB id, of a compatibility mode, to its own; "" otherwise

	since []kernelRelease // see InKernel
}

// kernelRelease is the version of a kernel, such as 6.12.24.
type kernelRelease = [3]int

// universalSince are the kernels that have hid-universal-pidff: 6.15, and those to which it was brought back.
var universalSince = []kernelRelease{{6, 12, 24}, {6, 13, 12}, {6, 14, 3}, {6, 15, 0}}

// DriverFor returns the driver that the wheel with this USB id needs; ok is false for an unknown wheel.
func DriverFor(vendor, product evdev.ID) (d Driver, ok bool) {
	m, ok := LookupModel(vendor, product)
	if !ok {
		return d, false
	}
	f := familyTable[m.Family]
	d = Driver{Name: string(m.Family), InSysfs: f.drivers, Modules: f.modules, Where: f.availability}
	if m.Quirks.Has(CompatID) {
		d.Switcher = switchers[[2]evdev.ID{vendor, product}]
	}
	switch {
	case m.Family == NoFamily:
		d.Name = ""
	case m.Quirks.Has(NeedsNewLG4FF):
		d.Name, d.Modules, d.Where = "new-lg4ff", []string{"hid-logitech-new"}, "github.com/berarma/new-lg4ff"
	case m.Family == Universal:
		d.since = universalSince
	case m.Family == HIDPP && product == 0xc26e: // hid_device_table of hid-logitech-hidpp.c
		d.since = []kernelRelease{{6, 3, 0}}
	}
	return d, true
}

// InKernel reports whether a kernel of this version has the driver for the wheel, if the driver is in any kernel.
// Fixed releases are brought back to some older series only, within which later ones keep them.
func (d Driver) InKernel(version [3]int) bool {
	for i, first := range d.since {
		isLast := i == len(d.since)-1
		sameSeries := version[0] == first[0] && version[1] == first[1]
		if sameSeries && version[2] >= first[2] || isLast && (version[0] > first[0] || version[0] == first[0] && version[1] > first[1]) {
			return true
		}
	}
	return len(d.since) == 0
}

// NoForce returns why the wheel gives no force, and where to get the driver; "" if it offers one.
func NoForce(info evdev.Info) string {
	if info.HasForce() {
		return ""
	}
	m, known := LookupModel(info.Vendor, info.Product)
	return noForceNote(info, m, known)
}
