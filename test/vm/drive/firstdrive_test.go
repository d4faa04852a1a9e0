package drive

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/level"
	"rig.example/rig/test/vm/acm"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/rim"
)

// scripts/first-drive runs the test with this flag and writes the page anew.
var write = flag.Bool("write", false, "print the page about the first drive with new outputs, each line after \"page: \"")

// firstDrivePage is the page in the guest; see scripts/prove.
const firstDrivePage = "/docs/first-drive.md"

var (
	console = regexp.MustCompile("(?s)```console\n(.*?)```")
	setting = regexp.MustCompile("(?s)```toml\n(.*?)```")
	byID    = regexp.MustCompile(`"(/dev/serial/by-id/[^"]+)"`)
	figures = regexp.MustCompile(`-?[0-9]+([.,][0-9]+)*`)
	scales  = regexp.MustCompile(`\[[·█|]+\]`)
	spaces  = regexp.MustCompile(` +`)
	itself  = regexp.MustCompile(`test[0-9]* \(pid`) // the test's own process, which plays the wheel
)

// TestFirstDrive follows the page: it saves the page's rig.toml, runs each command that a block of the page shows, does
// what a person would do at it, and compares what is printed with the block.
func TestFirstDrive(t *testing.T) {
	inGuest(t)
	if !*write {
		level.SkipUnlessAll(t, "tests of each command, one by one")
	}
	if os.Getenv("RIG_VM_KERNEL") != "rt" {
		t.Skip("the page shows PREEMPT_RT, of which rig check says more")
	}
	data, err := os.ReadFile(firstDrivePage)
	if err != nil {
		t.Fatalf("%v; run it by scripts/prove drive, or give -exec \"… -file docs/first-drive.md:%s\"", err, firstDrivePage)
	}
	s := newSeat(t, string(data))
	page := console.ReplaceAllStringFunc(string(data), func(block string) string {
		want := console.FindStringSubmatch(block)[1]
		command, _, _ := strings.Cut(want, "\n")
		debug.FreeOSMemory() // the collector is off while devices work, see usbip
		got := command + "\n" + s.follow(strings.TrimPrefix(command, "$ "))
		t.Logf("%s", got)
		if looks(command, got) != looks(command, want) && !*write {
			t.Errorf("%s: another output than the page's; if it is right, write the page anew by scripts/first-drive:\n%s\non the page:\n%s", command, got, want)
		}
		return "```console\n" + got + "```"
	})
	if *write {
		for line := range strings.Lines(page) {
			fmt.Print("page: ", line)
		}
	}
}

// looks returns what of an output is compared: all of it for the commands that only list, and all but numbers and bars
// for those that measure.
func looks(command, output string) string {
	if strings.HasPrefix(command, "$ rig devices") {
		return output
	}
	output = itself.ReplaceAllString(output, "test (pid")
	return spaces.ReplaceAllString(scales.ReplaceAllString(figures.ReplaceAllString(output, "#"), "[]"), " ")
}

// seat is the rig of the page: a G29 and a seat on two actuators, with somebody who does what rig asks for.
type seat struct {
	*bench
	hands atomic.Pointer[rim.Hands]
	gas   uint8 // position of the throttle [counts]
}

// hold has hands turn the rim to an angle [rad]. No lock is taken: its holder may have to wait for rig, and the whole
// bus with it.
func (s *seat) hold(angle float64) {
	s.hands.Store(&rim.Hands{Stiffness: 30, Damping: 1, Target: angle})
}

// newSeat plugs wheel and controller in, and saves the configuration of the page where a user has it.
func newSeat(t *testing.T, page string) *seat {
	t.Helper()
	r := g29.DefaultRim()
	s := &seat{bench: &bench{t: t}, gas: pedal(0)}
	s.hands.Store(&rim.Hands{})
	r.OnStep = func(rim.State) { r.Hands = *s.hands.Load() }
	s.plug(&r)
	s.touched()
	table := setting.FindStringSubmatch(page)
	if table == nil || !byID.MatchString(table[1]) {
		t.Fatal("the page has no rig.toml with a port by its id")
	}
	// An Arduino Uno. Its bytes take no time, so that the adapter seldom waits for a turn beside all of rig.
	adapter, err := acm.New(slowClock{smc3.NewSimulator(smc3.DefaultSimulatorConfig())}, acm.Options{Serial: "7573530383435140E072", Vendor: 0x2341, Product: 0x0043})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(adapter.Unplug)
	node, err := adapter.Node()
	if err != nil {
		t.Fatal(err)
	}
	link := byID.FindStringSubmatch(table[1])[1] // udev makes it, but the guest has none
	s.conf = filepath.Join(os.Getenv("HOME"), ".config", "rig", "rig.toml")
	for _, folder := range []string{filepath.Dir(link), filepath.Dir(s.conf)} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(node, link); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(link) })
	s.file("rig.toml", table[1])
	return s
}

