package wheel

import (
	"fmt"
	"strings"

	"rig.example/rig/internal/evdev"
)

// control is one button, or one direction of a hat, of one device.
type control struct {
	device string // a selector as in wheel.device; "" is the wheel
	hat    bool
	code   uint16 // of the button, or of the hat's axis
	sign   int32  // of the hat's axis
}

// hatWays are a hat's directions as the kernel counts them: x to the right, y down.
var hatWays = map[string]struct {
	axis uint16 // 0: x, 1: y
	sign int32
}{"left": {0, -1}, "right": {0, 1}, "up": {1, -1}, "down": {1, 1}}

const hats = 4

// parseControl reads "BTN_TOP2", "hat0-left" or either after "device:". The
// device may hold colons itself: the last one counts.
func parseControl(text string) (control, error) {
	var c control
	name := strings.TrimSpace(text)
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		c.device, name = strings.TrimSpace(name[:at]), strings.TrimSpace(name[at+1:])
		if c.device == "" {
			return c, fmt.Errorf("%q names no device before the colon; write part of its name, vendor:product or a path there", text)
		}
	}
	if name == "" || strings.EqualFold(name, noButton) {
		return c, fmt.Errorf("%q names no button; take it out, write such as BTN_TOP2 there, or \"none\" alone", strings.TrimSpace(text))
	}
	if number, way, ok := strings.Cut(strings.ToLower(name), "-"); ok && strings.HasPrefix(number, "hat") {
		return c.onHat(text, number, way)
	}
	code, err := evdev.KeyCode(name)
	if err != nil {
		return c, fmt.Errorf("%w%s", err, nearestOf(name, buttonNames()))
	}
	c.code = code
	return c, nil
}

func (c control) onHat(text, number, way string) (control, error) {
	w, known := hatWays[way]
	if len(number) != 4 || number[3] < '0' || number[3] >= '0'+hats || !known {
		return c, fmt.Errorf("%q is no direction of a hat; write hat0 to hat3 and -left, -right, -up or -down", text)
	}
	c.hat, c.sign = true, w.sign
	c.code = evdev.AbsHat0X + 2*uint16(number[3]-'0') + w.axis
	return c, nil
}

// buttonNames are all buttons and keys that have a name.
func buttonNames() []string {
	var list []string
	for code := range uint16(0x300) {
		if n := evdev.KeyName(code); !strings.Contains(n, "_0x") {
			list = append(list, n)
		}
	}
	return list
}

// String is the control as the configuration names it.
func (c control) String() string {
	if c.device == "" {
		return c.name()
	}
	return c.device + ":" + c.name()
}

func (c control) name() string {
	if !c.hat {
		return evdev.KeyName(c.code)
	}
	axis := (c.code - evdev.AbsHat0X) % 2
	for way, w := range hatWays {
		if w.axis == axis && w.sign == c.sign {
			return fmt.Sprintf("hat%d-%s", (c.code-evdev.AbsHat0X)/2, way)
		}
	}
	return ""
}

// HatName names a direction of a hat as Buttons does, such as "hat0-left"; sign is
// the value of the hat's axis.
func HatName(axis uint16, sign int32) string {
	return control{hat: true, code: axis, sign: min(max(sign, -1), 1)}.name()
}

// on tells whether a device has the control.
func (c control) on(info evdev.Info) bool {
	if c.hat {
		_, ok := info.Axis(c.code)
		return ok
	}
	return info.HasKey(c.code)
}
