package setup

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/calib/dialog"
	"rig.example/rig/devices/motion/settings"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/display"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/tools/check"
	"rig.example/rig/internal/tools/exercise"
	"rig.example/rig/test/level"
)

var write = flag.Bool("write", false, "write the transcripts of the setup anew")

// typist answers one line for each question, which the transcript shows as a terminal would.
type typist struct {
	lines  []string
	screen *bytes.Buffer
}

func (s *typist) Read(p []byte) (int, error) {
	if len(s.lines) == 0 {
		return 0, io.EOF
	}
	line := s.lines[0] + "\n"
	s.lines = s.lines[1:]
	s.screen.WriteString(line)
	return copy(p, line), nil
}

// axes are those of a wheel or pedals, as the kernel tells them.
func axes(names ...string) (list []evdev.Axis) {
	for _, n := range names {
		code, err := evdev.AbsCode(n)
		if err != nil {
			panic(err)
		}
		list = append(list, evdev.Axis{Name: n, Max: 1023, Code: code})
	}
	return list
}

func device(kind evdev.Kind, path, name string, vendor, product evdev.ID) check.Device {
	d := check.Device{Info: evdev.Info{Path: path, Name: name, Vendor: vendor, Product: product, Kind: kind}}
	switch kind {
	case evdev.KindWheel:
		d.Axes, d.FFEffects = axes("ABS_X"), []string{"FF_CONSTANT"}
	case evdev.KindOther:
		d.Buttons = []string{"BTN_TRIGGER", "BTN_THUMB", "BTN_TOP"}
	case evdev.KindPedals, evdev.KindGamepad:
		d.Axes = axes("ABS_X", "ABS_Y", "ABS_Z")
	}
	return d
}

var (
	unknownWheel  = device(evdev.KindWheel, "/dev/input/event3", "Rim of a friend", 0x1209, 0x7701)
	secondWheel   = device(evdev.KindWheel, "/dev/input/event4", "G29", 0x046d, 0xc24f)
	unknownPedals = device(evdev.KindPedals, "/dev/input/event5", "Pedals of a friend", 0x1209, 0x7702)
	board         = device(kindSerial, "/dev/ttyACM0", "ttyACM0", 0x2341, 0x43)
	secondLine    = device(kindSerial, "/dev/ttyUSB0", "ttyUSB0", 0x1a86, 0x7523)
	handbrake     = device(evdev.KindGamepad, "/dev/input/event6", "Lever of a friend", 0x1209, 0x7705)
	gate          = device(evdev.KindOther, "/dev/input/event7", "Gate of a friend", 0x1209, 0x7706)
	locked        = check.Device{Info: evdev.Info{Path: "/dev/input/event9", Kind: evdev.KindOther, Err: errors.New("/dev/input/event9: permission denied; join the group input")}}
)

// fake is a machine whose devices answer at once.
type fake struct {
	devices  []check.Device
	monitors []Monitor
	protocol string // that the controller answers to
	failures int    // of the next measurements of a wheel
	findings []check.Finding
	homed    []string // protocols of the platforms that were homed
	opened   []string // lines that were opened
	pushed   bool     // the rim was pushed
	window   error
	buttons  []string // pressed next
	homeErr  error
}

