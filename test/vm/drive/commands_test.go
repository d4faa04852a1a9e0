package drive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/uinput"
)

// rig runs one of its commands with the bench's configuration and returns what
// it printed. Each line of its messages goes to heard, which may be nil.
func (b *bench) rig(heard func(line string), args ...string) []byte {
	b.t.Helper()
	cmd := exec.Command(program, append(args, "--config", b.conf)...)
	var out, log bytes.Buffer
	cmd.Stdout = &out
	messages, err := cmd.StderrPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	lines := bufio.NewScanner(io.TeeReader(messages, &log))
	for lines.Scan() {
		if heard != nil {
			heard(lines.Text())
		}
	}
	if err := cmd.Wait(); err != nil {
		b.t.Fatalf("rig %s: %v\n%s%s", strings.Join(args, " "), err, &log, &out)
	}
	return out.Bytes()
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

func TestDevicesShowsTheUseOfTheWheel(t *testing.T) {
	b := cockpit(t, nil)
	var list []map[string]any
	decode(t, b.rig(nil, "devices", "--json"), &list)
	found := false
	for _, d := range list {
		for _, key := range []string{"path", "name", "vendor", "product", "kind", "axes", "buttons", "ff_effects", "use"} {
			if _, ok := d[key]; !ok {
				t.Errorf("%v has no %q", d["path"], key)
			}
		}
		if d["product"] != "c24f" {
			continue
		}
		found = true
		axes, buttons, effects := d["axes"].([]any), d["buttons"].([]any), d["ff_effects"].([]any)
		if d["kind"] != "wheel" || d["use"] != "wheel and pedals" || d["vendor"] != "046d" {
			t.Errorf("kind %v, use %v, vendor %v: want wheel, wheel and pedals, 046d", d["kind"], d["use"], d["vendor"])
		}
		if len(axes) < 4 || len(buttons) != 25 || len(effects) == 0 {
			t.Errorf("%d axes, %d buttons, effects %v: want steering and three pedals, 25 buttons, constant force", len(axes), len(buttons), effects)
		}
	}
	if !found {
		t.Errorf("no G29 in %v", list)
	}
}

func TestCheckFindsNoErrorInTheBench(t *testing.T) {
	b := cockpit(t, nil)
	raiseTimers(t)
	var got struct {
		Problems []struct{ Level, Where, What, Remedy string }
	}
	decode(t, b.rig(nil, "check", "--json"), &got)
	for _, p := range got.Problems {
		if p.Level == "note" && p.Where == "pedals" {
			continue // they were never calibrated
		}
		if p.Level == "error" || p.Where == "wheel" || p.Where == "pedals" || p.Where == "real time" {
			t.Errorf("%s: %s: %s (%s)", p.Level, p.Where, p.What, p.Remedy)
		}
	}
}

// calibrated is what `rig calibrate --json` prints, as far as the tests look.
type calibrated struct {
	Path    string
	Profile struct {
		Left, Right, Center int32
		RangeDeg            float64
		Force               int
		Throttle, Brake     *struct {
			Code        string
			Rest, Press int32
		}
	}
}

// touched moves rim and pedals once, so that the kernel knows their positions. Until the first event it assumes 0.
func (b *bench) touched() {
	b.t.Helper()
	path, err := b.wheel.Node()
	if err != nil {
		b.t.Fatal(err)
	}
	node, err := os.Open(path)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { node.Close() })
	b.touchThrottle()
	for range 100 {
		if v, err := uinput.Value(int(node.Fd()), uinput.AbsX); err == nil && v == 0x8000 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	b.t.Fatal("the kernel does not see the rim in the middle")
}

// turner turns the rim to the positions that the program asks for.
func (b *bench) turner(left, right, center uint16) func(line string) {
	in := g29.AtRest()
	return func(line string) {
		switch {
		case strings.Contains(line, "to about the middle"):
			in.Steer = 0x8100 // the kernel does not know the rim's position before it moves
		case strings.Contains(line, "to the LEFT"):
			in.Steer = left
		case strings.Contains(line, "to the RIGHT"):
			in.Steer = right
		case strings.Contains(line, "straight ahead"):
			in.Steer = center
		default:
			return
		}
		b.wheel.SetInput(in)
	}
}

// calibration is what `rig calibrate` measured in the calibrated cockpit.
var calibration struct {
	first         string // path of the profile before
	wheel, pedals calibrated
}

// afterCalibration is a wheel that had a profile before, and pedals, which were calibrated, and a platform.
var afterCalibration = &kind{
	plug: func(b *bench) {
		rim := g29.DefaultRim()
		b.plug(&rim) // just plugged in: the kernel holds 0 for all axes
		b.config()
		calibration.first = b.asCalibrated(0, 65535, 32768, 540)
		calibration.wheel = b.calibrateWheel(2000, 62000, 35000)
		b.plugAgain()
		b.touched()
		decode(b.t, b.rig(b.presser(250, 50), "calibrate", "pedals", "--yes", "--json", "--rest", "200ms", "--window", "5s"), &calibration.pedals)
		b.startPlatform()
		b.add(buttonTable)
	},
	start: (*bench).run,
	rest:  (*bench).standStill,
}

// asCalibrated writes the profile that `rig calibrate wheel` writes of such a wheel, and returns its path.
// TestCalibratedWheelIsUsed measures one.
func (b *bench) asCalibrated(left, right, center int32, degrees float64) string {
	b.t.Helper()
	node, err := b.wheel.Node()
	if err != nil {
		b.t.Fatal(err)
	}
	path, err := calib.Store{Dir: filepath.Join(filepath.Dir(b.conf), "profiles")}.SaveWheel(calib.WheelProfile{
		Version: calib.ProfileVersion, Date: time.Now(), Device: calib.IdentityOf(evdev.Describe(node)),
		Axis: "ABS_X", Left: left, Right: right, Center: center, RangeDeg: degrees, Force: 1,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return path
}

func (b *bench) calibrateWheel(left, right, center uint16) (c calibrated) {
	b.t.Helper()
	b.wheel.SetInput(g29.AtRest())
	decode(b.t, b.rig(b.turner(left, right, center), "calibrate", "wheel", "--yes", "--push-ok", "--json",
		"--window", "5s", "--hold", "200ms", "--range-deg", "540"), &c)
	return c
}

func TestCalibratedWheelIsUsed(t *testing.T) {
	b := afterCalibration.running(t)
	first, c := calibration.first, calibration.wheel
	if p := c.Profile; p.Left != 2000 || p.Right != 62000 || p.Center != 35000 || p.RangeDeg != 540 || p.Force != 1 {
		t.Errorf("measured %+v, want 2000, 62000, 35000, 540 degrees, force +1", p)
	}
	kept, err := os.ReadFile(first + ".bak")
	if first != c.Path || err != nil || !strings.Contains(string(kept), "center = 32768\n") {
		t.Errorf("the profile before is not kept beside %s: %v\n%s", c.Path, err, kept)
	}
	for _, tt := range []struct {
		raw  uint16
		want float64 // [deg]
	}{{35000, 0}, {35000 - 10000, 90}, {35000 + 20000, -180}} {
		in := g29.AtRest()
		in.Steer = tt.raw
		b.turn(in)
		time.Sleep(20 * time.Millisecond)
		if got := b.now().Steer * degrees; math.Abs(got-tt.want) > 0.1 {
			t.Errorf("steering %.2f° at %d, want %.0f°", got, tt.raw, tt.want)
		}
	}
}

// plugAgain unplugs the wheel and plugs in one whose rim is held.
func (b *bench) plugAgain() {
	b.t.Helper()
	b.wheel.Unplug()
	b.plug(nil)
}

// presser presses the pedal that the program asks for, and releases it again.
func (b *bench) presser(released, pressed uint8) func(line string) {
	atRest := g29.AtRest()
	atRest.Gas, atRest.Brake, atRest.Clutch = released, released, released
	b.wheel.SetInput(atRest)
	return func(line string) {
		in := atRest
		for name, pedal := range map[string]*uint8{"throttle": &in.Gas, "brake": &in.Brake, "clutch": &in.Clutch} {
			if !strings.Contains(line, "Next: the "+name) {
				continue
			}
			for *pedal = released; *pedal > pressed+9; *pedal -= 10 {
				b.wheel.SetInput(in)
				time.Sleep(10 * time.Millisecond)
			}
			*pedal = pressed
			b.wheel.SetInput(in)
			time.Sleep(100 * time.Millisecond)
			b.wheel.SetInput(atRest)
		}
	}
}

func TestCalibratedPedalsAreUsed(t *testing.T) {
	b := afterCalibration.running(t)
	c := calibration.pedals
	gas, brake := c.Profile.Throttle, c.Profile.Brake
	if gas == nil || gas.Code != "ABS_Z" || gas.Rest != 250 || gas.Press != 50 {
		t.Errorf("throttle %+v, want ABS_Z from 250 to 50", gas)
	}
	if brake == nil || brake.Code != "ABS_RZ" || brake.Rest != 250 || brake.Press != 50 {
		t.Errorf("brake %+v, want ABS_RZ from 250 to 50", brake)
	}
	in := g29.AtRest()
	in.Gas, in.Brake, in.Clutch = 250, 250, 250
	b.wheel.SetInput(in)
	b.until("pedals", soon(2*time.Second), func(f frame.Frame) bool { return f.Flags&frame.PedalsPresent != 0 })
	for _, tt := range []struct {
		raw      uint8
		low, top float64 // of what the throttle may be
	}{{249, 0, 0}, {150, 0.49, 0.52}, {55, 0.98, 1}, {250, 0, 0}} {
		in.Gas = tt.raw
		b.wheel.SetInput(in)
		time.Sleep(20 * time.Millisecond)
		if f := b.now(); f.Throttle < tt.low || f.Throttle > tt.top || f.Brake != 0 || f.Flags&frame.PedalsPresent == 0 {
			t.Errorf("throttle %.3f, brake %.3f at %d; want %g to %g, 0", f.Throttle, f.Brake, tt.raw, tt.low, tt.top)
		}
	}
}

func TestADriveEndsParkedAfterCtrlC(t *testing.T) {
	k := plain
	if shared != nil && shared.platform != nil && shared.wheel != nil { // any will do
		k = shared.kind
	}
	b := k.running(t)
	b.take()
	b.drive(0, 0.5, 0)
	time.Sleep(500 * time.Millisecond)
	b.finish()
	for i, p := range b.platform.Positions() {
		if math.Abs(p-0.5) > 0.03 {
			t.Errorf("actuator %d rests at %.3f, want the park position 0.5", i, p)
		}
	}
	stopped := false
	for _, r := range b.wheel.Reports() {
		stopped = stopped || r.Kind == g29.Stop
	}
	if !stopped {
		t.Error("no stop at the end")
	}
	if f := b.now(); f.State != uint64(guard.Parked) {
		t.Errorf("ended %v", guard.State(f.State))
	}
}
