package drive

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/test/vm/acm"
	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/pidwheel"
	"rig.example/rig/test/vm/rim"
	"rig.example/rig/test/vm/uinput"
)

// presentFile is the configuration that the setup finds. Its road is even, torque and motion fade quickly, there is no black box,
// and few targets spare the emulated bus.
const presentFile = "# of the workshop\ncar = \"car.toml\"\ntrack = \"plane.toml\" # even\n\n[guard]\nengage_s = 0.2\nrelease_s = 0.1\n\n[record]\nblack_boxes = 0\n\n[motion]\nrate_hz = 50 # calm\nboot_wait_s = 0.1\n"

// person sits at a rig with an unknown wheel and pedals and an SMC3, and types at `rig setup`.
type person struct {
	*bench
	rim      *pidwheel.Wheel
	feet     *uinput.Device
	seat     *acm.Adapter
	terminal io.ReadWriteCloser
	folder   string // for the profiles

	mu    sync.Mutex
	shown []byte
	read  int // bytes of shown in which typeAt has found its questions
}

// sitDown plugs everything in, writes /etc/rig/rig.toml and starts `rig setup` as root.
func sitDown(t *testing.T) *person {
	t.Helper()
	inGuest(t)
	p := &person{bench: &bench{t: t, conf: "/etc/rig/rig.toml"}, folder: t.TempDir()}
	motor := rim.Motor{Peak: 5, DeadBand: 0.01, Saturation: 0.3}
	wheel, err := pidwheel.New(pidwheel.Options{Rim: &rim.Rim{Inertia: 0.02, Friction: 0.03, Viscous: 0.05, Motor: motor}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(wheel.Unplug)
	node, err := wheel.Node()
	if err != nil {
		t.Fatal(err)
	}
	p.rim, p.feet = wheel, p.device(uinput.Pedals())
	if p.seat, err = acm.New(smc3.NewSimulator(smc3.DefaultSimulatorConfig()), acm.Options{Baud: 500_000, ResetOnDTR: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.seat.Unplug)
	if _, err := p.seat.Node(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("/etc/rig", 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll("/etc/rig") })
	p.file("rig.toml", presentFile)
	p.file("plane.toml", plane)
	p.file("car.toml", "base = \"coupe\"\nfront.tire.model = \"dugoff\"\nrear.tire.model = \"dugoff\"\n")
	awaitForce(t, node)
	p.startSetup()
	return p
}

// awaitForce waits until the driver has added force feedback to a wheel.
func awaitForce(t *testing.T, node string) {
	t.Helper()
	for range 100 {
		if evdev.Describe(node).HasForce() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s offers no force", node)
}

func (p *person) startSetup() {
	p.t.Helper()
	terminal, path, err := port.OpenPty()
	if err != nil {
		p.t.Fatal(err)
	}
	tty, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		p.t.Fatal(err)
	}
	defer tty.Close()
	p.terminal, p.pagePath = terminal, filepath.Join(p.folder, "page")
	p.cmd = exec.Command(program, "setup", "--page", p.pagePath)
	p.cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+p.folder)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, tty
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go p.watch(terminal)
	p.t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.cmd.Wait()
		terminal.Close()
		if p.t.Failed() {
			p.t.Logf("rig showed:\n%s", p.screen())
		}
	})
}

// watch keeps what a terminal shows, until it is closed.
func (p *person) watch(terminal io.Reader) {
	buf := make([]byte, 4096)
	for {
		n, err := terminal.Read(buf)
		p.mu.Lock()
		p.shown = append(p.shown, buf[:n]...)
		p.mu.Unlock()
		if err != nil && !errors.Is(err, unix.EAGAIN) {
			return
		}
	}
}

func (p *person) screen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.shown)
}

// sees waits for a text after those seen before.
func (p *person) sees(text string) {
	p.t.Helper()
	const patience = 3 * time.Minute // a hang; nothing is decided by it
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if i := strings.Index(p.screen()[p.read:], text); i >= 0 {
			p.read += i + len(text)
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("nothing says %q", text)
		}
	}
}

// answers waits for a question and types the answer.
func (p *person) answers(question, answer string) {
	p.t.Helper()
	p.sees(question)
	p.types(answer + "\n")
}

func (p *person) types(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.terminal, text); err != nil {
		p.t.Fatal(err)
	}
}

