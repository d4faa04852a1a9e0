package wheel

import (
	"strings"
	"testing"

	"rig.example/rig/internal/kit/evdev"
)

func TestConditionsThatAWheelRefuses(t *testing.T) {
	all := []string{"FF_CONSTANT", "FF_SPRING", "FF_DAMPER", "FF_FRICTION"}
	tests := []struct {
		name   string
		quirks Quirks
		info   evdev.Info
		says   string
	}{
		{"offered", 0, evdev.Info{FFEffects: all, Driver: "fanatec"}, ""},
		{"not offered", 0, evdev.Info{FFEffects: all[:1], Driver: "fanatec"}, "offers none"},
		{"a driver that drops the bound", 0, evdev.Info{FFEffects: all, Driver: "simagic-ff"}, "does not bound it"},
		{"the wrong sign", InvertedConditions, evdev.Info{FFEffects: all, Driver: "hid-generic"}, "push the wrong way"},
		{"a driver that knows the sign", InvertedConditions, evdev.Info{FFEffects: all, Driver: "hid-universal-pidff"}, ""},
	}
	for _, c := range tests {
		if got := refusalReason(Model{Quirks: c.quirks}, c.info, evdev.FFDamper); (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, want %q", c.name, got, c.says)
		}
	}
}

func TestDevicesThatAreHeard(t *testing.T) {
	wheel, box, other := g29Buttons(), device("button box", 1, 1, "BTN_TRIGGER"), device("mouse", 2, 2, "BTN_TRIGGER")
	wheel.Kind = evdev.KindWheel
	b := Buttons{Pause: "box:BTN_TRIGGER", Reset: "G29:BTN_THUMB"}
	for _, c := range []struct {
		name string
		list []evdev.Info
		want string
	}{
		{"wheel and box", []evdev.Info{other, box, wheel}, "/dev/input/Logitech G29 /dev/input/button box"},
		{"a box without a wheel", []evdev.Info{other, box}, " /dev/input/button box"},
		{"nothing", nil, ""},
	} {
		var paths []string
		for _, info := range b.Devices(c.list, "") {
			paths = append(paths, info.Path)
		}
		if got := strings.Join(paths, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNamesOfHatsAndWhatControlsDo(t *testing.T) {
	if got := HatName(evdev.AbsHat0X, -1) + " " + HatName(evdev.AbsHat0X+3, 7); got != "hat0-left hat1-down" {
		t.Errorf("got %q", got)
	}
	m := cockpit(t)
	for _, c := range []struct {
		device  int
		control string
		want    string
	}{{0, "BTN_TOP2", "shift_up"}, {1, "BTN_TRIGGER", "shift_up"}, {0, "BTN_TRIGGER", ""}, {0, "hat0-right", "look_right"}, {0, "nonsense", ""}} {
		a, ok := m.ActionOf(c.device, c.control)
		if got := map[bool]string{true: a.String()}[ok]; got != c.want {
			t.Errorf("%s of device %d does %q, want %q", c.control, c.device, got, c.want)
		}
	}
}
