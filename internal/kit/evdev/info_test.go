package evdev

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMatches(t *testing.T) {
	dir := t.TempDir()
	node := filepath.Join(dir, "event3")
	link := filepath.Join(dir, "by-id-g29")
	if err := errors.Join(os.WriteFile(node, nil, 0o600), os.Symlink(node, link)); err != nil {
		t.Fatal(err)
	}
	i := Info{Path: node, Name: "Logitech G29 Racing Wheel", Vendor: 0x046d, Product: 0xc24f}
	tests := []struct {
		name, selector string
		want           bool
	}{
		{"path", node, true},
		{"link to it", link, true},
		{"other path", filepath.Join(dir, "event4"), false},
		{"numbers", "046d:c24f", true},
		{"numbers in capitals", "046D:C24F", true},
		{"other numbers", "046d:c29b", false},
		{"part of the name", "g29", true},
		{"other name", "g27", false},
		{"nothing", "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := i.Matches(test.selector); got != test.want {
				t.Errorf("%q: got %v, want %v", test.selector, got, test.want)
			}
		})
	}
}

func TestInfoAsJSON(t *testing.T) {
	i := Info{Path: "/dev/input/event3", Name: "W", Vendor: 0x46d, Kind: KindWheel, Axes: []Axis{{"ABS_X", 0, 255, 7, 0}}}
	got, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"path":"/dev/input/event3"`, `"name":"W"`, `"vendor":"046d"`, `"product":"0000"`, `"kind":"wheel"`,
		`"axes":[{"name":"ABS_X","min":0,"max":255,"value":7}]`, `"buttons":`, `"ff_effects":`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
}

func TestDescribeKeepsTheErrorAndSaysWhatToDo(t *testing.T) {
	i := Describe(filepath.Join(t.TempDir(), "event0"))
	if !errors.Is(i.Err, fs.ErrNotExist) || i.Problem == "" || i.Kind != KindOther {
		t.Errorf("got %+v, want a missing node", i)
	}
	if b, err := json.Marshal(i); err != nil || strings.Contains(string(b), "null") {
		t.Errorf("%s, %v: want empty lists, not null", b, err)
	}
	err := withRemedy("/dev/input/event0", unix.EACCES)
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "70-rig.rules") || !strings.Contains(err.Error(), "group input") {
		t.Errorf("%q does not name the udev rule and the group", err)
	}
}

func TestNamesAndCodes(t *testing.T) {
	if got := KeyName(0x120); got != "BTN_TRIGGER" {
		t.Errorf("button 0x120 is %s, want BTN_TRIGGER", got)
	}
	if got := AbsName(0x3e); got != "ABS_0x3e" {
		t.Errorf("axis without a name is %s, want ABS_0x3e", got)
	}
	if c, err := KeyCode("btn_top2"); err != nil || c != 0x124 {
		t.Errorf("btn_top2 is %#x, %v; want 0x124", c, err)
	}
	for code := range uint16(keyCodes) { // also those without a name, such as the first gears of a G29's lever
		if c, err := KeyCode(KeyName(code)); err != nil || c != code {
			t.Errorf("button %#x is called %s, which is %#x, %v", code, KeyName(code), c, err)
		}
	}
	for code := range uint16(absCodes) {
		if c, err := AbsCode(AbsName(code)); err != nil || c != code {
			t.Errorf("axis %#x is called %s, which is %#x, %v", code, AbsName(code), c, err)
		}
	}
	if c, err := AbsCode("ABS_RZ"); err != nil || c != AbsRZ {
		t.Errorf("ABS_RZ is %#x, %v; want 5", c, err)
	}
	for _, bad := range []string{"", "ABS_NONE", "ABS_CNT", "BTN_TOP2", "ABS_0x40", "ABS_0x", "ABS_0x-1", "KEY_0x12c"} {
		if _, err := AbsCode(bad); err == nil {
			t.Errorf("axis %q was accepted", bad)
		}
	}
	if _, err := KeyCode("KEY_CNT"); err == nil {
		t.Error("KEY_CNT was accepted as a key")
	}
}

func TestNodesSortByNumber(t *testing.T) {
	if nodeNumber("/dev/input/event12") != 12 || nodeNumber("/dev/input/event2") != 2 {
		t.Error("node numbers are not read")
	}
}

// Keyboards, and button boxes that look like keyboards, have keys that are not buttons.
func TestHasKey(t *testing.T) {
	i := Info{Buttons: []string{"BTN_TRIGGER"}, keys: []uint16{1}}
	for _, c := range []struct {
		name string
		want bool
	}{{"BTN_TRIGGER", true}, {"BTN_JOYSTICK", true}, {"KEY_ESC", true}, {"KEY_A", false}, {"BTN_TOP", false}} {
		code, err := KeyCode(c.name)
		if err != nil || i.HasKey(code) != c.want {
			t.Errorf("%s: %v, %v; want %v", c.name, i.HasKey(code), err, c.want)
		}
	}
}

// A selector that means a device by its numbers or by its name means no other kind of text.
func FuzzMatches(f *testing.F) {
	for _, s := range []string{"046d:c24f", "046D:C24F", "46d:c24f", "g29", "/dev/input/by-id/usb-x-event-joystick", "/", "/\x00", ":", "", "\xff"} {
		f.Add(s, "Logitech G29")
	}
	f.Fuzz(func(t *testing.T, selector, name string) {
		i := Info{Path: "/dev/input/event-of-nobody", Name: name, Vendor: 0x046d, Product: 0xc24f}
		got := i.Matches(selector)
		if got && (selector == "" || strings.HasPrefix(selector, "/")) {
			t.Errorf("%q means %q", selector, name)
		}
		if !i.Matches("046d:C24F") || name != "" && !strings.HasPrefix(name, "/") && !i.Matches(name) {
			t.Errorf("%q does not mean itself", name)
		}
	})
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"BTN_TOP2", "abs_z", "KEY_MAX", "ABS_0x3e", "ABS_CNT", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if c, err := AbsCode(name); err == nil {
			if again, err := AbsCode(AbsName(c)); again != c || err != nil {
				t.Errorf("%q is axis %#x, called %s", name, c, AbsName(c))
			}
		}
		if c, err := KeyCode(name); err == nil {
			if again, err := KeyCode(KeyName(c)); again != c || err != nil {
				t.Errorf("%q is button %#x, called %s", name, c, KeyName(c))
			}
		}
	})
}
