package wheel

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// kernel is a driver's settings, behaving as its source says.
type kernel struct {
	files   map[string]string
	store   func(k *kernel, name, value string) error // nil takes anything
	pending map[string]string                         // shown once the wheel has answered
	waits   int
	writes  []setting
}

func (k *kernel) attrs() driverSettings {
	return driverSettings{
		read: func(name string) (string, error) {
			v, ok := k.files[name]
			if !ok {
				return "", fs.ErrNotExist
			}
			return v, nil
		},
		write: func(name, value string) error {
			k.writes = append(k.writes, setting{name, value})
			if k.store != nil {
				return k.store(k, name, value)
			}
			k.files[name] = value
			return nil
		},
	}
}

// wait lets the wheel answer after 40 ms.
func (k *kernel) wait(time.Duration) {
	if k.waits++; k.waits < 2 {
		return
	}
	for name, v := range k.pending {
		k.files[name] = v
	}
}

func ignores(low, high int) func(*kernel, string, string) error {
	return func(k *kernel, name, value string) error {
		if n, _ := strconv.Atoi(value); n >= low && n <= high {
			k.files[name] = value
		}
		return nil
	}
}

func cuts(low, high int) func(*kernel, string, string) error {
	return func(k *kernel, name, value string) error {
		n, _ := strconv.Atoi(value)
		k.files[name] = strconv.Itoa(min(max(n, low), high))
		return nil
	}
}

func answersLate(k *kernel, name, value string) error {
	k.pending = map[string]string{name: value}
	return nil
}

func refuses(*kernel, string, string) error { return fs.ErrInvalid }

func TestTurn(t *testing.T) {
	g29, t248, momo := modelTable[[2]evdev.ID{logitech, 0xc24f}], modelTable[[2]evdev.ID{thrustmaster, 0xb696}], modelTable[[2]evdev.ID{logitech, 0xc295}]
	dd, g920, simagicEVO := modelTable[[2]evdev.ID{fanatec, 0x0020}], modelTable[[2]evdev.ID{logitech, 0xc262}], modelTable[[2]evdev.ID{simagic, 0x0501}]
	tests := []struct {
		name, driver string
		model        Model
		store        func(*kernel, string, string) error
		was          string
		ask, want    float64
		noted        bool
		kept         string // what is restored, "" if nothing
	}{
		{"lg4ff", "logitech", g29, ignores(40, 900), "900", 540, 540, false, "900"},
		{"lg4ff, as it is", "logitech", g29, ignores(40, 900), "900", 900, 900, false, ""},
		{"lg4ff, more than the wheel has", "logitech", g29, ignores(40, 900), "900", 1080, 900, true, ""},
		{"lg4ff, unknown wheel, passed over", "logitech", Model{}, ignores(40, 900), "900", 1080, 900, true, "900"},
		{"lg4ff, fixed", "logitech", momo, ignores(40, 270), "270", 180, 270, true, ""},
		{"tmff2", "tmff2", t248, cuts(40, 1080), "900", 360, 360, false, "900"},
		{"tmff2, unknown wheel, cut", "tmff2", Model{}, cuts(40, 1080), "900", 2000, 1080, true, "900"},
		{"fanatec, in tens, late", "fanatec", dd, answersLate, "2530", 545, 550, true, "2530"},
		{"fanatec, late", "fanatec", dd, answersLate, "1080", 540, 540, false, "1080"},
		{"hidpp, late", "logitech-hidpp-device", g920, answersLate, "900", 360, 360, false, "900"},
		{"unknown driver", "new", Model{}, nil, "900", 360, 360, false, "900"},
		{"simagic", "simagic-ff", simagicEVO, answersLate, "900", 540, 540, false, "900"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			tune := tuningOf(c.driver)
			k := &kernel{files: map[string]string{tune.rotation: c.was}, store: c.store}
			r, err := tune.setRotation(k.attrs(), c.model, c.ask, k.wait)
			if err != nil || r.deg != c.want || (r.note != "") != c.noted {
				t.Fatalf("got %g, note %q, %v; want %g", r.deg, r.note, err, c.want)
			}
			var kept []setting
			if c.kept != "" {
				kept = []setting{{tune.rotation, c.kept}}
			}
			if !slices.Equal(r.saved, kept) {
				t.Errorf("to be restored: %v, want %v", r.saved, kept)
			}
			k.store = nil
			if err := k.attrs().restore(r.saved); err != nil || c.kept != "" && k.files[tune.rotation] != c.kept {
				t.Errorf("restored to %s, %v; want %s", k.files[tune.rotation], err, c.kept)
			}
		})
	}
}

func TestTurnThatFails(t *testing.T) {
	none := &kernel{files: map[string]string{}}
	if _, err := tuningOf("hid-universal-pidff").setRotation(none.attrs(), Model{}, 900, none.wait); !errors.Is(err, errNoRotation) {
		t.Errorf("no such attribute: %v, want errNoRange", err)
	}
	menu := &kernel{files: map[string]string{"range": "1080"}, store: refuses}
	if r, err := tuningOf("fanatec").setRotation(menu.attrs(), Model{}, 540, menu.wait); !errors.Is(err, fs.ErrInvalid) || r.deg != 1080 || r.saved != nil {
		t.Errorf("refused: %+v, %v; want the 1080 there is, and nothing to restore", r, err)
	}
	invalid := &kernel{files: map[string]string{"range": "wide"}}
	if _, err := tuningOf("logitech").setRotation(invalid.attrs(), Model{}, 540, invalid.wait); err == nil || len(invalid.writes) != 0 {
		t.Errorf("a range that is not a number: %v, %v written", err, invalid.writes)
	}
	slow := &kernel{files: map[string]string{"range": "900"}, store: func(*kernel, string, string) error { return nil }}
	r, err := tuningOf("logitech-hidpp-device").setRotation(slow.attrs(), Model{}, 540, slow.wait)
	if err != nil || r.deg != 900 || r.note == "" || slow.waits != 10 {
		t.Errorf("never answered: %+v, %v after %d looks; want 900 degrees, a note and 200 ms", r, err, slow.waits)
	}
}

