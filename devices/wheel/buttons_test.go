package wheel

import (
	"reflect"
	"strings"
	"testing"

	"rig.example/rig/internal/kit/evdev"
)

// device is a node with these buttons and one hat.
func device(name string, vendor, product evdev.ID, buttons ...string) evdev.Info {
	return evdev.Info{
		Path: "/dev/input/" + name, Name: name, Vendor: vendor, Product: product, Buttons: buttons,
		Axes: []evdev.Axis{{Name: "ABS_HAT0X", Code: evdev.AbsHat0X}, {Name: "ABS_HAT0Y", Code: evdev.AbsHat0X + 1}},
	}
}

func g29Buttons() evdev.Info {
	return device("Logitech G29", logitech, 0xc24f, "BTN_TRIGGER", "BTN_THUMB", "BTN_TOP2", "BTN_PINKIE")
}

func TestActionNames(t *testing.T) {
	fields := reflect.TypeFor[Buttons]()
	if fields.NumField() != int(actionCount) {
		t.Fatalf("%d keys for %d actions", fields.NumField(), actionCount)
	}
	var b Buttons
	for a := range actionCount {
		reflect.ValueOf(&b).Elem().Field(int(a)).SetString(a.String())
		if key := fields.Field(int(a)).Tag.Get("toml"); key != a.String() {
			t.Errorf("the key of %s is %q", a, key)
		}
	}
	for a, text := range b.inOrder() {
		if text != Action(a).String() {
			t.Errorf("%s takes the text of %s", Action(a), text)
		}
	}
	if s := actionCount.String(); s != "action 28" {
		t.Errorf("no action is called %q", s)
	}
}