// slowClock is a controller that does not jump after a gap of the machine's time.
type slowClock struct{ *smc3.Simulator }

func (c slowClock) Advance(d time.Duration) []byte {
	return c.Simulator.Advance(min(d, 100*time.Millisecond))
}

// follow runs a command line of the page and returns what a terminal shows: output, messages and answers.
func (s *seat) follow(line string) string {
	s.t.Helper()
	args := strings.Fields(strings.SplitN(line, "#", 2)[0])[1:]
	if args[0] == "run" {
		return s.laps(args)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	keyboard, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	read, written, err := os.Pipe()
	if err != nil {
		s.t.Fatal(err)
	}
	defer read.Close()
	cmd.Stdout, cmd.Stderr = written, written
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	written.Close()
	obey := s.person(args)
	var shown bytes.Buffer
	for said, piece := "", make([]byte, 4096); ; {
		n, err := read.Read(piece)
		if err != nil {
			break
		}
		shown.Write(piece[:n])
		said += string(piece[:n])
		if answer, asked := answers(said); asked {
			fmt.Fprintln(&shown, answer)
			fmt.Fprintln(keyboard, answer)
		} else if !strings.HasSuffix(said, "\n") {
			continue
		}
		for line := range strings.Lines(said) {
			obey(line)
		}
		said = ""
	}
	if err := cmd.Wait(); err != nil && args[0] != "check" {
		s.t.Errorf("%s: %v", line, err)
	}
	return readable(shown.String())
}

// readable returns an output without the lines of the log, which hold times, and without the middle of a long one.
func readable(output string) string {
	const most, end = 40, 12 // lines
	var lines []string
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, "time=") {
			lines = append(lines, line)
		}
	}
	if n := len(lines); n > most {
		lines = slices.Concat(lines[:end], []string{"…\n"}, lines[n-end:])
	}
	return strings.Join(lines, "")
}

// answers returns what somebody types when a command has printed something, and false if it does not ask.
func answers(said string) (answer string, asked bool) {
	switch {
	case strings.HasSuffix(said, "[no] "):
		return "yes", true
	case strings.HasSuffix(said, "] "):
		return "", true
	}
	return "", false
}

// person returns what somebody at the rig does with hands and feet when a command has printed a line.
func (s *seat) person(args []string) func(line string) {
	switch strings.Join(args[:min(2, len(args))], " ") {
	case "calibrate wheel":
		s.hands.Store(&rim.Hands{})
		return s.turner(0, 65535, 32768)
	case "calibrate pedals":
		return s.presser(255, 0)
	}
	s.hold(0)
	return func(string) {}
}

// laps drives a lap, and another one if the emulated bus, which shares the machine's processor with rig, was too late
// for the platform.
func (s *seat) laps(args []string) string {
	s.t.Helper()
	const attempts = 4
	shown := s.lap(args)
	for n := 1; n < attempts && strings.Contains(shown, "platform: line lost"); n++ {
		s.t.Logf("drive %d:\n%s", n, shown)
		s.log.Reset()
		shown = s.lap(args)
	}
	return shown
}

// lap drives once round the skid pad's circle, to the left, and ends the drive by Ctrl-C.
func (s *seat) lap(args []string) string {
	s.t.Helper()
	s.hold(0)
	s.start(append(args, "--headless")...)
	first := s.until("a car that may go", soon(time.Minute), func(f frame.Frame) bool { return f.Tick > 0 })
	heading := math.Atan2(2*(first.Att[0]*first.Att[3]+first.Att[1]*first.Att[2]), 1-2*(first.Att[2]*first.Att[2]+first.Att[3]*first.Att[3]))
	const radius, speed = 100.0, 18.0 // [m], [m/s]
	x, y := first.Pos[0]-radius*math.Sin(heading), first.Pos[1]+radius*math.Cos(heading)
	s.until("a lap", 5*time.Minute, func(f frame.Frame) bool {
		dx, dy := f.Pos[0]-x, f.Pos[1]-y
		away := math.Hypot(dx, dy)
		outward := (f.Vel[0]*dx + f.Vel[1]*dy) / max(away, 1)
		s.hold(max(-1.5, min(1.5, 0.5+0.1*(away-radius)+0.3*outward)))
		s.press(max(0, min(0.6, 0.15+0.1*(speed-f.Speed))))
		return f.Lap.Number > 0 // the car began behind the start line, and has come round
	})
	s.press(0)
	s.hold(0)
	return readable(string(s.finish()))
}

// press presses the throttle, 0..1, in steps that are large enough for the wheel to be asked seldom.
func (s *seat) press(throttle float64) {
	const step = 16 // counts
	gas := pedal(throttle)
	if math.Abs(float64(gas)-float64(s.gas)) < step && throttle > 0 {
		return
	}
	s.gas = gas
	in := s.wheel.Input()
	in.Gas = gas
	s.wheel.SetInput(in)
}