func (f *fake) machine() Machine {
	return Machine{
		Devices:  func(config.Config) ([]check.Device, error) { return f.devices, nil },
		Monitors: func() []Monitor { return f.monitors },
		Window:   func() error { return f.window },
		Check:    func(config.Config) []check.Finding { return f.findings },
		MeasureWheel: func(ctx context.Context, cfg config.Config, ui *dialog.Dialog, opt calib.WheelOptions) (calib.WheelProfile, error) {
			if f.failures--; f.failures >= 0 {
				return calib.WheelProfile{}, fmt.Errorf("calib: left lock: %w", calib.ErrNoTravel)
			}
			p := calib.WheelProfile{Version: calib.ProfileVersion, Axis: "ABS_X", Right: 1023, Center: 512, Device: f.identity(cfg.Wheel.Device)}
			answer, err := ui.Ask(ctx, fmt.Sprint(opt.RangeDeg), "How many degrees does the rim turn from lock to lock?")
			if err != nil {
				return p, err
			}
			if _, err := fmt.Sscan(answer, &p.RangeDeg); err != nil {
				return p, err
			}
			agreed := opt.PushOK
			if opt.SignTest && !agreed {
				agreed, err = ui.Consent(ctx, "--push-ok", "Push now?")
			}
			if agreed {
				p.Force, f.pushed = 1, true
			}
			return p, err
		},
		MeasurePedals: func(ctx context.Context, cfg config.Config, ui *dialog.Dialog, opt calib.PedalsOptions) ([]calib.PedalsProfile, error) {
			_, err := ui.Ask(ctx, "ENTER", "Press every pedal once.")
			a := calib.Axis{Code: "ABS_Y", Press: 1000, DeadLow: 0.01, DeadHigh: 0.02}
			p := calib.PedalsProfile{Version: calib.ProfileVersion, Device: f.identity(cfg.Pedals.Device)}
			if opt.Names[0] == "handbrake" {
				a.Code = "ABS_Z"
				p.Handbrake = &a
			} else {
				p.Brake = &a
			}
			return []calib.PedalsProfile{p}, err
		},
		Button: func(context.Context, evdev.Info, time.Duration) (string, error) {
			if len(f.buttons) == 0 {
				return "", errors.New("calib: no button was pressed")
			}
			name := f.buttons[0]
			f.buttons = f.buttons[1:]
			return name, nil
		},
		ReadSettings: func(ctx context.Context, at settings.Controller, _ *slog.Logger) ([]wire.Parameter, error) {
			f.opened = append(f.opened, fmt.Sprintf("%s at %d", at.Port, at.Baud))
			if at.Protocol != f.protocol {
				return nil, fmt.Errorf("motion: %w", wire.ErrSilent)
			}
			return []wire.Parameter{{Name: "kp_a"}}, nil
		},
		HomePlatform: func(ctx context.Context, cfg config.Config, _ time.Duration, o exercise.MotionOptions) (exercise.MotionResult, error) {
			yes, err := o.UI.Consent(ctx, "--yes", "Move it now?")
			switch {
			case err != nil:
				return exercise.MotionResult{}, fmt.Errorf("motion: nothing was moved: %w", err)
			case !yes && !o.Confirmed:
				return exercise.MotionResult{}, dialog.ErrNotAgreed
			}
			f.homed = append(f.homed, cfg.Motion.Protocol)
			return exercise.MotionResult{}, f.homeErr
		},
	}
}

func (f *fake) identity(path string) calib.Identity {
	for _, d := range f.devices {
		if d.Path == path {
			return calib.IdentityOf(d.Info)
		}
	}
	return calib.Identity{}
}

// run lets a typist answer a setup, and returns what it showed.
func (f *fake) run(t *testing.T, dir string, opt Options, answers ...string) (shown string, sum Summary, err error) {
	t.Helper()
	return f.runWith(t.Context(), dir, opt, answers...)
}

func (f *fake) runWith(ctx context.Context, dir string, opt Options, answers ...string) (shown string, sum Summary, err error) {
	var screen bytes.Buffer
	opt.In, opt.Out = &typist{answers, &screen}, &screen
	opt.Log, opt.Stop, opt.UID = slog.New(slog.DiscardHandler), context.Background(), 1000
	opt.Getenv = func(key string) string { return map[string]string{"XDG_CONFIG_HOME": dir}[key] }
	sum, err = Run(ctx, opt, f.machine())
	if err == nil {
		sum.Print(&screen)
	}
	return screen.String(), sum, err
}