func TestGainIsCountedNotRaised(t *testing.T) {
	tests := []struct {
		name, driver, gain string
		share              float64
		noted              bool
	}{
		{"all of it", "logitech", "65535", 1, false},
		{"the kernel's own hid-lg4ff", "logitech", "", 1, false},
		{"as hid-tmff2 starts", "tmff2", "40000", 40000. / 65535, true},
		{"none at all", "hid-t150", "0", 0, true},
		{"more than there is", "hid-t150", "70000", 1, false},
		{"no such driver", "fanatec", "0", 1, false},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			k := &kernel{files: map[string]string{}}
			if c.gain != "" {
				k.files["gain"] = c.gain
			}
			share, note := tuningOf(c.driver).gainShare(k.attrs())
			if share != c.share || (note != "") != c.noted || len(k.writes) != 0 {
				t.Errorf("share %g, note %q, written %v; want %g", share, note, k.writes, c.share)
			}
		})
	}
}

func TestSpringIsTakenOffAndRestored(t *testing.T) {
	k := &kernel{files: map[string]string{"autocenter": "12000", "enable_autocenter": "y"}}
	kept, err := tuningOf("hid-t150").disableSpring(k.attrs())
	if err != nil || k.files["autocenter"] != "0" || k.files["enable_autocenter"] != "n" {
		t.Fatalf("spring is %v, %v", k.files, err)
	}
	k.writes = nil
	if err := k.attrs().restore(kept); err != nil || k.files["autocenter"] != "12000" || k.files["enable_autocenter"] != "y" {
		t.Errorf("restored to %v, %v", k.files, err)
	}
	if want := []setting{{"enable_autocenter", "y"}, {"autocenter", "12000"}}; !slices.Equal(k.writes, want) {
		t.Errorf("restored in the order %v, want %v", k.writes, want)
	}
	off := &kernel{files: map[string]string{"autocenter": "0"}}
	if kept, err := tuningOf("logitech").disableSpring(off.attrs()); kept != nil || err != nil || off.writes != nil {
		t.Errorf("a spring that was off: kept %v, written %v, %v", kept, off.writes, err)
	}
}

// The folder is found from the node, through a link such as those in by-id.
func TestAttrsOfANode(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "class/input/event7/device/device")
	node, link := filepath.Join(root, "event7"), filepath.Join(root, "usb-Logitech-event-joystick")
	for _, err := range []error{
		os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "range"), []byte("900\n"), 0o644),
		os.WriteFile(node, nil, 0o644), os.Symlink(node, link),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	a := settingsOf(root, link)
	if n, err := a.readInt("range"); n != 900 || err != nil {
		t.Fatalf("range %d, %v; want 900", n, err)
	}
	if err := a.write("range", "540"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.readInt("gain"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no gain: %v", err)
	}
	if err := a.write("gain", "1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a setting was made: %v", err)
	}
}

// A driver may show any text: the rotation is one that a wheel can have, and
// its gain lets through nothing to all.
func FuzzDriversSettings(f *testing.F) {
	for _, s := range []string{"900", "-5", "0", "99999999999999999999", "2147483647", "wide", "", "9\n00"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, rotation, gain string) {
		for driver := range tuningTable {
			tune := tuningOf(driver)
			tune.readBackTime = 0
			k := &kernel{files: map[string]string{tune.rotation: rotation, "gain": gain}, store: func(*kernel, string, string) error { return nil }}
			s := &session{tuning: tune, settings: k.attrs()}
			s.setRange(DefaultConfig(), false)
			if d := s.profile.RangeDeg; !(d >= minRangeDeg && d <= maxRangeDeg) {
				t.Fatalf("%s shows %q: %g degrees", driver, rotation, d)
			}
			if share, _ := tune.gainShare(s.settings); !(share >= 0 && share <= 1) {
				t.Fatalf("%s shows a gain of %q: %g", driver, gain, share)
			}
		}
	})
}

// An axis of any range turns into an angle within the rotation.
func TestDeclaredAxesOfAnyRange(t *testing.T) {
	tests := []struct {
		name      string
		low, high int32
		ok        bool
	}{
		{"all there is", math.MinInt32, math.MaxInt32, true},
		{"one count", math.MaxInt32 - 1, math.MaxInt32, true},
		{"no travel", 7, 7, false},
		{"backwards", 255, 0, false},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			s := &session{info: evdev.Info{Name: "odd", Axes: []evdev.Axis{{Name: "ABS_X", Min: c.low, Max: c.high}}}}
			_, err := s.loadProfile(calib.Store{Dir: t.TempDir()})
			if (err == nil) != c.ok {
				t.Fatalf("got %v", err)
			}
			if !c.ok {
				return
			}
			s.profile.RangeDeg = 900
			s.recenter(450)
			for _, raw := range []int32{c.low, c.high, s.profile.Center} {
				if a := s.profile.Angle(raw); !(math.Abs(a) <= 900*math.Pi/180) {
					t.Errorf("%d is %g rad", raw, a)
				}
			}
		})
	}
}
