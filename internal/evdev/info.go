package evdev

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	goevdev "github.com/holoplot/go-evdev"

	"rig.example/rig/internal/printable"
)

// Axis is one absolute axis in the device's own counts.
type Axis struct {
	Name  string `json:"name"` // such as "ABS_X"
	Min   int32  `json:"min"`
	Max   int32  `json:"max"`
	Value int32  `json:"value"` // when it was asked; 0 if it never reported
	Code  uint16 `json:"-"`     // in linux/input-event-codes.h
}

// ID is a four-digit hexadecimal USB number.
type ID uint16

// String is the number as lsusb writes it.
func (id ID) String() string { return fmt.Sprintf("%04x", uint16(id)) }

// MarshalText writes the number as String does.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// Info describes one input node.
type Info struct {
	Path      string   `json:"path"` // such as /dev/input/event5
	Name      string   `json:"name"`
	Vendor    ID       `json:"vendor"`
	Product   ID       `json:"product"`
	Version   ID       `json:"version"`
	Bus       ID       `json:"bus"`
	Phys      string   `json:"phys"`   // where it is plugged in
	Uniq      string   `json:"uniq"`   // serial number, often empty
	Driver    string   `json:"driver"` // kernel driver of the HID device, empty if there is none
	Kind      Kind     `json:"kind"`
	Axes      []Axis   `json:"axes"`
	Buttons   []string `json:"buttons"`
	FFEffects []string `json:"ff_effects"`
	Problem   string   `json:"problem,omitempty"` // Err for people
	keys      []uint16 // buttons and keys
	Err       error    `json:"-"` // why the node could not be asked; only Path is set then
}

// Axis returns the axis with the given code.
func (i Info) Axis(code uint16) (Axis, bool) {
	for _, a := range i.Axes {
		if a.Code == code {
			return a, true
		}
	}
	return Axis{}, false
}

// HasKey tells whether the device has a button, or a key as keyboards and many
// button boxes have.
func (i Info) HasKey(code uint16) bool {
	return contains(i.keys, code) || slices.Contains(i.Buttons, KeyName(code))
}

// HasForce tells whether the device can make a constant force.
func (i Info) HasForce() bool { return slices.Contains(i.FFEffects, "FF_CONSTANT") }

// List describes every input node, in the order of their numbers.
//
// A node that cannot be asked is listed with its Err. A machine without
// /dev/input has no nodes. Of a node that has been there for long all but its rights is known:
// the values of its axes are those from when it was asked. The lists of several calls are
// shared: do not change them.
func List() ([]Info, error) {
	paths, err := filepath.Glob("/dev/input/event*")
	if err != nil {
		return nil, fmt.Errorf("evdev: %w", err)
	}
	slices.SortFunc(paths, func(a, b string) int { return nodeNumber(a) - nodeNumber(b) })
	return known.of(paths), nil
}

func nodeNumber(path string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(path), "event"))
	return n
}

// Describe asks the node at path, which may be a link to it.
func Describe(path string) Info {
	info := Info{Path: path, Kind: KindOther, Axes: []Axis{}, Buttons: []string{}, FFEffects: []string{}} // lists, not null, in JSON
	d, err := goevdev.OpenWithFlags(path, os.O_RDONLY)
	if err != nil {
		info.Err = explain(path, err)
		info.Problem = info.Err.Error()
		return info
	}
	defer d.Close()
	if id, err := d.InputID(); err == nil {
		info.Bus, info.Vendor, info.Product, info.Version = ID(id.BusType), ID(id.Vendor), ID(id.Product), ID(id.Version)
	}
	// Nodes without a place or a serial number answer with an error: empty is right.
	name, _ := d.Name()
	phys, _ := d.PhysicalLocation()
	uniq, _ := d.UniqueID()
	info.Name, info.Phys, info.Uniq = printable.Line(name), printable.Line(phys), printable.Line(uniq)
	info.Driver = driverOf(path)
	info.addCapabilities(d)
	return info
}

// addCapabilities asks for axes, buttons and effects, and classifies by them.
func (i *Info) addCapabilities(d *goevdev.InputDevice) {
	abs, _ := d.AbsInfos()
	for code, a := range abs {
		i.Axes = append(i.Axes, Axis{AbsName(uint16(code)), a.Minimum, a.Maximum, a.Value, uint16(code)})
	}
	slices.SortFunc(i.Axes, func(a, b Axis) int { return int(a.Code) - int(b.Code) })
	c := capability{name: i.Name, axes: i.Axes}
	c.keys = codes(d, goevdev.EV_KEY)
	c.ff = codes(d, goevdev.EV_FF)
	c.accelerometer = slices.Contains(d.Properties(), goevdev.INPUT_PROP_ACCELEROMETER)
	i.Kind = classify(c)
	i.keys = c.keys
	for _, k := range c.keys {
		if k >= firstButton {
			i.Buttons = append(i.Buttons, KeyName(k))
		}
	}
	for _, f := range c.ff {
		i.FFEffects = append(i.FFEffects, ffName(f))
	}
}

func codes(d *goevdev.InputDevice, t goevdev.EvType) []uint16 {
	if !slices.Contains(d.CapableTypes(), t) {
		return nil
	}
	var list []uint16
	for _, c := range d.CapableEvents(t) {
		list = append(list, uint16(c))
	}
	return list
}

// Matches tells whether a selector from a configuration means this device:
// a path or a link to it, "vendor:product" in hexadecimal, or part of the name.
func (i Info) Matches(selector string) bool {
	if strings.HasPrefix(selector, "/") {
		real, err := filepath.EvalSymlinks(selector)
		return err == nil && real == i.Path
	}
	if strings.EqualFold(selector, fmt.Sprintf("%04x:%04x", uint16(i.Vendor), uint16(i.Product))) {
		return true
	}
	return selector != "" && strings.Contains(strings.ToLower(i.Name), strings.ToLower(selector))
}
