// Package drive tests the program that users install, on a real kernel: with an emulated Logitech G29 on the kernel's
// driver, and a simulated platform on a serial line.
package drive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/vm/cp2112"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/uinput"
)

const program = "/bin/rig"

// baud is the highest rate of a 16550, and that of the firmware's second port.
const baud = 115200

// inGuest prepares a test that plugs in and starts what it needs itself: the rig that others share ends.
func inGuest(t *testing.T) {
	t.Helper()
	needsGuest(t)
	if err := leave(); err != nil {
		t.Error(err)
	}
}

func needsGuest(t *testing.T) {
	t.Helper()
	if os.Getenv("RIG_VM") == "" {
		t.Skip("needs the virtual machine: see test/vm/README.md")
	}
}

// bench is a cockpit with its devices plugged in.
type bench struct {
	t        *testing.T
	wheel    *g29.Wheel
	platform *smc3.Simulator
	told     *tape  // what the platform is told
	port     string // where rig finds the platform
	conf     string // rig's configuration
	pagePath string
	page     *framepage.Page
	last     frame.Frame // see now
	cmd      *exec.Cmd
	log      said
	out      bytes.Buffer
	typed    io.Reader // what is typed at rig's questions; nil for nothing

	// of a shared cockpit
	kind    *kind
	devices uint64   // flags of those that rig had at its start
	ends    []func() // see atEnd
	bridge  *cp2112.Bridge
	strange struct {
		wheel, pedals *uinput.Device
		at            int32 // position of the wheel [counts]; 0 before the first
	}
}

// cockpit plugs a wheel in. The rim is held, or turned by its motor.
func cockpit(t *testing.T, rim *g29.Rim) *bench {
	t.Helper()
	inGuest(t)
	b := &bench{t: t}
	b.plug(rim)
	b.config()
	return b
}

// run starts rig and waits until it drives.
func (b *bench) run() {
	b.t.Helper()
	b.start("run", "--headless", "--json", "--config", b.conf)
	b.waitState(guard.Driving, soon(15*time.Second))
}

// moveFoot touches the throttle and lets go, and waits until the pedals count: they do once they were seen at rest.
func (b *bench) moveFoot() {
	b.touchThrottle()
	b.until("pedals", soon(2*time.Second), func(f frame.Frame) bool { return f.Flags&frame.PedalsPresent != 0 })
}

// touchThrottle presses the throttle a little and lets go, so that all pedals have reported.
func (b *bench) touchThrottle() {
	b.drive(1, 0.1, 0)
	time.Sleep(10 * time.Millisecond)
	b.drive(0, 0, 0)
	time.Sleep(10 * time.Millisecond)
}

func (b *bench) plug(rim *g29.Rim) {
	b.t.Helper()
	wheel, err := g29.New(g29.Options{Rim: rim})
	if err != nil {
		b.t.Fatal(err)
	}
	b.wheel = wheel
	b.atEnd(wheel.Unplug)
	if _, err := wheel.Node(); err != nil {
		b.t.Fatal(err)
	}
	wheel.SetInput(g29.AtRest())
}

// virtual reports whether the guest's clock counts instructions.
func virtual() bool { return os.Getenv("RIG_VM_CLOCK") == "virtual" }

// soon is how long something may take. With the host's clock it is a matter of patience,
// for the host may be busy.
func soon(limit time.Duration) time.Duration {
	if virtual() {
		return limit
	}
	return time.Minute
}

// startPlatform simulates the controller of a line, and adds it to rig's configuration.
//
// The guest's serial ports are joined outside of it, where its virtual time
// means nothing and bytes may be long under way: in virtual time the line is a
// pseudo-terminal.
func (b *bench) startPlatform() {
	b.t.Helper()
	var line io.ReadWriteCloser
	if virtual() {
		var err error
		if line, b.port, err = port.OpenPty(); err != nil {
			b.t.Fatal(err)
		}
	} else {
		line, b.port = b.serialPort(), os.Getenv("RIG_VM_LINE_A")
	}
	b.platform = smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan struct{})
	b.told = &tape{ReadWriteCloser: line}
	go func() { simulated.Serve(ctx, b.platform, b.told); close(served) }()
	b.atEnd(func() { cancel(); line.Close(); <-served })
	b.add(fmt.Sprintf("[motion]\nprotocol = \"smc3\"\nport = %q\nbaud = %d\nrate_hz = 200\nboot_wait_s = 0.1\n", b.port, baud))
}

// serialPort opens the platform's end of a real serial line.
func (b *bench) serialPort() *os.File {
	b.t.Helper()
	line, err := os.OpenFile(os.Getenv("RIG_VM_LINE_B"), os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := raw(line); err != nil {
		b.t.Fatal(err)
	}
	return line
}

func raw(f *os.File) error {
	t, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		return err
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B115200
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, t)
}

// config writes rig's configuration. Torque and motion fade as quickly as they may, for
// internal/core/guard has the tests of fading, and the tires are those that cost least. There is no black box, which
// takes a sixth of a start: asShipped has it.
func (b *bench) config() {
	b.t.Helper()
	dir := b.folder()
	b.conf = filepath.Join(dir, "rig.toml")
	b.file("rig.toml", fmt.Sprintf("car = \"car.toml\"\ntrack = \"plane.toml\"\nprofiles_dir = %q\n[guard]\nengage_s = 0.2\nrelease_s = 0.1\n[record]\nblack_boxes = 0\n", filepath.Join(dir, "profiles")))
	b.file("plane.toml", plane)
	b.file("car.toml", "base = \"coupe\"\nfront.tire.model = \"dugoff\"\nrear.tire.model = \"dugoff\"\n")
}

