package config

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestUpgrade(t *testing.T) {
	for _, tt := range []struct {
		name     string
		kind     FileKind
		text     string
		want     string
		changes  int
		loadable bool
	}{
		{"nothing to do", RigFile, "car = \"gt\" # fast\n", "car = \"gt\" # fast\n", 0, true},
		{"to a new table, with its comment", RigFile,
			"[wheel] # G29\nshift_up_button = \"BTN_4\"  # right paddle\ndevice = \"G29\"\n",
			"[wheel] # G29\ndevice = \"G29\"\n\n[buttons]\nshift_up = \"BTN_4\"  # right paddle\n", 1, true},
		{"to a table that is there", RigFile,
			"[buttons]\npause = \"BTN_1\" # pause\n\n# my wheel\n[wheel]\nshift_up_button = \"BTN_4\"\nshift_down_button = \"BTN_5\"\n",
			"[buttons]\npause = \"BTN_1\" # pause\nshift_up = \"BTN_4\"\nshift_down = \"BTN_5\"\n\n# my wheel\n[wheel]\n", 2, true},
		{"within its table, in place", RigFile,
			"[cueing]\n  roll_gain = 0.5   # soft\n  mode = \"direct\"\n",
			"[cueing]\n  direct.roll_gain = 0.5   # soft\n  mode = \"direct\"\n", 1, true},
		{"beside the table of its new place", RigFile,
			"[cueing]\nroll_gain = 0.5\n[cueing.direct]\nheave_gain = 0\n",
			"[cueing]\n[cueing.direct]\nheave_gain = 0\nroll_gain = 0.5\n", 1, true},
		{"dotted", RigFile, "wheel.shift_up_button = \"BTN_4\"\r\n", "buttons.shift_up = \"BTN_4\"\r\n", 1, true},
		{"no end of the last line", RigFile, "[wheel]\nshift_up_button = \"BTN_4\"", "[wheel]\n\n[buttons]\nshift_up = \"BTN_4\"\n", 1, true},
		{"in an inline table", RigFile,
			"wheel = { device = \"G29\", shift_up_button = \"BTN_4\", grab = true } # all\n",
			"wheel = { device = \"G29\", grab = true } # all\n\n[buttons]\nshift_up = \"BTN_4\"\n", 1, true},
		{"in place in an inline table", CarFile,
			"[front]\ntire = { friction = 1.1, rolling_resistance = 0.01 }\n",
			"[front]\ntire = { brush.friction = 1.1, brush.rolling_resistance = 0.01 }\n", 2, true},
		{"a table", RigFile, "# the seat\n[seat] # SMC3\nstroke_m = 0.1\n", "# the seat\n[geometry] # SMC3\nstroke_m = 0.1\n", 1, true},
		{"a table beside the new one", RigFile,
			"[geometry]\nkind = \"seat\"\n[seat]\nstroke_m = 0.1\n",
			"[geometry]\nkind = \"seat\"\nstroke_m = 0.1\n# seat is geometry now, and is empty here\n# [seat]\n", 2, false},
		{"another meaning", RigFile,
			"[wheel]\nmax_torque_nm = 2\n[ffb]\ndamping_nms_per_rad = 0.06 # calm\n",
			"[wheel]\nmax_torque_nm = 2\n[ffb]\nrim.damping = 0.03 # calm\n", 1, true},
		{"another meaning that the file does not tell", RigFile,
			"[ffb]\ndamping_nms_per_rad = 0.06 # calm\n",
			"[ffb]\n# ffb.damping_nms_per_rad is ffb.rim.damping now: the file does not say the wheel's torque; set it to 0.06 divided by that torque in N·m\n# damping_nms_per_rad = 0.06 # calm\n", 1, true},
		{"out of the new range", RigFile,
			"[wheel]\nmax_torque_nm = 2\n[ffb]\ndamping_nms_per_rad = 2\n",
			"[wheel]\nmax_torque_nm = 2\n[ffb]\n# ffb.damping_nms_per_rad is ffb.rim.damping now: ffb.rim.damping = 1: must be 0 to 0.5\n# damping_nms_per_rad = 2\n", 1, true},
		{"set already", RigFile,
			"[wheel]\nshift_up_button = \"BTN_4\"\n[buttons]\nshift_up = \"BTN_6\"\n",
			"[wheel]\n# wheel.shift_up_button is buttons.shift_up now: buttons.shift_up is set too\n# shift_up_button = \"BTN_4\"\n[buttons]\nshift_up = \"BTN_6\"\n", 1, true},
		{"set already, in an inline table", RigFile,
			"wheel = { shift_up_button = \"BTN_4\" }\nbuttons = { shift_up = \"BTN_6\" }\n",
			"# wheel.shift_up_button is buttons.shift_up now: buttons.shift_up is set too\n# shift_up_button = \"BTN_4\"\nwheel = {  }\nbuttons = { shift_up = \"BTN_6\" }\n", 1, true},
		{"a byte order mark, another case, quotes", RigFile, "\xef\xbb\xbf[Wheel]\n\"Shift_Up_Button\" = \"BTN_4\"\n", "\xef\xbb\xbf[Wheel]\n\n[buttons]\nshift_up = \"BTN_4\"\n", 1, true},
		{"a platform", PlatformFile,
			"# mine\n[seat]\nkind = \"hexapod\"\n[cueing]\nroll_gain = 0.5 # soft\n",
			"# mine\n[geometry]\nkind = \"hexapod\"\n[cueing]\ndirect.roll_gain = 0.5 # soft\n", 2, false},
		{"a platform has no buttons", PlatformFile, "[wheel]\nshift_up_button = \"a\"\n", "[wheel]\nshift_up_button = \"a\"\n", 0, false},
		{"a circuit has none", CircuitFile, "title = \"x\"\n[seat]\na = 1\n", "title = \"x\"\n[seat]\na = 1\n", 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Upgrade(tt.kind, "f.toml", []byte(tt.text))
			if err != nil || string(got.Text) != tt.want || len(got.Changes) != tt.changes {
				t.Fatalf("%v, %d changes %q:\n%s\nwant %d:\n%s", err, len(got.Changes), got.Changes, got.Text, tt.changes, tt.want)
			}
			if err := CheckText(tt.kind, "f.toml", got.Text); tt.loadable && err != nil {
				t.Errorf("it does not load: %v", err)
			}
			if again, err := Upgrade(tt.kind, "f.toml", got.Text); err != nil || !bytes.Equal(again.Text, got.Text) {
				t.Errorf("a second time: %v\n%s", err, again.Text)
			}
		})
	}
}