// turns waits for an instruction and turns the rim.
func (p *person) turns(instruction string, steer uint16) {
	p.t.Helper()
	p.sees(instruction)
	p.rim.SetInput(pidwheel.Input{Steer: steer})
}

// presses presses a pedal down and lets it go.
func (p *person) presses(axis uint16) {
	p.t.Helper()
	for _, v := range []int32{100, 1000, 2000, 3000, 4000, 2000, 0} {
		time.Sleep(20 * time.Millisecond)
		if err := p.feet.Set(axis, v); err != nil {
			p.t.Fatal(err)
		}
	}
}

// measures answers everything about the wheel and the pedals.
func (p *person) measures() {
	p.t.Helper()
	p.answers("Measure it?", "")
	p.turns("about the middle", 0x8100)
	p.turns("to the LEFT", 0)
	p.turns("to the RIGHT", 65535)
	p.turns("straight ahead", 0x8000)
	p.answers("from lock to lock?", "")
	p.answers("Push now?", "yes")
	p.answers("Measure them?", "")
	p.answers("Which one is your set of pedals?", "") // the wheel has some too
	p.sees("Press every pedal once")
	for _, axis := range []uint16{uinput.AbsX, uinput.AbsY, uinput.AbsZ} {
		p.presses(axis)
	}
	p.types("\n")
	for i, name := range []string{"throttle", "brake", "clutch"} {
		p.answers("Next: the "+name, "")
		time.Sleep(50 * time.Millisecond)
		p.presses([]uint16{uinput.AbsX, uinput.AbsY, uinput.AbsZ}[i])
	}
}

// setsUpTheSeat answers everything about the platform until it homes.
func (p *person) setsUpTheSeat() {
	p.t.Helper()
	p.answers("Describe a shifter", "")
	p.answers("Set up a platform?", "")
	p.answers("On which line is the controller?", "")
	p.answers("Is the seat empty", "yes")
	p.sees("answers as smc3")
	p.answers("How is it built?", "")
	p.answers("Move it now?", "yes")
}

// wait returns the exit status of the setup.
func (p *person) wait() int {
	p.t.Helper()
	ended := make(chan struct{})
	go func() { p.cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(3 * time.Minute):
		p.t.Fatal("the setup did not end")
	}
	time.Sleep(20 * time.Millisecond) // for watch
	return p.cmd.ProcessState.ExitCode()
}

// From an unknown wheel, unknown pedals and a known controller to a drive, with `rig setup` alone; `rig run` takes what
// it wrote.
func TestSetupLeadsFromUnknownDevicesToADrive(t *testing.T) {
	p := sitDown(t)
	start := mono.Now()
	p.measures()
	p.setsUpTheSeat()
	p.sees("It homed, and is parked.")
	p.answers("Write it?", "")
	p.answers("Drive now?", "yes")
	took := mono.Now() - start
	t.Logf("figure: the setup of wheel, pedals and platform took %.0f s to the question whether to drive", took.Seconds())
	if virtual() && took > 5*time.Minute {
		t.Errorf("which is more than five minutes")
	}
	p.openPage()
	p.waitState(guard.Driving, soon(30*time.Second))
	p.feet.Set(uinput.AbsX, 100) // as a foot on its way down
	time.Sleep(10 * time.Millisecond)
	p.feet.Set(uinput.AbsX, 4000)
	p.until("3 m/s with wheel and platform", soon(15*time.Second), func(f frame.Frame) bool {
		return f.Speed > 3 && f.Flags&frame.WheelPresent != 0 && f.Flags&frame.PlatformPresent != 0
	})
	p.cmd.Process.Signal(syscall.SIGINT)
	if status := p.wait(); status != 0 {
		t.Errorf("status %d", status)
	}
	p.sees("written   /etc/rig/rig.toml")
	p.wrote()
	p.runTakesIt()
}

// openPage maps the page of the drive.
func (p *person) openPage() {
	p.t.Helper()
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		err := p.bench.mapPage()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			p.t.Fatal(err)
		}
	}
}

