package evdev

import (
	"slices"
	"strings"
)

// Kind is the kind of a device, as derived from its capabilities.
type Kind string

// The kinds of device.
const (
	KindWheel   Kind = "wheel"   // a steering wheel, perhaps with pedals on the same node
	KindPedals  Kind = "pedals"  // pedals, handbrake or the like on a node of their own
	KindGamepad Kind = "gamepad" // gamepads and joysticks
	KindOther   Kind = "other"   // keyboards, mice, tablets, sensors, switches
)

// capabilities are the properties of a device by which classify decides.
type capabilities struct {
	name          string
	axes          []Axis
	keys, ff      []uint16
	accelerometer bool
}

const (
	ffConstant  = 0x52
	btnMouse    = 0x110
	btnSouth    = 0x130
	btnToolPen  = 0x140
	btnTouch    = 0x14a
	firstButton = 0x100
)

// maxPedalButtons is the highest number of buttons of a pedal box: a device with more counts as a joystick.
const maxPedalButtons = 4

// classify returns the kind of a device by its capabilities.
//
// The name counts only where two kinds have the same capabilities: a joystick with force feedback
// looks like a wheel, and a pedal box with signed axes like a joystick without buttons.
func classify(c capabilities) Kind {
	name := strings.ToLower(c.name)
	switch {
	case c.accelerometer, c.hasKey(btnTouch), c.hasKey(btnToolPen), c.hasKey(btnMouse), len(c.axes) == 0:
		return KindOther
	case c.hasAxis(AbsWheel):
		return KindWheel
	case c.hasAxis(AbsX) && c.hasFF(ffConstant) && !c.isGamepad() && !strings.Contains(name, "stick"):
		return KindWheel
	case c.isPedals(name):
		return KindPedals
	case c.isGamepad(), c.hasAxis(AbsX) && c.buttonCount() > 0:
		return KindGamepad
	default:
		return KindOther
	}
}

// isGamepad reports whether the device is a gamepad with two sticks, whose face buttons start at
// BTN_SOUTH.
func (c capabilities) isGamepad() bool {
	return c.hasKey(btnSouth) && c.hasAxis(AbsRX) && c.hasAxis(AbsRY)
}

// isPedals reports whether the device looks like a pedal box; name is in lower case.
func (c capabilities) isPedals(name string) bool {
	if c.hasFF(ffConstant) || c.buttonCount() > maxPedalButtons {
		return false
	}
	named := strings.Contains(name, "pedal")
	for _, a := range c.axes {
		if a.Code >= AbsHat0X || a.Min < 0 && !named {
			return false
		}
	}
	return named || len(c.axes) >= 2
}

// buttonCount returns how many buttons the device has, without the keys of keyboards.
func (c capabilities) buttonCount() int {
	n := 0
	for _, k := range c.keys {
		if k >= firstButton {
			n++
		}
	}
	return n
}

func (c capabilities) hasAxis(code uint16) bool {
	return slices.ContainsFunc(c.axes, func(a Axis) bool { return a.Code == code })
}

func (c capabilities) hasKey(code uint16) bool { return slices.Contains(c.keys, code) }
func (c capabilities) hasFF(code uint16) bool  { return slices.Contains(c.ff, code) }