// What cannot be replaced is an error that says where, and changes nothing.
func TestUpgradeRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"a = \n": "f.toml:1:",
		"wheel = { shift_up_button = \"a\", # one\n device = \"b\" }\n": "f.toml:1:11: key \"wheel.shift_up_button\" is \"buttons.shift_up\" now",
	} {
		if got, err := Upgrade(RigFile, "f.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s\n%s", text, err, says, got.Text)
		}
	}
}

// Each rename leads from a key that is not known to one that is.
func TestRenamesLeadToKeys(t *testing.T) {
	for _, known := range fileTypes {
		for _, r := range renamesIn(known) {
			if isKey(known, r.from) || !isKey(known, r.to) {
				t.Errorf("%v: %s must not be a key, and %s must be one", known, r.from, r.to)
			}
		}
	}
}

// The text of each built-in platform passes as that of a user's file.
func TestPlatformsPassTheCheckOfAnUpgrade(t *testing.T) {
	for _, name := range Platforms() {
		text, _, err := readPlatform(name, "")
		if err == nil {
			err = CheckText(PlatformFile, name+".toml", text)
		}
		if err != nil {
			t.Error(err)
		}
	}
	if err := CheckText(PlatformFile, "p.toml", []byte("[cueing]\nx = 1\n")); err == nil {
		t.Error("an unknown key passed")
	}
}

func isKey(t reflect.Type, key string) bool {
	for part := range strings.SplitSeq(key, ".") {
		f, ok := lookUpKey(t, part)
		if !ok {
			return false
		}
		t = f.Type
	}
	return true
}