// wrote checks the files that the setup wrote.
func (p *person) wrote() {
	p.t.Helper()
	text, err := os.ReadFile("/etc/rig/rig.toml")
	want := strings.Replace(presentFile, "# even\n", "# even\nplatform = \"seat-mover\"\n", 1) +
		"protocol = \"smc3\"\nport = \"/dev/ttyACM0\"\nbaud = 500000\n\n[pedals]\ndevice = \"1209:7702\"\n"
	if err != nil || string(text) != want {
		p.t.Errorf("%v: there is\n%s\nwant\n%s", err, text, want)
	}
	if kept, err := os.ReadFile("/etc/rig/rig.toml.bak"); err != nil || string(kept) != presentFile {
		p.t.Errorf("kept %q, %v", kept, err)
	}
	profiles, _ := filepath.Glob(p.folder + "/rig/profiles/*.toml")
	if len(profiles) != 2 {
		p.t.Errorf("profiles %q, want those of wheel and pedals", profiles)
	}
	for _, path := range profiles {
		text, _ := os.ReadFile(path)
		if strings.Contains(path, "/wheel-") && !strings.Contains(string(text), "force_sign = 1\n") {
			p.t.Errorf("%s has no direction of the force:\n%s", path, text)
		}
	}
}

// runTakesIt drives without naming a configuration.
func (p *person) runTakesIt() {
	p.t.Helper()
	cmd := exec.Command(program, "run", "--headless", "--json", "--duration", "300ms", "--page", filepath.Join(p.folder, "page2"))
	cmd.Env, cmd.Dir = append(os.Environ(), "XDG_CONFIG_HOME="+p.folder), p.folder
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil || !strings.Contains(log.String(), "configuration: /etc/rig/rig.toml\n") {
		p.t.Fatalf("%v\n%s", err, log.String())
	}
	var sum struct {
		Ticks     int
		ExitState string `json:"exit_state"`
		Platform  *struct {
			Targets float64 `json:"targets_per_s"`
		}
	}
	if err := json.Unmarshal(out, &sum); err != nil || sum.ExitState != "parked" || sum.Platform == nil {
		p.t.Errorf("%v: %s", err, out)
	}
}

// Ends of every kind leave nothing written, the wheel limp and the platform parked.
func TestAnInterruptedSetupLeavesNothing(t *testing.T) {
	p := sitDown(t)
	p.answers("Measure it?", "")
	p.turns("about the middle", 0x8100)
	p.sees("to the LEFT")
	p.cmd.Process.Signal(syscall.SIGUSR2)
	p.ended("stopped by the operator (rig stop or SIGUSR2)")

	p.startSetup()
	p.answers("Measure it?", "s")
	p.answers("Measure them?", "s")
	p.setsUpTheSeat()
	p.sees("homing")
	p.cmd.Process.Signal(syscall.SIGINT)
	p.ended("") // parked, or at rest if it had not moved yet

	p.startSetup()
	p.answers("Measure it?", "")
	p.turns("about the middle", 0x8400) // elsewhere than before: the kernel reports no value twice
	p.sees("to the LEFT")
	p.rim.Unplug()
	p.sees("That failed:")
	p.answers("Try it again?", "q")
	p.ended("ended by the operator")
}

// ended checks that the setup ended with an error and that nothing has changed.
func (p *person) ended(text string) {
	p.t.Helper()
	if status := p.wait(); status != 1 {
		p.t.Errorf("status %d", status)
	}
	for range 100 { // the last line may still be in the terminal
		if strings.Contains(p.screen()[p.read:], "; nothing was written") {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	shown := p.screen()[p.read:]
	_, last, found := strings.Cut(shown, "rig: setup: ") // before it, a platform that takes a while to park is NOT parked yet
	if !found || !strings.Contains(last, text+"; nothing was written") || strings.Contains(last, "NOT parked") {
		p.t.Errorf("the last line is not that of an end by %q:\n%s", text, shown)
	}
	now, err := os.ReadFile("/etc/rig/rig.toml")
	if err != nil || string(now) != presentFile {
		p.t.Errorf("%v: the configuration is\n%s", err, now)
	}
	if profiles, _ := filepath.Glob(p.folder + "/rig/profiles/*"); len(profiles) > 0 {
		p.t.Errorf("profiles %q", profiles)
	}
	p.read = 0
	p.mu.Lock()
	p.shown = nil
	p.mu.Unlock()
	if n := p.rim.Effects(); n != 0 {
		p.t.Errorf("%d effects are left in the wheel", n)
	}
}
