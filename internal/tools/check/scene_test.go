package check

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/rt"
	"rig.example/rig/internal/live/machine"
)

// put writes files below root. A text that begins with "-> " makes a link to that path, below root if it has no / at
// its start.
func put(t *testing.T, root string, contents map[string]string) {
	t.Helper()
	for path, text := range contents {
		path = filepath.Join(root, path)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if target, isLink := strings.CutPrefix(text, "-> "); isLink {
			if !filepath.IsAbs(target) {
				target = filepath.Join(root, target)
			}
			err = errors.Join(err, os.Symlink(target, path))
		} else {
			err = errors.Join(err, os.WriteFile(path, []byte(text+"\n"), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

const (
	usb = "sys/devices/pci0/usb1/1-3/"
	hid = usb + "1-3:1.0/0003:046D:C24F.0004/"
)

// g29Scene is a machine on which nothing is wrong, with a calibrated G29 whose node does not exist here.
func g29Scene(t *testing.T) *scene {
	t.Helper()
	root := t.TempDir()
	put(t, root, map[string]string{
		usb + "idVendor": "046d", usb + "idProduct": "c24f", usb + "bcdDevice": "8900",
		usb + "power/control": "on", usb + "power/autosuspend_delay_ms": "2000",
		hid + "driver": "-> sys/bus/hid/drivers/logitech", hid + "hidraw/hidraw2/dev": "247:2", hid + "range": "900",
		hid + "input/input7/event995/dev": "13:69", hid + "input/input7/event995/device": "-> " + hid + "input/input7",
		hid + "input/input7/device": "-> " + hid, hid + "input/input7/js0/dev": "13:0",
		"sys/class/input/event995": "-> " + hid + "input/input7/event995", "sys/bus/usb/devices/1-3": "-> " + usb,
	})
	g29 := evdev.Info{
		Path: "/dev/input/event995", Name: "Logitech G29", Vendor: 0x046d, Product: 0xc24f, Version: 0x111, Bus: 3, Driver: "logitech", Firmware: 0x8900, Kind: evdev.KindWheel,
		Axes: []evdev.Axis{{Name: "ABS_X", Max: 65535, Value: 32800}, {Name: "ABS_Z", Max: 255, Value: 255, Code: evdev.AbsZ}}, FFEffects: []string{"FF_CONSTANT"},
	}
	cfg := config.Default()
	cfg.Display.Window, cfg.Realtime, cfg.Profiles = false, rt.Config{CPU: -1}, filepath.Join(root, "profiles")
	cfg.Record.Folder, cfg.Record.FreeGB = root, 0
	s := &scene{
		cfg: cfg, options: Options{Features: []Feature{{Part: string(Sound), Summary: func(*config.Config) string { return "off" }}}}, root: root, kernel: "6.12.48+deb13-amd64", user: machine.User{Name: "ann", ID: 1000, Groups: []int{1000}}, nodes: []evdev.Info{g29},
		store: calib.Store{Dir: cfg.Profiles}, wheel: g29, pedals: g29, denied: map[string]bool{},
	}
	p := calib.WheelProfile{Version: calib.ProfileVersion, Date: time.Unix(0, 0).UTC(), Device: calib.IdentityOf(g29), Axis: "ABS_X", Right: 65535, Center: 32768, RangeDeg: 900}
	_, err := s.store.SaveWheel(p)
	_, err2 := s.store.SavePedals(calib.PedalsProfile{Version: calib.ProfileVersion, Device: p.Device, Brake: &calib.Axis{Code: "ABS_Z", Rest: 255, Press: 10}})
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return s
}

// text returns the findings as lines, and checks that their commands can be run.
func (s *scene) text(t *testing.T) string {
	t.Helper()
	text := ""
	for _, f := range s.findings {
		if f.Check == "timers" {
			continue // of the machine that runs the test
		}
		text += fmt.Sprintf("%s %s %s: %s → %s\n", f.Check, f.Level, f.Where, f.What, f.Remedy)
		if err := runnable(f.Command); f.Command != "" && err != nil {
			t.Errorf("%s: %v", f.Check, err)
		}
	}
	return text
}

func TestNothingIsSaidOfAMachineOnWhichNothingIsWrong(t *testing.T) {
	s := g29Scene(t)
	r := s.examine()
	if text := s.text(t); text != "" {
		t.Errorf("found\n%s", text)
	}
	var lines []string
	for _, l := range r.Summary {
		lines = append(lines, string(l.Part)+" "+l.Text+": "+l.State())
	}
	for _, want := range []string{
		"configuration built-in defaults: ok", "car coupe: ok", "track club, dry: ok",
		"wheel Logitech G29 at /dev/input/event995, driver logitech, calibrated on 1970-01-01, stands 0° right of the center: ok",
		"pedals Logitech G29 at /dev/input/event995: ok", "window none: ok", "sound off: ok", "real time ordinary priority, kernel 6.12.48+deb13-amd64: ok",
	} {
		if !strings.Contains(strings.Join(lines, "\n"), want) {
			t.Errorf("%q is missing in\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

// A machine that shows neither /sys nor /proc, as some containers, has no other problems than missing devices.
func TestNothingIsSaidOfAContainer(t *testing.T) {
	s := g29Scene(t)
	s.root = t.TempDir()
	s.nodes, s.wheel, s.pedals = nil, evdev.Info{}, evdev.Info{}
	s.wheelErr, s.pedalsErr = errors.New("not found"), errors.New("not found")
	s.examine()
	if text := s.text(t); strings.Count(text, "\n") != 2 || !strings.Contains(text, "wheel warning") || !strings.Contains(text, "pedals warning") {
		t.Errorf("found\n%s", text)
	}
}

func TestProblemsOfTheWheelAreFound(t *testing.T) {
	program := func(pid, name, flags, file string) map[string]string {
		p := "proc/" + pid + "/"
		return map[string]string{p + "comm": name, p + "fd/7": "-> " + file, p + "fdinfo/7": "pos:\t0\nflags:\t" + flags}
	}
	change := func(f func(s *scene)) func(s *scene) { return f }
	for _, tt := range []struct {
		name  string
		files map[string]string
		edit  func(*scene)
		want  string // the beginning of the only line; "" for none
		also  string
	}{
		{name: "Steam plays over the raw node", files: program("41", "steam", "0100000", "/dev/hidraw2"), want: "wheel-shared warning wheel: steam (pid 41) has /dev/hidraw2 open", also: "`kill 41`"},
		{name: "a game plays forces", files: program("41", "game", "0100002", "/dev/input/event995"), want: "wheel-shared warning wheel: game (pid 41) has /dev/input/event995 open", also: "`kill 41`"},
		{name: "a game reads", files: program("41", "jstest", "0100000", "/dev/input/event995"), want: "wheel-read note wheel: jstest (pid 41)"},
		{name: "the desktop", files: program("41", "systemd-logind", "0100002", "/dev/input/event995")},
		{name: "a running rig", files: program("41", "rig", "0100002", "/dev/input/event995"), want: "running note wheel: rig (pid 41)"},
		{name: "another device", files: program("41", "game", "0100002", "/dev/input/event6")},
		{name: "another kernel", edit: change(func(s *scene) {
			s.kernel, s.wheel.Driver, s.cfg.Wheel.Spring = "6.18.15", "hid-universal-pidff", 0.5
			p, _ := s.store.Wheel(calib.IdentityOf(s.wheel))
			p.Device.Driver = s.wheel.Driver
			_, _ = s.store.SaveWheel(p)
		}), want: "kernel-other-programs note kernel: "},
		{name: "no force", edit: change(func(s *scene) { s.wheel.FFEffects = nil }), want: "wheel-force warning wheel: Logitech G29: it offers no constant force", also: "power supply"},
		{name: "new firmware", edit: change(func(s *scene) { s.wheel.Firmware = 0x8901 }), want: "wheel-firmware warning wheel: its firmware was 8900 when it was calibrated, and is 8901", also: "`rig calibrate wheel`"},
		{name: "new driver", edit: change(func(s *scene) { s.wheel.Driver = "new-lg4ff" }), want: "wheel-firmware warning wheel: its driver was logitech when it was calibrated, and is new-lg4ff", also: "`rig calibrate wheel`"},
		{name: "another mode", edit: change(func(s *scene) { s.wheel.Axes[0].Max = 16383; s.wheel.Axes[0].Value = 8000 }), want: "wheel-range warning wheel: it reports 0 to 16383, and was calibrated from 0 to 65535"},
		{name: "beyond its lock", edit: change(func(s *scene) { s.wheel.Axes[0].Max = 70000; s.wheel.Axes[0].Value = 69000 }), want: "wheel-range warning wheel: it stands at 69000"},
		{name: "not yet reported", edit: change(func(s *scene) { s.wheel.Axes[0].Value = 0 })},
		{name: "turned, without a spring", edit: change(func(s *scene) { s.wheel.Axes[0].Value = 40000 })},
		{name: "turned, with a spring", files: map[string]string{hid + "autocenter": "65535"}, edit: change(func(s *scene) { s.wheel.Axes[0].Value = 40000 }), want: "wheel-center note wheel: its centering spring holds it 99° right of"},
		{name: "an unknown wheel", edit: change(func(s *scene) { s.wheel.Vendor = 0x1234 }), want: "uncalibrated warning wheel: Logitech G29 is not calibrated", also: "`rig calibrate wheel`"},
	} {
		s := g29Scene(t)
		put(t, s.root, tt.files)
		if tt.edit != nil {
			tt.edit(s)
		}
		s.checkWheel()
		text := s.text(t)
		if (text == "") != (tt.want == "") || !strings.HasPrefix(text, tt.want) || !strings.Contains(text, tt.also) || strings.Count(text, "\n") > 1 {
			t.Errorf("%s: found %q, want %q", tt.name, text, tt.want)
		}
	}
}

// What is stored on disk is what the table of drivers in package machine finds: once, with the module to load.
func TestAWheelWithoutItsDriverIsReportedOnce(t *testing.T) {
	s := g29Scene(t)
	if err := os.Remove(filepath.Join(s.root, hid, "driver")); err != nil {
		t.Fatal(err)
	}
	put(t, s.root, map[string]string{hid + "driver": "-> sys/bus/hid/drivers/hid-generic", "lib/modules/" + s.kernel + "/modules.dep": "kernel/drivers/hid/hid-logitech.ko.xz:"})
	s.wheel.FFEffects = nil
	s.checkWheel()
	if text := s.text(t); strings.Count(text, "\n") != 1 || !strings.Contains(text, "wheel-driver warning") || s.findings[0].Command != "sudo modprobe hid-logitech" {
		t.Errorf("found\n%s", text)
	}
}

func TestADeviceThatSleepsIsFound(t *testing.T) {
	s := g29Scene(t)
	put(t, s.root, map[string]string{usb + "power/control": "auto"})
	s.checkSuspend(s.wheel, "wheel")
	if text := s.text(t); !strings.HasPrefix(text, "autosuspend warning wheel: ") || s.findings[0].Command != "echo on | sudo tee /sys/bus/usb/devices/1-3/power/control" {
		t.Errorf("found\n%s", text)
	}
}

func TestPedalsThatDoNotFitTheirCalibration(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(*scene)
		want string
	}{
		{"at rest", func(*scene) {}, ""},
		{"pressed", func(s *scene) { s.pedals.Axes[1].Value = 200 }, "pedal-pressed note pedals: the brake stands at 22 %"},
		{"at the other end", func(s *scene) { s.pedals.Axes[1].Value = 20 }, "pedal-reversed warning pedals: the brake stands at 20, where"},
		{"beyond rest", func(s *scene) { s.pedals.Axes[1].Value = 290 }, "pedal-range warning pedals: the brake stands at 290"},
		{"not yet reported", func(s *scene) { s.pedals.Axes[1].Value = 0 }, ""},
		{"new firmware", func(s *scene) { s.pedals.Firmware = 1 }, "pedals-firmware warning pedals: "},
		{"new driver", func(s *scene) { s.pedals.Driver = "new-lg4ff" }, "pedals-firmware warning pedals: its driver was logitech when it was calibrated, and is new-lg4ff"},
	} {
		s := g29Scene(t)
		tt.edit(s)
		s.checkPedalsProfile()
		if text := s.text(t); (text == "") != (tt.want == "") || !strings.HasPrefix(text, tt.want) {
			t.Errorf("%s: found %q, want %q", tt.name, text, tt.want)
		}
	}
}

func TestOthersOnTheControllersLineAreFound(t *testing.T) {
	for name, want := range map[string]string{
		"ModemManager": "line-shared error platform: ModemManager (pid 61) has /dev/ttyACM995 open → stop it: `sudo systemctl stop ModemManager`\n",
		"minicom":      "line-shared error platform: minicom (pid 61) has /dev/ttyACM995 open → close it, or end it: `kill 61`\n",
		"rig":          "running note platform: rig (pid 61) has /dev/ttyACM995 open: a rig is running → end that drive before you start another\n",
	} {
		s := g29Scene(t)
		put(t, s.root, map[string]string{"proc/61/comm": name, "proc/61/fd/3": "-> /dev/ttyACM995", "proc/61/fdinfo/3": "flags:\t02"})
		s.checkLineHolders("/dev/ttyACM995")
		if text := s.text(t); text != want {
			t.Errorf("%s: found %q, want %q", name, text, want)
		}
	}
}

func TestGroupsOfWhatIsRefused(t *testing.T) {
	s := g29Scene(t)
	put(t, s.root, map[string]string{"etc/group": "input:x:104:\nrealtime:x:990:\ndialout:x:20:"})
	s.nodes = append(s.nodes, evdev.Info{Path: "/dev/input/event995", Err: fs.ErrPermission}, evdev.Info{Path: "/dev/input/event0", Err: fs.ErrPermission})
	needs := s.needs([]rt.Problem{{Check: "memory"}, {Check: "priority"}, {Check: "timers"}})
	if len(needs) != 2 || needs[0] != (machine.Need{Group: "realtime", For: "memory is not locked, no real-time priority"}) || needs[1].Group != "input" || needs[1].For != "/dev/input/event995 cannot be read" {
		t.Errorf("needs %v", needs)
	}
	s.nodes = s.nodes[2:] // a keyboard, which users cannot read
	if needs := s.needs([]rt.Problem{{Check: "timers"}}); len(needs) != 0 {
		t.Errorf("needs %v", needs)
	}
}

func TestRoomForRecordings(t *testing.T) {
	c := config.DefaultRecord() // 1 GB stays free; 100 samples a second
	for free, want := range map[float64]float64{0.5e9: 0, 1e9: 0, 1.088e9: 10, 89e9: 10000} {
		if got := minutesLeft(free, c); got < want*0.99 || got > want*1.01 {
			t.Errorf("%g bytes: %g minutes, want %g", free, got, want)
		}
	}
	s := g29Scene(t)
	s.cfg.Record.FreeGB = 1e9
	s.checkRecordings()
	if text := s.text(t); !strings.HasPrefix(text, "disk warning record: ") || !strings.Contains(text, "room for 0 minutes") {
		t.Errorf("found\n%s", text)
	}
	if got := nearestFolder(filepath.Join(s.root, "a/b")); got != s.root {
		t.Errorf("nearest folder %s", got)
	}
}

func TestWhatDrawsTheWindow(t *testing.T) {
	for _, tt := range []struct {
		renderer string
		err      error
		want     string
	}{
		{"NVIDIA GeForce RTX 4070/PCIe/SSE2", nil, ""},
		{"llvmpipe (LLVM 15.0.6, 256 bits)", nil, "software-rendering note display: the processor draws the window (llvmpipe"},
		{"", errors.New("display: no OpenGL; install a driver for OpenGL 3.3 (Debian: libgl1-mesa-dri)"), "window error display: no OpenGL"},
	} {
		s := g29Scene(t)
		s.options.Renderer = func() (string, error) { return tt.renderer, tt.err }
		s.checkRenderer()
		if text := s.text(t); (text == "") != (tt.want == "") || !strings.HasPrefix(text, tt.want) {
			t.Errorf("%q: found %q, want %q", tt.renderer, text, tt.want)
		}
	}
}

func TestIdleStatesThatTheConfigurationAllows(t *testing.T) {
	const state = "sys/devices/system/cpu/cpu0/cpuidle/state2/"
	s := g29Scene(t)
	put(t, s.root, map[string]string{state + "name": "C6", state + "latency": "133"})
	s.checkProcessor()
	if text := s.text(t); !strings.HasPrefix(text, "idle-allowed note real time: processors may idle as deeply as C6, from which they wake in 133 µs") {
		t.Errorf("found\n%s", text)
	}
}
