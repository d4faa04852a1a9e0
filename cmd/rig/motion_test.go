package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/test/level"
)

// motionCommand runs a command of `rig motion` on a page of its own, with answers typed.
func motionCommand(t *testing.T, typed string, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = realMain(append([]string{"motion"}, args...), strings.NewReader(typed), &o, &e)
	return status, o.String(), e.String()
}

// movement is motionCommand for what a simulated controller behind a pseudo-terminal is to do. Its clock is the host's: if it
// was not given the time to answer, the command is given again.
func movement(t *testing.T, typed string, args ...string) (status int, out, errs string) {
	t.Helper()
	for range 10 {
		if status, out, errs = motionCommand(t, typed, args...); !strings.Contains(errs, wire.ErrSilent.Error()) {
			break
		}
	}
	return status, out, errs
}

// movedJSON is what the commands that move print as JSON.
type movedJSON struct {
	Did, Protocol, State, Ended string
	Simulated                   bool
	Moves                       []struct {
		Name, Kind, Unit string
		Target           struct{ Low, High float64 } `json:"demanded"`
		Measured         *struct{ Low, High float64 }
		Max              *float64 `json:"error_max"`
		Delay            *float64 `json:"delay_ms"`
	}
}

// What the runtime has for signals must not belong to the bubble that listens for one first.
func init() { signal.Notify(make(chan os.Signal, 1), syscall.SIGWINCH) }

// moves runs a command of `rig motion` with a simulated platform, which moves in a time of
// its own.
func moves(t *testing.T, args ...string) movedJSON {
	t.Helper()
	var status int
	var out, errs string
	args = append(args, "--demo", "--json", "--page", socketPath(t))
	synctest.Test(t, func(t *testing.T) { status, out, errs = motionCommand(t, "", args...) })
	var m movedJSON
	if err := json.Unmarshal([]byte(out), &m); err != nil || status != exitDone {
		t.Fatalf("%v, status %d\n%s", err, status, errs)
	}
	if m.State != "parked" || m.Ended != "done" || !m.Simulated || m.Protocol != "smc3" {
		t.Errorf("%+v", m)
	}
	return m
}

func TestMotionHomeAndPark(t *testing.T) {
	t.Parallel()
	if m := moves(t, "home", "--hold", "100ms"); m.Did != "home" {
		t.Errorf("%+v", m)
	}
	if m := moves(t, "park"); m.Did != "park" {
		t.Errorf("%+v", m)
	}
}

func TestMotionJogMovesOneActuator(t *testing.T) {
	t.Parallel()
	m := moves(t, "jog", "right", "--share", "0.05", "--speed", "0.3")
	if len(m.Moves) != 1 || m.Moves[0].Name != "right" {
		t.Fatalf("%+v", m)
	}
	v := m.Moves[0]
	if v.Target.Low > 47 || v.Target.Low < 42 || v.Target.High < 53 || v.Target.High > 58 {
		t.Errorf("target %+v, want about 45 to 55 %%", v.Target)
	}
	if v.Measured == nil || v.Measured.Low > 49 || v.Measured.High < 51 || v.Max == nil || *v.Max > 10 {
		t.Errorf("measured %+v, error %v", v.Measured, v.Max)
	}
}

func TestMotionSweepMovesAll(t *testing.T) {
	t.Parallel()
	plot := filepath.Join(t.TempDir(), "sweep.svg")
	m := moves(t, "sweep", "--share", "0.01", "--speed", "0.4", "--plot", plot)
	var names []string
	for _, v := range m.Moves {
		names = append(names, v.Name)
	}
	if got := strings.Join(names, " "); got != "left right roll pitch" {
		t.Errorf("moved %s", got)
	}
	if data, err := os.ReadFile(plot); err != nil || !bytes.Contains(data, []byte("<svg")) {
		t.Errorf("plot: %v, %d bytes", err, len(data))
	}
}

