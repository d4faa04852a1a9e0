package machine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/kit/evdev"
)

// generic is the driver that the kernel binds to a HID device for which it has no other.
const generic = "hid-generic"

// CheckWheelDrivers reports known wheels on USB that are without the driver that they need for their force. It
// returns the USB devices that it reported, as their folders in sysfs. kernel is the release of the running one.
func CheckWheelDrivers(root, kernel string, report Report) (reported []string) {
	devices, _ := filepath.Glob(filepath.Join(root, "/sys/bus/usb/devices/*/idVendor"))
	for _, file := range devices {
		folder, err := filepath.EvalSymlinks(filepath.Dir(file))
		if err != nil {
			continue
		}
		vendor, errV := evdev.USBID(folder, "idVendor")
		product, errP := evdev.USBID(folder, "idProduct")
		d, known := wheel.DriverFor(vendor, product)
		if errV != nil || errP != nil || !known {
			continue
		}
		m, _ := wheel.LookupModel(vendor, product)
		if checkWheelDriver(usbWheel{root, kernel, m.Name, boundDriver(folder), d}, report) {
			reported = append(reported, folder)
		}
	}
	return reported
}

// usbWheel is a known wheel that is plugged in.
type usbWheel struct {
	root, kernel string
	name         string
	bound        string // the kernel driver in sysfs, "" if there is none
	needs        wheel.Driver
}

// checkWheelDriver reports a wheel without its driver. A driver that is neither the known one nor the generic one
// may be a newer one, and is no problem.
func checkWheelDriver(w usbWheel, report Report) bool {
	switch {
	case slices.Contains(w.needs.InSysfs, w.bound):
		return false
	case w.needs.Switcher != "":
		report("wheel-mode", "wheel", w.name+" is in a compatibility mode: no force", w.switchRemedy())
	case w.bound != "" && w.bound != generic:
		return false
	case w.needs.Name == "":
		report("wheel-unsupported", "wheel", w.name+" has no driver for its force on Linux: it steers only", "use another wheel to feel the road")
	default:
		bound := "no driver"
		if w.bound != "" {
			bound = w.bound
		}
		report("wheel-driver", "wheel", fmt.Sprintf("%s is bound to %s: no force, or a wrong one; it needs %s", w.name, bound, w.needs.Name), w.driverRemedy())
	}
	return true
}

// switchRemedy returns how to get the wheel out of its compatibility mode.
func (w usbWheel) switchRemedy() string {
	if strings.HasSuffix(w.needs.Switcher, " usb_modeswitch") {
		return "install what switches it, and plug it in again: `sudo apt install usb-modeswitch`"
	}
	return "plug it in again; it is switched by " + w.needs.Switcher
}

// driverRemedy returns how to get the wheel's driver: it may be there and not loaded.
func (w usbWheel) driverRemedy() string {
	modules := filepath.Join(w.root, "/lib/modules", w.kernel)
	list, _ := os.ReadFile(filepath.Join(modules, "modules.dep"))
	version, _ := parseRelease(w.kernel)
	for _, name := range w.needs.Modules {
		if w.needs.InKernel(version) && hasModule(string(list), name) {
			return "load it: `sudo modprobe " + name + "`"
		}
	}
	if strings.Contains(w.kernel, "-cloud-") && strings.Contains(w.needs.Where, "in the kernel") {
		return "this kernel is for virtual machines and leaves drivers out; install the usual one and restart: `sudo apt install linux-image-amd64`"
	}
	return "get it (" + w.needs.Where + ") and restart; see docs/wheels.md"
}

// hasModule reports whether a modules.dep lists a module by its name for modprobe, which takes - for _.
func hasModule(list, name string) bool {
	list = strings.ReplaceAll(list, "_", "-")
	return strings.Contains(list, "/"+name+".ko")
}

// boundDriver returns the kernel driver of the HID devices of a USB device, one other than the generic one if there
// is such; else that of its interfaces if they are no HID devices; "" if there is none.
func boundDriver(folder string) string {
	hid := linkNames(filepath.Join(folder, "*:*/0003:*/driver"))
	for _, name := range hid {
		if name != generic {
			return name
		}
	}
	if len(hid) > 0 {
		return generic
	}
	for _, name := range linkNames(filepath.Join(folder, "*:*/driver")) {
		if name != "usbhid" { // which alone has not made a HID device of it
			return name
		}
	}
	return ""
}

// linkNames returns the last elements of the targets of the links that match a pattern.
func linkNames(pattern string) (names []string) {
	links, _ := filepath.Glob(pattern)
	for _, l := range links {
		if target, err := os.Readlink(l); err == nil {
			names = append(names, filepath.Base(target))
		}
	}
	return names
}