func TestParseControl(t *testing.T) {
	tests := []struct {
		text, want string // want as String says it, empty for an error
		says       string
	}{
		{"BTN_TOP2", "BTN_TOP2", ""},
		{" btn_top2 ", "BTN_TOP2", ""},
		{"KEY_R", "KEY_R", ""},
		{"hat0-left", "hat0-left", ""},
		{"HAT3-Down", "hat3-down", ""},
		{"shifter:BTN_TRIGGER", "shifter:BTN_TRIGGER", ""},
		{"044f:b66e:BTN_THUMB", "044f:b66e:BTN_THUMB", ""},
		{"/dev/input/by-path/pci-0000:00:14.0-usb-0:1:1.0-event-joystick: hat0-up", "/dev/input/by-path/pci-0000:00:14.0-usb-0:1:1.0-event-joystick:hat0-up", ""},
		{"BTN_TOPP2", "", "did you mean BTN_TOP2?"},
		{"BTN_TRIGER", "", "did you mean BTN_TRIGGER?"},
		{"", "", "names no button"},
		{":BTN_TOP2", "", "no device before the colon"},
		{"hat4-left", "", "hat0 to hat3"},
		{"hat0-forward", "", "-left, -right, -up or -down"},
		{"hat-left", "", "hat0 to hat3"},
		{"ABS_X", "", "not found"},
	}
	for _, c := range tests {
		t.Run(c.text, func(t *testing.T) {
			got, err := parseControl(c.text)
			if c.want == "" {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Fatalf("%v does not say %q", err, c.says)
				}
				return
			}
			if err != nil || got.String() != c.want {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func FuzzParseControl(f *testing.F) {
	for _, s := range []string{"BTN_TOP2", "hat0-left", "a:b:KEY_A", "hat9-", ":", "", "hat0-left:hat1-up"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseControl(text)
		if err != nil {
			return
		}
		if again, err := parseControl(c.String()); err != nil || again != c {
			t.Fatalf("%q is %+v, and its name %q %+v, %v", text, c, c.String(), again, err)
		}
	})
}

func TestButtonsValidate(t *testing.T) {
	if err := DefaultButtons().Validate(); err != nil {
		t.Error(err)
	}
	good := Buttons{ShiftUp: "BTN_TOP2, shifter:BTN_TRIGGER", ShiftDown: "none", LookLeft: "hat0-left", Reset: "pad:BTN_TOP2"}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	err := Buttons{
		ShiftUp: "BTN_TOP2", Reset: "BTN_THUMB, btn_top2", Pause: "BTN_PINKY", TCUp: "hat0-left", TCDown: "hat0-left", Stop: "BTN_BASE,",
	}.Validate()
	for _, want := range []string{
		"reset: BTN_TOP2 is shift_up already", "did you mean BTN_PINKIE?", "tc_down: hat0-left is tc_up already", "stop: \"\" names no button",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func TestBind(t *testing.T) {
	shifter := device("USB shifter", 0x1234, 1, "BTN_TRIGGER")
	fanatecRim := device("Fanatec CSL DD", fanatec, 0x0020, "BTN_TR", "BTN_TL")
	tests := []struct {
		name    string
		buttons Buttons
		devices []evdev.Info
		device  int // of the event
		code    string
		want    Actions
		notes   string // a part of them, "" if there are none
	}{
		{"the paddles of a known wheel", Buttons{}, []evdev.Info{g29Buttons()}, 0, "BTN_TOP2", 1 << ShiftUp, ""},
		{"the other one", Buttons{}, []evdev.Info{g29Buttons()}, 0, "BTN_PINKIE", 1 << ShiftDown, ""},
		{"paddles under other names", Buttons{}, []evdev.Info{fanatecRim}, 0, "BTN_TL", 1 << ShiftDown, ""},
		{"no paddles", Buttons{ShiftUp: "none"}, []evdev.Info{g29Buttons()}, 0, "BTN_TOP2", 0, ""},
		{"paddles put elsewhere", Buttons{ShiftUp: "BTN_THUMB"}, []evdev.Info{g29Buttons()}, 0, "BTN_TOP2", 0, ""},
		{"a paddle that does something else", Buttons{Reset: "BTN_TOP2"}, []evdev.Info{g29Buttons()}, 0, "BTN_TOP2", 1 << Reset, "shift_up: BTN_TOP2 of Logitech G29 is reset already"},
		{"another device", Buttons{Handbrake: "shifter:BTN_TRIGGER"}, []evdev.Info{g29Buttons(), shifter}, 1, "BTN_TRIGGER", 1 << Handbrake, ""},
		{"the same button of the wheel is another", Buttons{Handbrake: "shifter:BTN_TRIGGER"}, []evdev.Info{g29Buttons(), shifter}, 0, "BTN_TRIGGER", 0, ""},
		{"the wheel by name", Buttons{Pause: "g29:BTN_THUMB", Reset: "BTN_THUMB"}, []evdev.Info{g29Buttons()}, 0, "BTN_THUMB", 1 << Reset, "pause: BTN_THUMB of Logitech G29 is reset already"},
		{"two devices alike", Buttons{Pause: "shifter:BTN_TRIGGER"}, []evdev.Info{g29Buttons(), shifter, shifter}, 2, "BTN_TRIGGER", 1 << Pause, ""},
		{"one of several", Buttons{ShiftUp: "BTN_TOP2,shifter:BTN_TRIGGER"}, []evdev.Info{g29Buttons(), shifter}, 1, "BTN_TRIGGER", 1 << ShiftUp, ""},
		{"a button that is not there", Buttons{Reset: "BTN_DEAD"}, []evdev.Info{g29Buttons()}, 0, "BTN_DEAD", 0, "Logitech G29 has no BTN_DEAD"},
		{"a device that is not there", Buttons{Reset: "moza:BTN_THUMB"}, []evdev.Info{g29Buttons()}, 0, "BTN_THUMB", 0, `no device matches "moza"`},
		{"no wheel", Buttons{Reset: "BTN_THUMB"}, nil, 0, "BTN_THUMB", 0, "no wheel found"},
		{"no wheel is told once", Buttons{Reset: "BTN_THUMB", Pause: "BTN_TOP", LookLeft: "hat0-left"}, nil, 0, "BTN_THUMB", 0, "for hat0-left, BTN_THUMB, BTN_TOP; plug it in"},
		{"no wheel, but a shifter", Buttons{Reset: "BTN_TRIGGER"}, []evdev.Info{{}, shifter}, 1, "BTN_TRIGGER", 0, "no wheel found"},
		{"the shifter's without a wheel", Buttons{Reset: "shifter:BTN_TRIGGER"}, []evdev.Info{{}, shifter}, 1, "BTN_TRIGGER", 1 << Reset, ""},
		{"an unknown wheel", Buttons{}, []evdev.Info{device("Wheel", 1, 1, "BTN_TOP2", "BTN_PINKIE")}, 0, "BTN_TOP2", 0, ""},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			m, notes := c.buttons.Bind(c.devices)
			code, err := evdev.KeyCode(c.code)
			if err != nil {
				t.Fatal(err)
			}
			m.Event(c.device, &evdev.Event{Type: evdev.EvKey, Code: code, Value: 1})
			if got := m.Take(); got.Down != c.want || got.Pressed != c.want {
				t.Errorf("got %+v, want %b", got, c.want)
			}
			all := strings.Join(notes, "\n")
			if (all == "") != (c.notes == "") || !strings.Contains(all, c.notes) {
				t.Errorf("notes %q, want %q", all, c.notes)
			}
		})
	}
}
