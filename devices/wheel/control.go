package wheel

import (
	"fmt"
	"strings"

	"rig.example/rig/internal/kit/evdev"
)

// control is one button, or one direction of a hat, of one device.
type control struct {
	device string // a selector as in wheel.device; "" is the wheel
	hat    bool
	code   uint16 // of the button, or of the hat's axis
	sign   int32  // of the hat's axis
}

// hatDirections has the directions of a hat. The kernel's hat axes are positive to the right (x) and down
// (y).
var hatDirections = map[string]struct {
	axis uint16 // 0: x, 1: y
	sign int32
}{"left": {0, -1}, "right": {0, 1}, "up": {1, -1}, "down": {1, 1}}

const hatCount = 4 // the kernel knows hat0 to hat3

// parseControl parses a control such as "BTN_TOP2" or "hat0-left", with or without a device selector and
// a colon before it. The selector may contain colons, because the last colon separates.
func parseControl(text string) (control, error) {
	var c control
	name := strings.TrimSpace(text)
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		c.device, name = strings.TrimSpace(name[:at]), strings.TrimSpace(name[at+1:])
		if c.device == "" {
			return c, fmt.Errorf("%q names no device before the colon; write part of its name, vendor:product or a path", text)
		}
	}
	if name == "" || strings.EqualFold(name, noButton) {
		return c, fmt.Errorf("%q names no button; remove it, write one such as BTN_TOP2, or \"none\" alone", strings.TrimSpace(text))
	}
	if number, direction, ok := strings.Cut(strings.ToLower(name), "-"); ok && strings.HasPrefix(number, "hat") {
		return c.parseHat(text, number, direction)
	}
	code, err := evdev.KeyCode(name)
	if err != nil {
		return c, fmt.Errorf("%w%s", err, suggest(name, buttonNames()))
	}
	c.code = code
	return c, nil
}

// parseHat parses a direction of a hat: number is its name, such as "hat0", and direction is such as
// "left". text is the whole text, for messages.
func (c control) parseHat(text, number, direction string) (control, error) {
	w, known := hatDirections[direction]
	if len(number) != 4 || number[3] < '0' || number[3] >= '0'+hatCount || !known {
		return c, fmt.Errorf("%q is not a direction of a hat; write hat0 to hat3 and -left, -right, -up or -down", text)
	}
	c.hat, c.sign = true, w.sign
	c.code = evdev.AbsHat0X + 2*uint16(number[3]-'0') + w.axis
	return c, nil
}

// buttonNames returns the names of all buttons and keys that the kernel names.
func buttonNames() []string {
	var list []string
	for code := range uint16(0x300) {
		if n := evdev.KeyName(code); !strings.Contains(n, "_0x") {
			list = append(list, n)
		}
	}
	return list
}

// String returns the control as the configuration names it.
func (c control) String() string {
	if c.device == "" {
		return c.name()
	}
	return c.device + ":" + c.name()
}

// name returns the control's name without its device.
func (c control) name() string {
	if !c.hat {
		return evdev.KeyName(c.code)
	}
	axis := (c.code - evdev.AbsHat0X) % 2
	for direction, w := range hatDirections {
		if w.axis == axis && w.sign == c.sign {
			return fmt.Sprintf("hat%d-%s", (c.code-evdev.AbsHat0X)/2, direction)
		}
	}
	return ""
}

// HatName returns the name of a direction of a hat as Buttons uses it, such as "hat0-left"; sign is
// the sign of the value of the hat's axis.
func HatName(axis uint16, sign int32) string {
	return control{hat: true, code: axis, sign: min(max(sign, -1), 1)}.name()
}

// existsOn reports whether a device has the control.
func (c control) existsOn(info evdev.Info) bool {
	if c.hat {
		_, ok := info.Axis(c.code)
		return ok
	}
	return info.HasKey(c.code)
}