// home makes dir the folder of the configuration, with or without one.
func home(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir) // for the profiles
	t.Chdir(t.TempDir())
	if text == "" {
		return dir
	}
	if err := os.MkdirAll(filepath.Join(dir, "rig"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rig", "rig.toml"), []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return dir
}

// files returns the names and the text of all files below a folder, except the profiles' text.
func files(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		fmt.Fprintf(&b, "--- %s\n", rel)
		if filepath.Dir(rel) == "rig" {
			text, err := os.ReadFile(path)
			b.Write(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const ownFile = `# My rig
car = "gt" # the fast one

[wheel]
max_torque_nm = 2.2 # my wrists

[motion]
# old board
protocol = "smc3"
port = "/dev/ttyUSB7" # left socket
baud = 500000
`

// The transcripts show what the operator sees and types, and all files afterwards.
func TestTranscripts(t *testing.T) {
	level.SkipIfQuick(t)
	all := []check.Device{unknownWheel, unknownPedals, board}
	monitor := []Monitor{{"DP-1", 0.598, 0.336}}
	const second = "[[pedals.extra]]\naxis = \"clutch\" # left\ndevice = \"a\"\ncode = \"ABS_X\"\n\n[[pedals.extra]]\n# from a scrapyard\naxis = \"handbrake\"\ndevice = \"b\" # old\ncode = \"ABS_Y\"\nrest_counts = 3\npress_counts = 900\n\n" +
		"[pedals.shifter]\nkind = \"h\" # mine\ndevice = \"c\"\ngear_buttons = [\"BTN_TRIGGER\"]\nreverse_hold = \"BTN_TOP\"\nreverse_gears = [1]\ndebounce_s = 0.03\n"
	tests := []struct {
		name    string
		file    string // the present configuration; "" for none
		fake    fake
		opt     Options
		answers []string
		drive   bool
	}{
		{"from-nothing-to-a-drive", "", fake{devices: all, protocol: "smc3", monitors: monitor}, Options{},
			[]string{"", "540", "yes", "", "", "", "", "", "yes", "", "yes", "", "", "yes"}, true},
		{"only-enter-agrees-to-nothing", "", fake{devices: all, protocol: "smc3", monitors: monitor}, Options{},
			make([]string, 12), false},
		{"an-own-file-keeps-its-comments", ownFile, fake{devices: append(all, secondWheel, secondLine), protocol: "thanos", window: display.ErrNoDisplay}, Options{NoDrive: true},
			[]string{"", "1", "", "", "s", "", "yes", "2", "yes", "2", "", "", ""}, false},
		{"back-and-again", "", fake{devices: all, failures: 1, monitors: monitor, findings: []check.Finding{{Level: "error", Where: "wheel", What: "broken", Remedy: "fix it"}}}, Options{},
			[]string{"maybe", "", "", "", "", "b", "s", "s", "", "s", "yes", "0.05", "0,8", "b", "s", ""}, false},
		{"a-controller-that-does-not-answer", "", fake{devices: []check.Device{board, locked}}, Options{},
			[]string{"", "", "", "", "2", "ttyS1", "", "2", "/dev/ttyS1", "yes", "15", "", "", "yes", "4", "", "no", "", ""}, false},
		{"yes-agrees-to-nothing", "", fake{devices: all, protocol: "smc3", monitors: monitor}, Options{Yes: true}, nil, false},
		{"yes-with-consent", "", fake{devices: all, protocol: "motion4sim", monitors: monitor}, Options{Yes: true, PushOK: true, MoveOK: true}, nil, true},
		{"yes-when-something-fails", "", fake{devices: all, failures: 1}, Options{Yes: true, MoveOK: true}, nil, false},
		{"a-platform-that-does-not-home", "", fake{devices: []check.Device{unknownWheel, board}, protocol: "smc3", homeErr: errors.New("motion: following error; the platform is NOT parked but fault")}, Options{},
			[]string{"s", "", "", "", "", "yes", "", "yes", "", ""}, false},
		{"levers", "[pedals]\n# adjusted\nshape.brake.curve = \"gamma\"\nshape.brake.gamma = 1.2\n", fake{devices: []check.Device{handbrake, unknownPedals, gate}, buttons: []string{"BTN_TRIGGER", "BTN_TRIGGER", "BTN_THUMB", "BTN_TOP", "BTN_TRIGGER", "BTN_THUMB"}}, Options{},
			[]string{"", "", "", "yes", "handbrake", "1", "", "h", "1", "2", "yes", "sequential", "1", "none", "s", ""}, false},
		{"levers-once-more", second, fake{devices: []check.Device{handbrake, gate}, buttons: []string{"BTN_TOP", "BTN_TRIGGER"}}, Options{},
			[]string{"", "s", "yes", "handbrake", "", "sequential", "none", "s", ""}, false},
		{"a-handbrake-on-pedals-that-were-not-measured", "", fake{devices: []check.Device{unknownPedals}}, Options{},
			[]string{"", "s", "yes", "handbrake", "s", "s", ""}, false},
		{"a-handbrake-on-the-pedals", "", fake{devices: []check.Device{unknownPedals}}, Options{},
			[]string{"", "", "", "yes", "handbrake", "", "none", "s", ""}, false},
	}
	transcripts, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := home(t, tt.file)
			shown, sum, err := tt.fake.run(t, dir, tt.opt, tt.answers...)
			if err != nil || sum.Drive != tt.drive {
				t.Errorf("drive %v, want %v; %v", sum.Drive, tt.drive, err)
			}
			got := strings.ReplaceAll(shown+"\n"+files(t, dir), dir, "DIR")
			compare(t, filepath.Join(transcripts, tt.name+".txt"), got)
			checkConsent(t, &tt.fake, tt.opt, tt.answers)
			if _, err := config.Load(sum.Config); err != nil {
				t.Errorf("the file cannot be loaded: %v", err)
			}
		})
	}
}

// checkConsent checks that nothing was pushed, opened or moved without a typed yes or its flag.
func checkConsent(t *testing.T, f *fake, opt Options, answers []string) {
	t.Helper()
	typed := 0
	for _, a := range answers {
		if a == "yes" {
			typed++
		}
	}
	if typed == 0 && (f.pushed && !opt.PushOK || len(f.opened)+len(f.homed) > 0 && !opt.MoveOK) {
		t.Errorf("pushed %v, opened %q, homed %q without a yes", f.pushed, f.opened, f.homed)
	}
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *write {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("%s: %v; see what changed with -write\n%s", file, err, got)
	}
}

// Nothing is written by a setup that ends early, wherever that is.
func TestAnEarlyEndWritesNothing(t *testing.T) {
	answers := []string{"", "540", "yes", "", "", "", "", "", "yes", "", "yes", "", "", "yes"}
	for n := range answers[:len(answers)-1] {
		for _, end := range []string{"q", "EOF"} {
			t.Run(fmt.Sprintf("%s after %d answers", end, n), func(t *testing.T) {
				dir := home(t, ownFile[:len(ownFile)/2])
				before := files(t, dir)
				f := fake{devices: []check.Device{unknownWheel, unknownPedals, board}, protocol: "smc3", monitors: []Monitor{{"DP-1", 0.598, 0.336}}}
				typed := append([]string{}, answers[:n]...)
				if end == "q" {
					typed = append(typed, "q")
				}
				shown, sum, err := f.run(t, dir, Options{}, typed...)
				if err == nil || sum.Written || !strings.HasSuffix(err.Error(), "; nothing was written") || strings.Contains(err.Error(), "\n") {
					t.Errorf("%v\n%s", err, shown)
				}
				if after := files(t, dir); after != before {
					t.Errorf("there was\n%s\nand is\n%s", before, after)
				}
			})
		}
	}
}

// An interrupt while something is measured ends the setup, with its cause.
func TestAnInterruptEndsTheSetup(t *testing.T) {
	for _, why := range []error{operator.ErrInterrupted, operator.ErrStopped} {
		dir := home(t, "")
		ctx, stop := context.WithCancelCause(t.Context())
		f := fake{devices: []check.Device{unknownWheel}}
		m := f.machine()
		m.MeasureWheel = func(ctx context.Context, _ config.Config, _ *dialog.Dialog, _ calib.WheelOptions) (calib.WheelProfile, error) {
			stop(why)
			return calib.WheelProfile{}, context.Cause(ctx)
		}
		_, err := Run(ctx, Options{In: strings.NewReader("\n"), Out: io.Discard, Getenv: func(string) string { return dir }, UID: 1000}, m)
		if !errors.Is(err, why) || !strings.HasSuffix(err.Error(), "; nothing was written") || files(t, dir) != "" {
			t.Errorf("%v: %v, files %q", why, err, files(t, dir))
		}
	}
}

// The second run changes nothing by itself, and keeps the first file beside it if it is told to.
func TestASecondRunIsSafe(t *testing.T) {
	dir := home(t, ownFile)
	f := fake{devices: []check.Device{unknownWheel, unknownPedals, secondLine}, protocol: "smc3"}
	first := []string{"", "540", "yes", "", "", "", "yes", "", "yes", "", "", "", "", ""}
	if shown, _, err := f.run(t, dir, Options{NoDrive: true}, first...); err != nil {
		t.Fatalf("%v\n%s", err, shown)
	}
	before := files(t, dir)
	shown, sum, err := f.run(t, dir, Options{NoDrive: true}, make([]string, 20)...)
	if err != nil || sum.Written || files(t, dir) != before {
		t.Errorf("written %v, %v\n%s\nthere was\n%s\nand is\n%s", sum.Written, err, shown, before, files(t, dir))
	}
	kept, err := os.ReadFile(filepath.Join(dir, "rig", "rig.toml.bak"))
	if err != nil || string(kept) != ownFile {
		t.Errorf("kept %q, %v", kept, err)
	}
	if st, err := os.Stat(filepath.Join(dir, "rig", "rig.toml")); err != nil || st.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
}

// Pedals that are measured again keep the handbrake on their device.
func TestAHandbrakeOnThePedalsIsKept(t *testing.T) {
	dir := home(t, "")
	f := fake{devices: []check.Device{unknownPedals}}
	for _, answers := range [][]string{
		{"", "", "", "yes", "handbrake", "", "none", "b", "b", "yes", "", "", "s", "s", ""}, // measured, and the pedals once more
		{"", "yes", "", "", "", "", ""}, // in another run
	} {
		if shown, _, err := f.run(t, dir, Options{}, answers...); err != nil {
			t.Fatalf("%v\n%s", err, shown)
		}
		p, err := calib.Store{Dir: filepath.Join(dir, "rig", "profiles")}.Pedals(f.identity(unknownPedals.Path))
		if err != nil || p.Brake == nil || p.Handbrake == nil {
			t.Errorf("%+v, %v", p, err)
		}
	}
}

// The service needs profiles of its own only where root's are in a folder that it does not read.
func TestTheServiceMeasuresForItselfOnlyWithoutACommonFolder(t *testing.T) {
	for folder, want := range map[string]bool{"": true, "/var/lib/rig/profiles": false} {
		w := wizard{target: target{path: "/etc/rig/rig.toml", run: "rig run", ofService: true}, cfg: config.Config{Profiles: folder}}
		w.addNext()
		if got := strings.Contains(strings.Join(w.summary.Next, "\n"), "sudo -u rig"); got != want {
			t.Errorf("profiles_dir %q: %q", folder, w.summary.Next)
		}
	}
}
