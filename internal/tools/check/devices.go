package check

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/calib"
	"rig.example/rig/devices/analog"
	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/levers"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/usbserial"
)

// Device is a connected device and what rig uses it for.
type Device struct {
	evdev.Info
	Known  string   `json:"known,omitempty"`  // name in the table of wheels, if the wheel is in it
	Quirks []string `json:"quirks,omitempty"` // what is unusual about this wheel model, in words
	Offers []string `json:"offers,omitempty"` // keys of [wheel] for effects that the wheel can play by itself
	Use    string   `json:"use"`              // what rig uses the device for, or why not
}

// AxisNames returns the names of d's axes.
func (d Device) AxisNames() []string {
	var names []string
	for _, a := range d.Axes {
		names = append(names, a.Name)
	}
	return names
}

// Devices lists the input devices, serial ports, GPIO chips, I2C buses and the devices of features.
func Devices(cfg config.Config, features []Feature) ([]Device, error) {
	nodes, err := evdev.List()
	if err != nil {
		return nil, err
	}
	store, err := cfg.ProfileStore()
	if err != nil {
		return nil, err
	}
	r, err := findRoles(cfg, nodes, store)
	if err != nil {
		return nil, err
	}
	list := []Device{}
	for _, n := range nodes {
		d := Device{Info: n, Use: r.use(n)}
		if m, known := wheel.LookupModel(n.Vendor, n.Product); known && n.Err == nil {
			d.Known, d.Quirks = m.Name, m.Quirks.Texts()
		}
		if n.HasForce() {
			d.Offers = wheel.DeviceEffects(n)
		}
		list = append(list, d)
	}
	for _, path := range serialPorts() {
		d := otherDevice("serial", path, filepath.Base(path), lineUse(path, cfg))
		if l, usb := usbserial.Lookup("", path); usb {
			d.Vendor, d.Product = l.Vendor, l.Product
			if !l.IgnoredByModemManager {
				d.Use += "; ModemManager may probe it: if a platform is on it, add to " + usbserial.RulesFile + ": " + l.Rule()
			}
		}
		list = append(list, d)
	}
	list = append(list, chipsAndBuses(cfg)...)
	for _, f := range features {
		if f.Devices != nil {
			f.Devices(&cfg, func(kind, path, name, use string) {
				list = append(list, otherDevice(evdev.Kind(kind), path, name, use))
			})
		}
	}
	return list, nil
}

// otherDevice returns a device that is not an input device.
func otherDevice(kind evdev.Kind, path, name, use string) Device {
	return Device{Info: evdev.Info{Path: path, Name: printable.Line(name), Kind: kind, Axes: []evdev.Axis{}, Buttons: []string{}, FFEffects: []string{}}, Use: use}
}

// chipsAndBuses lists GPIO chips and I2C buses.
func chipsAndBuses(cfg config.Config) (list []Device) {
	chips, err := estop.Chips(cfg.Estop)
	if err != nil {
		chips = nil // checkStop and checkInterlock report the error if a GPIO line is configured
	}
	for _, c := range chips {
		list = append(list, otherDevice("gpio", c.Path, c.Label, cmp.Or(strings.Join(c.Uses, ", "), "not used: to connect a stop switch, set estop.pin, such as "+c.Label+":0")))
	}
	for _, b := range analog.Buses(cfg.Pedals.ADC) {
		list = append(list, otherDevice("i2c", b.Path, b.Name, cmp.Or(strings.Join(b.Uses, ", "), "not used: if a converter is on it, set pedals.adc")))
	}
	return list
}

// roles holds the input devices by their use.
type roles struct {
	wheel, pedals evdev.Info
	levers        map[string]levers.Role // by the device's path
	buttons       []evdev.Info           // devices other than the wheel whose buttons are used
}

// findRoles finds the devices that the configuration uses among the input devices of the machine.
func findRoles(cfg config.Config, nodes []evdev.Info, store calib.Store) (r roles, err error) {
	r.buttons = cfg.Buttons.Devices(nodes, cfg.Wheel.Device)[1:]
	r.wheel, _ = wheel.Choose(nodes, cfg.Wheel.Device)
	r.pedals, _ = pedals.Choose(nodes, cfg.Pedals.Device, store)
	r.levers, err = cfg.Pedals.Roles(nodes)
	return r, err
}

// use returns what a device is used for, or why it is not used.
func (r roles) use(n evdev.Info) string {
	if n.Err != nil {
		return "not used: " + n.Err.Error()
	}
	uses, rejected := r.uses(n), strings.Join(r.levers[n.Path].Rejected, "; ")
	switch {
	case len(uses) > 0 && rejected != "":
		return strings.Join(uses, " and ") + "; " + rejected
	case len(uses) > 0:
		return strings.Join(uses, " and ")
	case rejected != "":
		return "not used: " + rejected
	case n.Kind == evdev.KindWheel:
		return "not used: " + cmp.Or(r.wheel.Path, "another wheel") + " matches wheel.device; to use this one, set wheel.device"
	case n.Kind == evdev.KindPedals:
		return "not used: " + cmp.Or(r.pedals.Path, "another device") + " matches pedals.device; to use these, set pedals.device or pedals.extra"
	case len(n.Axes)+len(n.Buttons) > 0:
		return "not used: neither wheel nor pedals; to use it, set buttons, pedals.shifter or pedals.extra"
	}
	return "not used: neither wheel nor pedals"
}

// uses returns what a device is used for, as a list.
func (r roles) uses(n evdev.Info) (list []string) {
	add := func(used bool, name string) {
		if used {
			list = append(list, name)
		}
	}
	add(n.Path == r.wheel.Path, "wheel")
	add(n.Path == r.pedals.Path, "pedals")
	list = append(list, r.levers[n.Path].Uses...)
	add(slices.ContainsFunc(r.buttons, func(h evdev.Info) bool { return h.Path == n.Path }), "buttons")
	return list
}

// serialPorts returns the USB serial ports of the machine. A port that has a stable name under
// /dev/serial/by-id is listed by that name only.
func serialPorts() []string {
	stable, _ := filepath.Glob("/dev/serial/by-id/*")
	listed := map[string]bool{}
	for _, p := range stable {
		if device, err := filepath.EvalSymlinks(p); err == nil {
			listed[device] = true
		}
	}
	list := stable
	for _, pattern := range []string{"/dev/ttyUSB*", "/dev/ttyACM*"} {
		kernelNames, _ := filepath.Glob(pattern)
		for _, p := range kernelNames {
			if !listed[p] {
				list = append(list, p)
			}
		}
	}
	return list
}

// lineUse returns what a serial line is used for, or how to use it.
func lineUse(path string, cfg config.Config) string {
	if cfg.Motion.Protocol != "" && sameFile(path, cfg.Motion.Port) {
		return "platform (" + cfg.Motion.Protocol + ")"
	}
	return "not used: if a platform is on it, set motion.protocol and motion.port"
}

// sameFile reports whether two existing paths lead to the same file.
func sameFile(a, b string) bool {
	sa, errA := os.Stat(a)
	sb, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(sa, sb)
}
