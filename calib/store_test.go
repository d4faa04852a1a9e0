package calib

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
)

var someWheel = Identity{Name: "Logitech G29", Vendor: 0x046d, Product: 0xc24f, Version: 0x111, Phys: "usb-0000:00:14.0-3/input0"}

func TestSaveAndReadBack(t *testing.T) {
	s := Store{filepath.Join(t.TempDir(), "not", "there", "yet")}
	w := goodWheel()
	w.Device, w.Date, w.Samples = someWheel, time.Date(2026, 11, 21, 1, 2, 3, 0, time.UTC), []int32{1, -2, 3}
	path, err := s.SaveWheel(w)
	if err != nil {
		t.Fatal(err)
	}
	if got := filepath.Base(path); got != "wheel-046d-c24f-0111-usb-0000-00-14.0-3-input0.toml" {
		t.Errorf("file name %s", got)
	}
	got, err := s.Wheel(someWheel)
	if err != nil || !reflect.DeepEqual(got, w) {
		t.Errorf("got %+v, %v; want %+v", got, err, w)
	}
	p := PedalsProfile{Version: ProfileVersion, Device: someWheel, Brake: &Axis{Code: "ABS_RZ", Rest: 255, DeadLow: 0.01, Samples: []int32{255}}}
	if _, err := s.SavePedals(p); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Pedals(someWheel); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("got %+v, %v; want %+v", got, err, p)
	}
}

func TestSaveKeepsTheOneBefore(t *testing.T) {
	s := Store{t.TempDir()}
	var path string
	for _, deg := range []float64{540, 720, 900} {
		w := goodWheel()
		w.Device, w.RangeDeg = someWheel, deg
		var err error
		if path, err = s.SaveWheel(w); err != nil {
			t.Fatal(err)
		}
	}
	now, _ := os.ReadFile(path)
	before, _ := os.ReadFile(path + ".bak")
	if !strings.Contains(string(now), "range_deg = 900") || !strings.Contains(string(before), "range_deg = 720") {
		t.Errorf("now:\n%s\nbefore:\n%s\nwant 900 and 720 degrees", now, before)
	}
	if list, _ := os.ReadDir(s.Dir); len(list) != 2 {
		t.Errorf("%d files, want 2: %v", len(list), list)
	}
}

func TestSaveRefusesABadProfile(t *testing.T) {
	s := Store{t.TempDir()}
	if _, err := s.SaveWheel(WheelProfile{}); err == nil {
		t.Error("an empty profile was saved")
	}
	if list, _ := os.ReadDir(s.Dir); len(list) != 0 {
		t.Errorf("%d files, want none", len(list))
	}
}

func TestProfileOfADeviceThatMoved(t *testing.T) {
	s := Store{t.TempDir()}
	w := goodWheel()
	w.Device = someWheel
	if _, err := s.SaveWheel(w); err != nil {
		t.Fatal(err)
	}
	moved, serial, other := someWheel, someWheel, someWheel
	moved.Phys = "usb-0000:00:14.0-7/input0"
	serial.Uniq = "A1"
	other.Product = 0xc29b
	if _, err := s.Wheel(moved); err != nil {
		t.Errorf("another place: %v, want the profile of its model", err)
	}
	for name, id := range map[string]Identity{"a serial number": serial, "another product": other} {
		if _, err := s.Wheel(id); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "rig calibrate wheel") {
			t.Errorf("%s: %v, want none and what to do", name, err)
		}
	}
	second := w
	second.Device.Phys = "usb-0000:00:14.0-9/input0"
	if _, err := s.SaveWheel(second); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Wheel(moved); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("two of the model: %v, want none: either may be meant", err)
	}
}

func TestFileNamesAreSafe(t *testing.T) {
	tests := []struct{ name, own, want string }{
		{"place", "usb-3/input0", "0000-0000-0000-usb-3-input0"},
		{"way out of the folder", "../../etc/passwd", "0000-0000-0000-etc-passwd"},
		{"nothing", "", "0000-0000-0000-any"},
		{"only dots", "...", "0000-0000-0000-any"},
		{"other letters", "ä\x00b", "0000-0000-0000-b"},
		{"very long", strings.Repeat("a", 500), "0000-0000-0000-" + strings.Repeat("a", 80)},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if got := (Identity{Uniq: c.own}).fileName(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestParseErrorsNameThePlace(t *testing.T) {
	tests := []struct{ name, text, says string }{
		{"unknown key", "version = 1\nrange = 900\n", `p.toml:2:1: unknown key ["range"]`},
		{"not TOML", "version = = 1\n", "p.toml:1:11: "},
		{"wrong type", "version = 1\nleft = \"x\"\n", "p.toml:2:8: "},
		{"missing values", "version = 1\n", "axis"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			err := parse("p.toml", []byte(c.text), &WheelProfile{})
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func FuzzParseProfile(f *testing.F) {
	w := goodWheel()
	b, err := toml.Marshal(&w)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	strong := weak()
	if b, err = toml.Marshal(&strong); err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte("version = 1\n[brake]\ncode = \"ABS_RZ\"\nrest = 255\n"))
	f.Add([]byte("version = 1\n[[device]]\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var w WheelProfile
		if parse("f", in, &w) == nil {
			checkAgain(t, &w, &WheelProfile{})
			if a := w.Angle(w.Left) - w.Angle(w.Right); !(a > 0) {
				t.Errorf("left and right lock are %g rad apart", a)
			}
			if m := NewMotor(&w, 2); m != nil && !(m.Level(m.FullTorque()) <= 1) {
				t.Errorf("level %g at full torque", m.Level(m.FullTorque()))
			}
		}
		var p PedalsProfile
		if parse("f", in, &p) == nil {
			checkAgain(t, &p, &PedalsProfile{})
		}
	})
}

// checkAgain writes an accepted profile and reads it back.
func checkAgain(t *testing.T, p, again profile) {
	t.Helper()
	b, err := toml.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := parse("f", b, again); err != nil {
		t.Fatalf("%v in what was written:\n%s", err, b)
	}
}

func TestAProfileMayHaveAByteOrderMarkButNotEndlessKeys(t *testing.T) {
	w := goodWheel()
	text, err := toml.Marshal(&w)
	if err != nil {
		t.Fatal(err)
	}
	if err := parse("p.toml", append([]byte("\xef\xbb\xbf"), text...), &WheelProfile{}); err != nil {
		t.Error(err)
	}
	err = parse("p.toml", []byte(strings.Repeat("a = 1\n", 2000)), &WheelProfile{})
	if err == nil || !strings.Contains(err.Error(), "p.toml:1001:1: more than 1000 keys and tables") {
		t.Errorf("%v", err)
	}
}

// What root measures belongs to the owner of the folder, also in folders that are new.
func TestProfilesBelongToTheOwnerOfTheFolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	const owner = 12345
	above := t.TempDir()
	if err := os.Chown(above, owner, owner); err != nil {
		t.Fatal(err)
	}
	s := Store{filepath.Join(above, "rig", "profiles")}
	w := goodWheel()
	w.Device = someWheel
	path, err := s.SaveWheel(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, s.Dir, filepath.Dir(s.Dir)} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if st := info.Sys().(*syscall.Stat_t); st.Uid != owner || st.Gid != owner {
			t.Errorf("%s: owner %d:%d", name, st.Uid, st.Gid)
		}
	}
}
