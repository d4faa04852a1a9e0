package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/test/level"
)

// realFile is platformFile on a circuit that is built soon, with quick fades.
func realFile(t *testing.T, more string) (path string, sim *smc3.Simulator) {
	t.Helper()
	path, sim = platformFile(t)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := "track = \"skidpad\"\n" + string(text) + "[guard]\nengage_s = 0.2\nrelease_s = 0.1\n" + more
	if err := os.WriteFile(path, []byte(all), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, sim
}

func TestRealNeedsItsFlags(t *testing.T) {
	none := onSkidpad(t)
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"--real: it needs --demo", []string{"--real"}},
		{"--real: it needs --demo", []string{"--real=wheel"}},
		{"must be platform, wheel or all", []string{"--demo", "--real=seat"}},
		{"must be platform, wheel or all", []string{"--demo", "--real="}},
		{"--high-torque: a driver model turns a real rim with at most 2 N·m", []string{"--demo", "--real=all", "--high-torque"}},
		{"--high-torque: a driver model", []string{"--demo", "--real", "--high-torque"}},
		{"--ignore-interlock: it needs --demo --real", []string{"--demo", "--ignore-interlock"}},
		{"--ignore-interlock: it needs --demo --real", []string{"--ignore-interlock"}},
		{"--real: no platform is configured; set motion.protocol", []string{"--demo", "--real"}},
		{"--real: no platform is configured", []string{"--demo", "--real=all"}},
	} {
		status, out, errs := rigCommand(t, append([]string{"run", "--headless", "--duration", "1s", "--config", none, "--page", socketPath(t)}, tt.args...)...)
		if status != exitUsage || !strings.Contains(errs, tt.want) || strings.Count(strings.TrimSpace(said(errs)), "\n") != 0 || out != "" {
			t.Errorf("%q: status %d, said %q, want %q", tt.args, status, errs, tt.want)
		}
	}
}

// Nothing real moves unless somebody types yes, whatever else is typed, and everybody is told what would.
func TestARealDemoAsksFirst(t *testing.T) {
	level.SkipIfQuick(t)
	path, sim := realFile(t, "")
	belted, _ := realFile(t, "[buttons]\ninterlock = \"dead:beef:BTN_TOP\"\n")
	for _, tt := range []struct {
		name, typed string
		args        []string
		want        []string
	}{
		{"nobody answers", "", nil, []string{"nothing was moved: no answer: EOF; run it in a terminal and type it\n"}},
		{"no", "no\n", nil, []string{"nothing was moved: nobody agreed"}},
		{"an empty line", "\n", nil, []string{"nothing was moved: nobody agreed"}},
		{"not quite", "y\n", nil, []string{"nothing was moved: nobody agreed"}},
		{"what is said", "no\n", nil, []string{"for 1s", "the smc3 platform on /dev/pts/", "between 10 % of the stroke and 90 % of the stroke", "Nobody may be on the seat",
			"No belt or door switch is configured", "Emergency stop: Enter in this terminal, any key in the window, any button of the cockpit, SIGUSR2", "Ctrl-C fades out and parks"}},
		{"an interlock", "no\n", []string{"--config", belted}, []string{"The belt or door switch must be closed", "--ignore-interlock"}},
		{"an interlock that is ignored", "no\n", []string{"--config", belted, "--ignore-interlock"}, []string{"The belt and door switches are ignored."}},
		{"a wheel that is not there", "yes\n", []string{"--real=all"}, []string{"wheel"}},
	} {
		args := append([]string{"run", "--demo", "--real", "--headless", "--json", "--duration", "1s", "--config", path, "--page", socketPath(t)}, tt.args...)
		var out, errs steps
		status := realMain(args, strings.NewReader(tt.typed), &out, &errs)
		if status != exitFailed || sim.Frames() != 0 || out.String() != "" {
			t.Errorf("%s: status %d, %d frames, %s", tt.name, status, sim.Frames(), out.String())
		}
		for _, want := range tt.want {
			if !strings.Contains(errs.String(), want) {
				t.Errorf("%s: %q lacks %q", tt.name, errs.String(), want)
			}
		}
	}
}