func TestAnOldKeyNamesTheCommand(t *testing.T) {
	c := Default()
	for text, says := range map[string]string{
		"[wheel]\nshift_up_button = \"a\"\n":      "f.toml:2:1: key \"wheel.shift_up_button\" is \"buttons.shift_up\" now; run `rig config upgrade`",
		"[seat]\nstroke_m = 0.1\n":                "f.toml:1:2: key \"seat\" is the table [geometry] now; run `rig config upgrade`",
		"[ffb]\ndamping_nms_per_rad = 0.1\n":      "a fraction of the wheel's torque; run `rig config upgrade`",
		"[cueing]\nroll_gain = 1\npitch_gain=1\n": "run `rig config upgrade`",
	} {
		if err := Decode("f.toml", []byte(text), &c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
	path := filepath.Join(t.TempDir(), "car.toml")
	if err := os.WriteFile(path, []byte("[front.tire]\nfriction = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	platform := filepath.Join(t.TempDir(), "p.toml")
	if err := os.WriteFile(platform, []byte("[cueing]\nroll_gain = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.applyBases("", nil, platform); err == nil || !strings.Contains(err.Error(), "\"cueing.direct.roll_gain\" now; run `rig config upgrade`") {
		t.Error(err)
	}
	if _, err := LoadCar(path); err == nil || !strings.Contains(err.Error(), "front.tire.brush.friction\" now; run `rig config upgrade`") {
		t.Error(err)
	}
}

func TestSetKeys(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "[ffb]\ngain = 0.8\n"},
		{"replaced", "# mine\n[ffb]\ngain = 1 # full\n", "# mine\n[ffb]\ngain = 0.8 # full\n"},
		{"in its table", "[ffb]\n# none yet\n\n[assists]\nabs = 2\n", "[ffb]\ngain = 0.8\n# none yet\n\n[assists]\nabs = 2\n"},
		{"inline", "ffb = { gain = 1 }\n", "ffb = { gain = 0.8 }\n"},
		{"dotted", "ffb.gain = 1\n", "ffb.gain = 0.8\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := SetKeys([]byte(tt.text), map[string]any{"ffb.gain": 0.8}); err != nil || string(got) != tt.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, tt.want)
			}
		})
	}
	if _, err := SetKeys([]byte("ffb = 1\n"), map[string]any{"ffb.gain": 0.8}); err == nil {
		t.Error("a key was put into a number")
	}
	if got, err := SetKeys([]byte("top = 1\n[a]\n"), map[string]any{"driver": "anna"}); err != nil || string(got) != "driver = 'anna'\ntop = 1\n[a]\n" {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestNamedFiles(t *testing.T) {
	got := NamedFiles("/etc/rig/rig.toml", []byte("platform = \"seat.toml\"\ntrack = \"/a/b.toml\"\ncar = \"mine.toml\"\n"))
	want := []NamedFile{{"/etc/rig/mine.toml", CarFile}, {"/a/b.toml", CircuitFile}, {"/etc/rig/seat.toml", PlatformFile}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := NamedFiles("rig.toml", []byte("car = 1\ntrack = \"a.glb\"\nplatform = \"hexapod-6\"\n")); len(got) != 0 {
		t.Errorf("%v, want none", got)
	}
}

// Whatever file is upgraded: the result is valid, the keys that were not renamed have the same values, no comment is
// lost, and a second time changes nothing.
func FuzzUpgrade(f *testing.F) {
	f.Add([]byte("# rig\n[wheel] # w\nshift_up_button = \"a\" # b\n[seat]\nstroke_m = 1\n[geometry]\nstroke_m = 2\n"))
	f.Add([]byte("wheel = { shift_up_button = 'a', device = 'b' }\ncueing.roll_gain = 1\n[cueing.direct]\n"))
	f.Add([]byte("[cueing]\nroll_gain = [ 1, # one\n 2 ]\nmode=\"\"\"\n[seat]\n\"\"\"\n[[seat.x]]\ny=nan\n"))
	f.Add([]byte("seat = {stroke_m = 0.1,}\nSeat.x = 1\r\n[front.tire]\nfriction = 1\nbrush = 3\n"))
	f.Add([]byte("[ffb]\ndamping_nms_per_rad = 1e300\n[ffb.rim]\n[wheel]\nmax_torque_nm = 1e-300\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, kind := range []FileKind{RigFile, CarFile, PlatformFile} {
			got, err := Upgrade(kind, "f.toml", text)
			if err != nil {
				continue
			}
			before, err := parseDocument(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
			if err != nil {
				t.Fatal(err)
			}
			after, err := parseDocument(bytes.TrimPrefix(got.Text, []byte("\xef\xbb\xbf")))
			if err != nil {
				t.Fatalf("the result is not valid: %v\n%s", err, got.Text)
			}
			list := renamesIn(fileTypes[kind])
			if a, b := unrenamed(before.values, list), unrenamed(after.values, list); !sameValues(a, b) {
				t.Errorf("other keys changed:\n%#v\n%#v", a, b)
			}
			if !keepsComments(before.text, after.text) {
				t.Errorf("a comment is lost:\n%s\n%s", text, got.Text)
			}
			if len(got.Changes) == 0 && !bytes.Equal(text, got.Text) {
				t.Error("it changed without a change")
			}
			if again, err := Upgrade(kind, "f.toml", got.Text); err != nil || !bytes.Equal(again.Text, got.Text) {
				t.Errorf("a second time: %v\n%s\n%s", err, got.Text, again.Text)
			}
		}
	})
}

// unrenamed returns values without the keys of renames, old and new.
func unrenamed(values map[string]any, list []rename) map[string]any {
	for _, r := range list {
		for _, key := range []string{r.from, r.to} {
			for values = dropFold(values, strings.Split(key, ".")); ; {
				if _, found := lookUp(values, strings.Split(key, ".")); !found {
					break
				}
				values = dropFold(values, strings.Split(key, "."))
			}
		}
	}
	return values
}

// dropFold returns values without those at a path, whatever their case.
func dropFold(values map[string]any, path []string) map[string]any {
	out := map[string]any{}
	for key, v := range values {
		table, isTable := v.(map[string]any)
		switch {
		case !strings.EqualFold(key, path[0]):
			out[key] = v
		case len(path) == 1:
		case isTable:
			out[key] = dropFold(table, path[1:])
		default:
			out[key] = v
		}
	}
	return out
}