func TestMotionOnATerminal(t *testing.T) {
	t.Parallel()
	var shown steps
	args := []string{"motion", "jog", "1", "--share", "0.02", "--speed", "0.3", "--demo", "--page", socketPath(t)}
	status := onTerminal(t, &shown, func(tty *os.File) (status int) {
		synctest.Test(t, func(*testing.T) { status = realMain(args, strings.NewReader(""), tty, tty) })
		return status
	})
	out := shown.String()
	for _, want := range []string{"simulated platform: ", "\r\x1b[K", "1 of 1: left", "target", "done, parked"} {
		if status != exitDone || !strings.Contains(out, want) {
			t.Errorf("status %d, lacks %q in %q", status, want, out)
		}
	}
}

// steps is an output that may be read while it grows.
type steps struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *steps) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *steps) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func TestCtrlCParksFirst(t *testing.T) {
	level.SkipIfQuick(t)
	var out, errs steps
	ended := make(chan int, 1)
	args := []string{"motion", "jog", "1", "--share", "0.3", "--speed", "0.1", "--demo", "--page", socketPath(t)}
	go func() { ended <- realMain(args, strings.NewReader(""), &out, &errs) }()
	for !strings.Contains(out.String(), "1 of 1") {
		select {
		case status := <-ended:
			t.Fatalf("ended by itself, status %d: %s", status, errs.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	status := <-ended
	if status != exitFailed || !strings.Contains(out.String(), "interrupted: parking") || !strings.Contains(errs.String(), "interrupted; the platform is parked") {
		t.Errorf("status %d, %q, %q", status, out.String(), errs.String())
	}
}

// platformFile describes a platform with a simulated controller on a pseudo-terminal, as a user would.
func platformFile(t *testing.T) (path string, sim *smc3.Simulator) {
	t.Helper()
	line, device, err := port.OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	sim = smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- simulated.Serve(ctx, sim, line) }()
	t.Cleanup(func() { cancel(); <-served })
	path = filepath.Join(t.TempDir(), "rig.toml")
	text := fmt.Sprintf("[motion]\nprotocol = \"smc3\"\nport = %q\nboot_wait_s = 0.1\n", device)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, sim
}

func TestMotionAsksFirst(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	path, sim := platformFile(t)
	jog := []string{"jog", "1", "--share", "0.02", "--speed", "0.2", "--config", path, "--page", socketPath(t)}
	tests := []struct {
		name, typed string
		args        []string
		refused     string // by what; else it moves
	}{
		{"nobody answers", "", nil, "no answer: EOF; run it in a terminal and type it, or give --yes\n"},
		{"much, and nobody answers", "", []string{"--share", "0.4"}, "no answer: EOF; run it in a terminal and type it\n"},
		{"no", "no\n", nil, "nobody agreed"},
		{"agreed beforehand, to much", "", []string{"--yes", "--share", "0.4"}, "no answer: EOF; run it in a terminal and type it\n"},
		{"yes", "yes\n", nil, ""},
		{"agreed beforehand", "", []string{"--yes"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := sim.Frames()
			status, out, errs := movement(t, tt.typed, append(jog, tt.args...)...)
			did, should := sim.Frames() != before, tt.refused == ""
			if did != should || !should && status == exitDone { // how a movement ends is seen where nothing depends on the clock
				t.Errorf("moved %t, status %d, %s%s", did, status, out, errs)
			}
			if !strings.Contains(errs, tt.refused) {
				t.Errorf("said %q", errs)
			}
		})
	}
}

// A door that is not known to be shut keeps the platform where it is, unless the operator says so.
func TestMotionAsksBeltAndDoor(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	path, sim := platformFile(t)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, "\n[buttons]\ninterlock = \"dead:beef:BTN_TOP\"\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"home", "park", "jog", "sweep"} {
		args := []string{command, "--yes", "--config", path, "--page", socketPath(t)}
		if command == "jog" {
			args = append(args, "1")
		}
		status, _, errs := motionCommand(t, "", args...)
		if status != exitFailed || !strings.Contains(errs, "belt or door: open") || !strings.Contains(errs, "--ignore-interlock") || sim.Frames() != 0 {
			t.Errorf("%s: status %d, said %q, %d frames", command, status, errs, sim.Frames())
		}
	}
	_, _, errs := movement(t, "", "home", "--yes", "--hold", "0s", "--ignore-interlock", "--config", path, "--page", socketPath(t))
	if sim.Frames() == 0 {
		t.Errorf("nothing moves; said %q", errs)
	}
}

func TestMotionParametersOfARealLine(t *testing.T) {
	path, _ := platformFile(t)
	status, out, errs := movement(t, "", "config", "--config", path, "--set", "kp_a=5", "--json", "--page", socketPath(t))
	var list []struct {
		Name, Unit, Help string
		Axis             int
		Value, Low, High float64
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil || status != exitDone {
		t.Fatalf("%v, status %d, %s", err, status, errs)
	}
	for _, p := range list {
		if p.Name == "kp_a" && p.Value == 5 && p.Axis == 1 && p.High > p.Low && p.Help != "" {
			return
		}
	}
	t.Errorf("kp_a is not 5 in %s", out)
}

func TestMotionConfigIsATable(t *testing.T) {
	status, out, errs := motionCommand(t, "", "config", "--demo", "--page", socketPath(t))
	if status != exitDone || !strings.Contains(out, "parameter") || !strings.Contains(out, "kp_a") || !strings.Contains(out, " .. ") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

func TestMotionRefusesInOneLine(t *testing.T) {
	lost := filepath.Join(t.TempDir(), "rig.toml")
	if err := os.WriteFile(lost, []byte("[motion]\nprotocol = \"smc3\"\nport = \"/dev/serial/by-id/nothing\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, want string
		args       []string
		status     int
	}{
		{"no platform", "no platform is configured", []string{"home"}, exitFailed},
		{"no platform to configure", "no platform is configured", []string{"config"}, exitFailed},
		{"a port that is not there", "/dev/serial/by-id/nothing", []string{"park", "--yes", "--config", lost}, exitFailed},
		{"the same for home", "/dev/serial/by-id/nothing", []string{"home", "--yes", "--config", lost}, exitFailed},
		{"no such actuator", "choose 1 to 3", []string{"jog", "nose", "--demo"}, exitFailed},
		{"no actuator", "", []string{"jog"}, exitUsage},
		{"too far", "--share 0.9", []string{"jog", "1", "--demo", "--share", "0.9"}, exitUsage},
		{"no speed", "--speed 0", []string{"sweep", "--demo", "--speed", "0"}, exitUsage},
		{"NaN", "--speed NaN", []string{"sweep", "--demo", "--speed", "nan"}, exitUsage},
		{"held for ever", "rig: motion: --hold 9h: must be 0s to 10m", []string{"home", "--demo", "--hold", "9h"}, exitUsage},
		{"held for less than no time", "--hold -1s: must be 0s to 10m", []string{"home", "--demo", "--hold=-1s"}, exitUsage},
		{"a picture of what", ".svg or .png", []string{"sweep", "--demo", "--plot", "x.gif"}, exitUsage},
		{"a test's picture of what", ".svg or .png", []string{"omct", "--plot", "x.gif"}, exitUsage},
		{"a head in two dimensions", "x, y, z", []string{"omct", "--head-m", "1,2"}, exitUsage},
		{"a head outside the room", "rig: omct: --head-m x 4: must be -3 to 3", []string{"omct", "--head-m", "4,0,0"}, exitUsage},
		{"a test too large", "rig: omct: --size 20: must be 0.001 to 10", []string{"omct", "--size", "20"}, exitUsage},
		{"an unknown mode", "no such", []string{"omct", "--mode", "no such"}, exitUsage},
		{"no value", "NAME=NUMBER", []string{"config", "--demo", "--set", "kp_a"}, exitUsage},
		{"no such parameter", "nosuch", []string{"config", "--demo", "--set", "nosuch=1"}, exitFailed},
		{"nothing to save", "--save", []string{"config", "--demo", "--save"}, exitUsage},
		{"no rig to watch", "is rig running?", []string{"watch"}, exitFailed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := tt.args
			if args[0] != "omct" {
				args = append(args, "--page", socketPath(t))
			}
			status, _, errs := motionCommand(t, "", args...)
			if status != tt.status || !strings.Contains(errs, tt.want) || strings.Count(strings.TrimSpace(said(errs)), "\n") != 0 {
				t.Errorf("status %d, said %q; want status %d and %q in one line", status, errs, tt.status, tt.want)
			}
		})
	}
}

// A drive moves the same platform.
func TestMotionWaitsForTheEndOfADrive(t *testing.T) {
	path := socketPath(t)
	held, err := framepage.Reserve(path)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for _, command := range [][]string{{"home"}, {"park"}, {"jog", "1"}, {"sweep"}, {"config"}} {
		status, _, errs := motionCommand(t, "", append(command, "--demo", "--page", path)...)
		if status != exitFailed || !strings.Contains(errs, "another rig of this user is running") {
			t.Errorf("%s: status %d, %q", command[0], status, errs)
		}
	}
}

func TestMotionOMCT(t *testing.T) {
	level.SkipIfQuick(t)
	plot := filepath.Join(t.TempDir(), "omct.png")
	status, out, errs := motionCommand(t, "", "omct", "--json", "--plot", plot)
	var r struct {
		Mode, Geometry string
		Summary        string
		Felt           []struct{ Share float64 }
		Tests          []struct {
			Number int
			Direct bool
			Points []struct {
				Omega float64 `json:"omega_rad_per_s"`
				Gain  float64
				Phase *float64 `json:"phase_deg"`
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != exitDone {
		t.Fatalf("%v, status %d, %s", err, status, errs)
	}
	if len(r.Tests) != 10 || len(r.Tests[0].Points) != 12 || r.Mode != "direct" || r.Geometry != "seat" {
		t.Fatalf("%d tests, mode %s, geometry %s", len(r.Tests), r.Mode, r.Geometry)
	}
	if !strings.HasPrefix(r.Summary, "You feel ") || len(r.Felt) != 6 || r.Felt[0].Share < 0.1 {
		t.Errorf("summed up as %q, %+v", r.Summary, r.Felt)
	}
	if roll := r.Tests[2].Points[0]; roll.Gain < 0.1 || roll.Phase == nil {
		t.Errorf("slow roll is not shown: %+v", roll)
	}
	if data, err := os.ReadFile(plot); err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
		t.Errorf("plot: %v, %d bytes", err, len(data))
	}
}

func checkMotionObjects(t *testing.T, out string) {
	t.Helper()
	for l := range strings.Lines(out) {
		var f struct {
			Platform  string
			Actuators []struct {
				Name     string
				Target   *float64 `json:"demand"`
				Feedback *float64
			}
		}
		if err := json.Unmarshal([]byte(l), &f); err != nil || len(f.Actuators) != 2 {
			t.Errorf("%v in %s", err, l)
			return
		}
	}
}

// A builder finds out which motor is wired where: a board's motor can be moved that the geometry does not use, and no other moves.
func TestJogMovesEveryMotorOfTheBoard(t *testing.T) {
	t.Parallel()
	m := moves(t, "jog", "3", "--share", "0.05", "--speed", "0.3")
	if len(m.Moves) != 1 || !strings.HasPrefix(m.Moves[0].Name, "motor 3") || m.Moves[0].Measured == nil || m.Moves[0].Measured.High < 53 || m.State != "parked" {
		t.Errorf("%+v", m)
	}
}