// A typed yes moves the configured platform over its line; how such a drive ends is seen where nothing depends on the clock.
func TestARealDemoMovesThePlatform(t *testing.T) {
	level.SkipIfQuick(t)
	path, sim := realFile(t, "")
	var out, errs steps
	status := realMain([]string{"run", "--demo", "--real", "--headless", "--json", "--record=" + t.TempDir() + "/r.mcap", "--duration", "1s", "--config", path, "--page", socketPath(t)}, strings.NewReader("yes\n"), &out, &errs)
	var sum struct{ Real string }
	if err := json.Unmarshal([]byte(out.String()), &sum); err != nil || sum.Real != "platform" || sim.Frames() == 0 {
		t.Errorf("%v, status %d, %+v, %d frames\n%s", err, status, sum, sim.Frames(), errs.String())
	}
}

// patience ends a test whose command would go on for ever.
const patience = 30 * time.Second

// typing is a command whose operator types and sends signals when a text appears.
func typing(t *testing.T, args []string, on ...any) (status int, errs string) {
	t.Helper()
	in, keyboard := io.Pipe()
	defer keyboard.Close()
	signals := make(chan os.Signal, 4)
	var out, e steps
	s := &streams{in: in, out: &out, err: &e, signals: func() (<-chan os.Signal, func()) { return signals, func() {} }}
	ended := make(chan int, 1)
	go func() { ended <- perform(args, s) }()
	limit := time.After(patience)
	for i := 0; i < len(on); i += 2 {
		for !strings.Contains(e.String(), on[i].(string)) {
			select {
			case status := <-ended:
				t.Fatalf("ended before %q, status %d: %s", on[i], status, e.String())
			case <-limit:
				t.Fatalf("never %q: %s", on[i], e.String())
			case <-time.After(5 * time.Millisecond):
			}
		}
		switch do := on[i+1].(type) {
		case string:
			io.WriteString(keyboard, do)
		case os.Signal:
			signals <- do
		}
	}
	select {
	case status = <-ended:
	case <-limit:
		t.Fatalf("does not end: %s", e.String())
	}
	return status, e.String()
}

// A line in the terminal stops a real demo until a signal confirms. Its platform is unplugged, so that nothing depends on
// how soon a controller answers.
func TestALineStopsARealDemo(t *testing.T) {
	level.SkipIfQuick(t)
	path := filepath.Join(t.TempDir(), "rig.toml")
	text := "track = \"skidpad\"\n[motion]\nprotocol = \"smc3\"\nport = \"/dev/serial/by-id/nothing\"\n[guard]\nengage_s = 0.2\nrelease_s = 0.1\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "--demo", "--real", "--headless", "--json", "--config", path, "--page", socketPath(t)}
	status, errs := typing(t, args, "may it move now?", "yes\n", "state=driving", "\n", "state=stopped", syscall.SIGTERM)
	if status != exitFailed || !strings.Contains(errs, "emergency stop by a signal or the terminal") || !strings.Contains(errs, "rig: ended stopped (emergency stop)") {
		t.Errorf("status %d: %s", status, errs)
	}
	args[len(args)-1] = socketPath(t)
	if status, errs = typing(t, args, "may it move now?", "yes\n", "state=driving", "x\n", "state=stopped", syscall.SIGUSR1, "from=stopped", syscall.SIGTERM); status != exitDone {
		t.Errorf("confirmed: status %d: %s", status, errs)
	}
}

// Ctrl-C at the question is a no, even when yes follows.
func TestCtrlCAtTheQuestionMovesNothing(t *testing.T) {
	path, sim := realFile(t, "")
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGUSR2} {
		status, errs := typing(t, []string{"run", "--demo", "--real", "--headless", "--json", "--config", path, "--page", socketPath(t)}, "may it move now?", signal)
		if status != exitFailed || !strings.Contains(errs, "nothing was moved: interrupted") || sim.Frames() != 0 {
			t.Errorf("%v: status %d, %d frames: %s", signal, status, sim.Frames(), errs)
		}
	}
}

// The demo without --real says that it leaves the configured platform alone, once.
func TestAPlainDemoSaysThatThePlatformDoesNotMove(t *testing.T) {
	level.SkipIfQuick(t)
	path, sim := realFile(t, "")
	_, _, errs := rigCommand(t, "run", "--demo", "--headless", "--duration", "100ms", "--config", path, "--page", socketPath(t))
	if strings.Count(errs, "the configured platform does not move, because --demo simulates it; --real moves it") != 1 || sim.Frames() != 0 {
		t.Errorf("%d frames, said %s", sim.Frames(), errs)
	}
	if _, _, errs := rigCommand(t, "run", "--demo", "--headless", "--duration", "100ms", "--config", onSkidpad(t), "--page", socketPath(t)); strings.Contains(errs, "does not move") {
		t.Errorf("said %s", errs)
	}
}