// folder returns an empty folder of the bench's own.
func (b *bench) folder() string {
	b.t.Helper()
	dir, err := os.MkdirTemp("", "rig")
	if err != nil {
		b.t.Fatal(err)
	}
	b.atEnd(func() { os.RemoveAll(dir) })
	return dir
}

// asShipped makes the drive as costly as a user's: its car has its own tires, and its black box works.
func (b *bench) asShipped() {
	b.t.Helper()
	b.realTires()
	text, err := os.ReadFile(b.conf)
	if err != nil {
		b.t.Fatal(err)
	}
	b.file("rig.toml", strings.Replace(string(text), "black_boxes = 0\n", "", 1))
}

// realTires makes the car use its own tires.
func (b *bench) realTires() { b.file("car.toml", "base = \"coupe\"\n") }

// startAt lets the car begin at a speed, so that no time is spent on accelerating.
func (b *bench) startAt(kmh int) {
	b.t.Helper()
	text, err := os.ReadFile(b.conf)
	if err != nil {
		b.t.Fatal(err)
	}
	b.file("rig.toml", fmt.Sprintf("start_speed_kmh = %d\n%s", kmh, text))
}

// file writes a file beside rig's configuration.
func (b *bench) file(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(b.conf), name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// plane is even asphalt everywhere, so that the force on the rim does not depend on the road. The circuit is short
// and has no kerb, because line and unevenness are built anew at each start, and nobody follows the line.
const plane = `
[surface.even]
base = "tarmac"
roughness = "even"
[layout]
road = "even"
verge = "even"
kerb_height_mm = 0
[[layout.piece]]
turn_deg = 360
radius_m = 100
kerb = "none"
`

// start runs rig and maps its page.
func (b *bench) start(args ...string) {
	b.t.Helper()
	path := "/tmp/" + strings.ReplaceAll(b.t.Name(), "/", "-")
	b.pagePath = path
	b.cmd = exec.Command(program, append(args, "--page", path)...)
	b.cmd.Stdin, b.cmd.Stderr, b.cmd.Stdout = b.typed, &b.log, &b.out
	if err := b.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.atEnd(func() {
		b.cmd.Process.Kill()
		b.cmd.Wait()
		if b.t.Failed() {
			b.t.Logf("rig said:\n%s%s", b.log.String(), b.out.String())
		}
	})
	for end := time.Now().Add(soon(5 * time.Second)); ; time.Sleep(5 * time.Millisecond) {
		err := b.mapPage()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			b.t.Fatal(err)
		}
	}
}

// mapPage maps the page of rig.
func (b *bench) mapPage() error {
	p, err := framepage.Open(b.pagePath)
	if err == nil {
		b.page, b.last = p, frame.Frame{}
		b.atEnd(func() { p.Close() })
	}
	return err
}

// now returns the newest frame that could be read.
func (b *bench) now() frame.Frame {
	b.page.Read(&b.last)
	return b.last
}

// until waits for cond on the published frames and fails the test after limit.
func (b *bench) until(what string, limit time.Duration, cond func(frame.Frame) bool) frame.Frame {
	b.t.Helper()
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if f := b.now(); cond(f) {
			return f
		}
	}
	f := b.now()
	b.t.Fatalf("%s: not within %v; state %v, speed %.1f m/s, throttle %.2f, brake %.2f, gear %d, %.0f rpm, flags %b, rim %.2f N·m, tick %d",
		what, limit, guard.State(f.State), f.Speed, f.Throttle, f.Brake, f.Gear, f.RPM, f.Flags, f.RimTorque, f.Tick)
	return f
}

func (b *bench) waitState(s guard.State, limit time.Duration) {
	b.t.Helper()
	b.until("state "+s.String(), limit, func(f frame.Frame) bool { return f.State == uint64(s) })
}

// drive sets rim angle [deg, positive left] and pedals 0..1.
func (b *bench) drive(steer, throttle, brake float64) {
	in := g29.AtRest()
	in.Steer = uint16(0x8000 - steer/900*0xffff)
	in.Gas, in.Brake = pedal(throttle), pedal(brake)
	b.turn(in)
}

// turn turns the rim to its position in in, with a realistic speed.
func (b *bench) turn(in g29.Input) {
	const step = 2000 // counts: 27 of 900 degrees in 10 ms
	target, at := int(in.Steer), int(b.wheel.Input().Steer)
	for ; target-at > step || at-target > step; time.Sleep(10 * time.Millisecond) {
		at += min(max(target-at, -step), step)
		in.Steer = uint16(at)
		b.wheel.SetInput(in)
	}
	in.Steer = uint16(target)
	b.wheel.SetInput(in)
}

func pedal(v float64) uint8 { return uint8(255 - 255*v) }

// force returns the newest force at the wheel, -1 (full to the right) to 1 (full to the left).
func (b *bench) force(last *float64) float64 {
	for _, r := range b.wheel.Reports() {
		if r.Kind == g29.ConstantForce || r.Kind == g29.Stop {
			*last = (float64(r.Force) - g29.NoForce) / 128
		}
	}
	return *last
}

// finish ends rig like Ctrl-C and returns what it printed.
func (b *bench) finish() []byte {
	b.t.Helper()
	if err := b.interrupt(); err != nil {
		b.t.Error(err)
	}
	out, _ := io.ReadAll(&b.out)
	return out
}
