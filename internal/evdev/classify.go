package evdev

import "strings"

// Kind is what a device seems to be.
type Kind string

// The kinds of device.
const (
	KindWheel   Kind = "wheel"   // a steering wheel, perhaps with pedals on the same node
	KindPedals  Kind = "pedals"  // pedals, handbrake or the like on a node of their own
	KindGamepad Kind = "gamepad" // gamepads and joysticks
	KindOther   Kind = "other"   // keyboards, mice, tablets, sensors, switches
)

// capability is all that classify looks at.
type capability struct {
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

// maxPedalButtons is how many buttons a pedal box may have before it counts
// as a joystick.
const maxPedalButtons = 4

// classify tells the kind of a device from what it can do.
//
// A name counts only where the same capabilities belong to two kinds: a
// joystick with force feedback looks like a wheel, and a pedal box with signed
// axes like a joystick without buttons.
func classify(c capability) Kind {
	name := strings.ToLower(c.name)
	switch {
	case c.accelerometer, c.hasKey(btnTouch), c.hasKey(btnToolPen), c.hasKey(btnMouse), len(c.axes) == 0:
		return KindOther
	case c.hasAxis(AbsWheel):
		return KindWheel
	case c.hasAxis(AbsX) && c.hasFF(ffConstant) && !c.isPad() && !strings.Contains(name, "stick"):
		return KindWheel
	case c.isPedals(name):
		return KindPedals
	case c.isPad(), c.hasAxis(AbsX) && c.buttons() > 0:
		return KindGamepad
	default:
		return KindOther
	}
}

// isPad tells two-stick gamepads, whose face buttons start at BTN_SOUTH.
func (c capability) isPad() bool {
	return c.hasKey(btnSouth) && c.hasAxis(AbsRX) && c.hasAxis(AbsRY)
}

func (c capability) isPedals(name string) bool {
	if c.hasFF(ffConstant) || c.buttons() > maxPedalButtons {
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

func (c capability) buttons() int {
	n := 0
	for _, k := range c.keys {
		if k >= firstButton {
			n++
		}
	}
	return n
}

func (c capability) hasAxis(code uint16) bool {
	for _, a := range c.axes {
		if a.Code == code {
			return true
		}
	}
	return false
}

func (c capability) hasKey(code uint16) bool { return contains(c.keys, code) }
func (c capability) hasFF(code uint16) bool  { return contains(c.ff, code) }

func contains(list []uint16, code uint16) bool {
	for _, v := range list {
		if v == code {
			return true
		}
	}
	return false
}
