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
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/evdev"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/usbserial"
)

// Device is something that is plugged in, and what rig would use it for.
type Device struct {
	evdev.Info
	Known  string   `json:"known,omitempty"`  // name in the table of wheels
	Quirks []string `json:"quirks,omitempty"` // of that wheel
	Offers []string `json:"offers,omitempty"` // keys of [wheel] for effects that a wheel makes by itself
	Use    string   `json:"use"`
}

// AxisNames are the names of d's axes.
func (d Device) AxisNames() []string {
	var names []string
	for _, a := range d.Axes {
		names = append(names, a.Name)
	}
	return names
}

// Devices lists the input nodes, the serial lines, and what there is for
// switches and converters.
func Devices(cfg config.Config) ([]Device, error) {
	nodes, err := evdev.List()
	if err != nil {
		return nil, err
	}
	store, err := cfg.ProfileStore()
	if err != nil {
		return nil, err
	}
	r, err := rolesOf(cfg, nodes, store)
	if err != nil {
		return nil, err
	}
	list := []Device{}
	for _, n := range nodes {
		d := Device{Info: n, Use: r.use(n)}
		if m, known := wheel.Known(n.Vendor, n.Product); known && n.Err == nil {
			d.Known, d.Quirks = m.Name, m.Quirks.Texts()
		}
		if n.HasForce() {
			d.Offers = wheel.Offers(n)
		}
		list = append(list, d)
	}
	for _, path := range serialLines() {
		d := plain("serial", path, filepath.Base(path), useOfLine(path, cfg))
		if l, usb := usbserial.Lookup("", path); usb {
			d.Vendor, d.Product = l.Vendor, l.Product
			if !l.Guarded {
				d.Use += "; ModemManager may probe it: if a platform is on it, put into " + usbserial.RulesFile + ": " + l.Rule()
			}
		}
		list = append(list, d)
	}
	return append(list, bridges(cfg)...), nil
}

// plain is a device that is no input node.
func plain(kind evdev.Kind, path, name, use string) Device {
	return Device{Info: evdev.Info{Path: path, Name: printable.Line(name), Kind: kind, Axes: []evdev.Axis{}, Buttons: []string{}, FFEffects: []string{}}, Use: use}
}

// bridges lists GPIO chips and I2C buses.
func bridges(cfg config.Config) (list []Device) {
	chips, err := estop.Chips(cfg.Estop)
	if err != nil {
		chips = nil // `rig check` tells, if one is needed
	}
	for _, c := range chips {
		list = append(list, plain("gpio", c.Path, c.Label, cmp.Or(strings.Join(c.Uses, ", "), "not used: name its lines in estop.pin for a stop switch, such as "+c.Label+":0")))
	}
	for _, b := range analog.Buses(cfg.Pedals.ADC) {
		list = append(list, plain("i2c", b.Path, b.Name, cmp.Or(strings.Join(b.Uses, ", "), "not used: name it in pedals.adc if a converter is on it")))
	}
	return list
}

// roles tell which input node is used for what.
type roles struct {
	wheel, pedals evdev.Info
	others        map[string]levers.Role // by path
	heard         []evdev.Info           // for their buttons
}

func rolesOf(cfg config.Config, nodes []evdev.Info, store calib.Store) (r roles, err error) {
	r.heard = cfg.Buttons.Heard(nodes, cfg.Wheel.Device)[1:]
	r.wheel, _ = wheel.Choose(nodes, cfg.Wheel.Device)
	r.pedals, _ = pedals.Choose(nodes, cfg.Pedals.Device, store)
	r.others, err = cfg.Pedals.OthersConfig.Roles(nodes)
	return r, err
}

// use tells what a node is used for, or why it is not.
func (r roles) use(n evdev.Info) string {
	if n.Err != nil {
		return "not used: " + n.Err.Error()
	}
	parts, passed := r.parts(n), strings.Join(r.others[n.Path].Passed, "; ")
	switch {
	case len(parts) > 0 && passed != "":
		return strings.Join(parts, " and ") + "; " + passed
	case len(parts) > 0:
		return strings.Join(parts, " and ")
	case passed != "":
		return "not used: " + passed
	case n.Kind == evdev.KindWheel:
		return "not used: " + cmp.Or(r.wheel.Path, "another wheel") + " is what wheel.device means; name this one there"
	case n.Kind == evdev.KindPedals:
		return "not used: " + cmp.Or(r.pedals.Path, "another device") + " is what pedals.device means; name these there, or in pedals.extra"
	case len(n.Axes)+len(n.Buttons) > 0:
		return "not used: neither wheel nor pedals; name it in buttons, pedals.shifter or pedals.extra if it is to do something"
	}
	return "not used: neither wheel nor pedals"
}

// parts are the roles of one node.
func (r roles) parts(n evdev.Info) (list []string) {
	add := func(is bool, name string) {
		if is {
			list = append(list, name)
		}
	}
	add(n.Path == r.wheel.Path, "wheel")
	add(n.Path == r.pedals.Path, "pedals")
	list = append(list, r.others[n.Path].Used...)
	add(slices.ContainsFunc(r.heard, func(h evdev.Info) bool { return h.Path == n.Path }), "buttons")
	return list
}

// serialLines are the lines that a controller may be on, by stable names
// where there are any.
func serialLines() []string {
	stable, _ := filepath.Glob("/dev/serial/by-id/*")
	seen := map[string]bool{}
	for _, p := range stable {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			seen[real] = true
		}
	}
	list := stable
	for _, pattern := range []string{"/dev/ttyUSB*", "/dev/ttyACM*"} {
		plain, _ := filepath.Glob(pattern)
		for _, p := range plain {
			if !seen[p] {
				list = append(list, p)
			}
		}
	}
	return list
}

func useOfLine(path string, cfg config.Config) string {
	if cfg.Motion.Protocol != "" && sameFile(path, cfg.Motion.Port) {
		return "platform (" + cfg.Motion.Protocol + ")"
	}
	return "not used: set motion.protocol and motion.port if a platform is on it"
}

func sameFile(a, b string) bool {
	sa, errA := os.Stat(a)
	sb, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(sa, sb)
}
