package evdev

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	goevdev "github.com/holoplot/go-evdev"

	"rig.example/rig/internal/kit/printable"
)

// Axis is one absolute axis of a device. Min, Max and Value are in the device's counts.
type Axis struct {
	Name  string `json:"name"` // such as "ABS_X"
	Min   int32  `json:"min"`
	Max   int32  `json:"max"`
	Value int32  `json:"value"` // when the node was queried; 0 if the axis never reported
	Code  uint16 `json:"-"`     // of linux/input-event-codes.h
}

// ID is a four-digit hexadecimal USB number.
type ID uint16

// String returns the number as lsusb writes it.
func (id ID) String() string { return fmt.Sprintf("%04x", uint16(id)) }

// MarshalText returns the same text as String.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// Info describes one input node.
type Info struct {
	Path      string   `json:"path"` // such as /dev/input/event5
	Name      string   `json:"name"`
	Vendor    ID       `json:"vendor"`
	Product   ID       `json:"product"`
	Version   ID       `json:"version"`
	Bus       ID       `json:"bus"`
	Phys      string   `json:"phys"`               // port to which it is connected
	Uniq      string   `json:"uniq"`               // serial number, often empty
	Driver    string   `json:"driver"`             // kernel driver of the HID device, empty if there is none
	Firmware  ID       `json:"firmware,omitempty"` // version that a USB device states (bcdDevice), 0 if not known
	Kind      Kind     `json:"kind"`
	Axes      []Axis   `json:"axes"`
	Buttons   []string `json:"buttons"`
	FFEffects []string `json:"ff_effects"`
	Problem   string   `json:"problem,omitempty"` // text of Err
	keys      []uint16 // buttons and keys
	Err       error    `json:"-"` // why the node could not be queried; only Path is set then
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

// HasKey reports whether the device has a button, or a key as keyboards and many button boxes have.
func (i Info) HasKey(code uint16) bool {
	return slices.Contains(i.keys, code) || slices.Contains(i.Buttons, KeyName(code))
}

// HasForce reports whether the device can play a constant force.
func (i Info) HasForce() bool { return slices.Contains(i.FFEffects, "FF_CONSTANT") }

// List describes every input node, in the order of their numbers.
//
// A node that cannot be queried is listed with its Err. A machine without /dev/input has no nodes. The
// description of a node that was plugged in more than 10 s ago is cached: the values of its axes are
// old. The lists of several calls are shared and must not be changed.
func List() ([]Info, error) {
	paths, err := filepath.Glob("/dev/input/event*")
	if err != nil {
		return nil, fmt.Errorf("evdev: %w", err)
	}
	slices.SortFunc(paths, func(a, b string) int { return nodeNumber(a) - nodeNumber(b) })
	return nodeCache.describe(paths), nil
}

func nodeNumber(path string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(path), "event"))
	return n
}

// Describe queries the node at path, which may be a link to it.
func Describe(path string) Info {
	info := Info{Path: path, Kind: KindOther, Axes: []Axis{}, Buttons: []string{}, FFEffects: []string{}} // empty lists instead of null in JSON
	d, err := goevdev.OpenWithFlags(path, os.O_RDONLY)
	if err != nil {
		info.Err = withRemedy(path, err)
		info.Problem = info.Err.Error()
		return info
	}
	defer d.Close()
	if id, err := d.InputID(); err == nil {
		info.Bus, info.Vendor, info.Product, info.Version = ID(id.BusType), ID(id.Vendor), ID(id.Product), ID(id.Version)
	}
	// Nodes without a location or serial number return an error; the empty text is right then.
	name, _ := d.Name()
	phys, _ := d.PhysicalLocation()
	uniq, _ := d.UniqueID()
	info.Name, info.Phys, info.Uniq = printable.Line(name), printable.Line(phys), printable.Line(uniq)
	info.Driver, info.Firmware = driverOf(path), firmwareOf("/sys", path)
	info.queryCapabilities(d)
	return info
}

// queryCapabilities fills in axes, buttons and effects, and the kind that follows from them.
func (i *Info) queryCapabilities(d *goevdev.InputDevice) {
	abs, _ := d.AbsInfos()
	for code, a := range abs {
		i.Axes = append(i.Axes, Axis{AbsName(uint16(code)), a.Minimum, a.Maximum, a.Value, uint16(code)})
	}
	slices.SortFunc(i.Axes, func(a, b Axis) int { return int(a.Code) - int(b.Code) })
	c := capabilities{name: i.Name, axes: i.Axes}
	c.keys = supportedCodes(d, goevdev.EV_KEY)
	c.ff = supportedCodes(d, goevdev.EV_FF)
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

// supportedCodes returns the codes that the device has of an event type.
func supportedCodes(d *goevdev.InputDevice, t goevdev.EvType) []uint16 {
	if !slices.Contains(d.CapableTypes(), t) {
		return nil
	}
	var list []uint16
	for _, c := range d.CapableEvents(t) {
		list = append(list, uint16(c))
	}
	return list
}

// Matches reports whether a selector of the configuration means this device: a path or a link to it,
// "vendor:product" in hexadecimal, or part of the name.
func (i Info) Matches(selector string) bool {
	if strings.HasPrefix(selector, "/") {
		target, err := filepath.EvalSymlinks(selector)
		return err == nil && target == i.Path
	}
	if strings.EqualFold(selector, fmt.Sprintf("%04x:%04x", uint16(i.Vendor), uint16(i.Product))) {
		return true
	}
	return selector != "" && strings.Contains(strings.ToLower(i.Name), strings.ToLower(selector))
}
