package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rig.example/rig/internal/connect/audio/audiotest"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
)

// soundConfig returns the path of a configuration with sound and a shaker.
func soundConfig(t *testing.T, more string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rig.toml")
	text := "[sound]\non = \"always\"\n[[shaker]]\nname = \"chair\"\nplace = \"seat\"\nchannel = 4\n" + more
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A killed player and a sound server that hangs cost a drive nothing; the player is started again.
func TestADriveOutlivesItsSound(t *testing.T) {
	level.SkipIfQuick(t)
	server, socket := audiotest.Start(t, 4), socketPath(t)
	cmd := rigProcess("run", "--demo", "--headless", "--config", soundConfig(t, ""), "--page", socket)
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	var p *framepage.Page
	await(t, "the page", func() (ok bool) { var err error; p, err = framepage.Open(socket); return err == nil })
	defer p.Close()
	now := func() (f frame.Frame) { p.Read(&f); return f }
	await(t, "the sound", func() bool { return now().Sound.Devices == 1 && now().Sound.Latency > 0 })
	await(t, "the drive", func() bool { return guard.State(now().State) == guard.Driving })
	killed := childOf(cmd.Process.Pid, "sound")
	if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	await(t, "that nothing plays", func() bool { return now().Sound.Devices == 0 })
	await(t, "another player", func() bool { return now().Sound.Devices == 1 })
	server.Hang(t)
	tick := now().Tick
	await(t, "a second without a server", func() bool { return now().Tick > tick+1000 })
	await(t, "that nothing plays", func() bool { return now().Sound.Devices == 0 })
	if f := now(); guard.State(f.State) != guard.Driving {
		t.Errorf("the drive is %v", guard.State(f.State))
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || childOf(cmd.Process.Pid, "sound") != 0 {
		t.Errorf("%v\n%s", err, errs.String())
	}
	if !strings.Contains(errs.String(), "sound ended; started again") {
		t.Errorf("logged %s", errs.String())
	}
}

// Without a sound server a drive says so in one line and ends as it would with one.
func TestADriveWithoutASoundServer(t *testing.T) {
	level.SkipIfQuick(t)
	t.Setenv("PULSE_SERVER", filepath.Join(t.TempDir(), "none"))
	cmd := rigProcess("run", "--demo", "--headless", "--duration", "3s", "--config", soundConfig(t, ""), "--page", socketPath(t))
	errs, err := cmd.CombinedOutput()
	if n := strings.Count(string(errs), "no sound: the rig drives without"); err != nil || n != 1 {
		t.Errorf("%v, said %d times\n%s", err, n, errs)
	}
}

// Each effect of each shaker is played; a sweep tells where Enter was pressed.
func TestShakers(t *testing.T) {
	level.SkipIfQuick(t)
	audiotest.Start(t, 4)
	off := ""
	for _, effect := range []string{"road", "slip", "lock_up", "abs", "shift", "bottoming"} {
		off += effect + " = { gain_db = -60 }\n"
	}
	conf := soundConfig(t, off+"[[shaker]]\nplace = \"pedals\"\nchannel = 2\n")
	out, _ := done(t, "shaker", "test", "chair", "--seconds", "2", "--config", conf, "--json", "--page", socketPath(t))
	seen := map[string]float64{}
	for line := range strings.Lines(out) {
		var now trialMoment
		if err := json.Unmarshal([]byte(line), &now); err != nil || now.Shaker != "chair" {
			t.Fatalf("%v in %q", err, line)
		}
		seen[now.What] = max(seen[now.What], now.Level)
	}
	if len(seen) != 3 || seen["engine"] < 0.05 || seen["kerb"] < 0.05 || seen["contact"] < 0.05 {
		t.Errorf("levels %v", seen)
	}
	out, _ = done(t, "shaker", "sweep", "2 (pedals)", "--seconds", "1", "--config", conf, "--page", socketPath(t))
	if !strings.Contains(out, "Enter was not pressed") {
		t.Errorf("%q", out)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"sweep"}, "one shaker is swept at a time; name one of chair, 2 (pedals)"},
		{[]string{"test", "roof"}, `no shaker is named "roof"; the configuration has chair, 2 (pedals)`},
		{[]string{"sweep", "chair", "--from", "200", "--to", "100"}, "--from: 200 to 100 Hz cannot be swept"},
		{[]string{"test", "--seconds", "0"}, "--seconds: must be 0.1 to 60"},
	} {
		if status, _, errs := rigCommand(t, append(append([]string{"shaker"}, tt.args...), "--config", conf)...); status != exitUsage || !strings.Contains(errs, tt.want) {
			t.Errorf("%q: status %d, %s; want %s", tt.args, status, errs, tt.want)
		}
	}
}

// `rig stop` ends what shakes the seat, as it ends whatever moves it.
func TestRigStopEndsShakers(t *testing.T) {
	level.SkipIfQuick(t)
	audiotest.Start(t, 4)
	conf := soundConfig(t, "")
	for command, long := range map[string][]string{"test": {"--seconds", "60"}, "sweep": {"--seconds", "600"}} {
		var out, errs steps
		s := newStreams(strings.NewReader(""), &out, &errs)
		s.signals, s.serveOrders = noSignals, (*framepage.Socket).ServeOrders
		socket, ended := socketPath(t), make(chan int, 1)
		go func() {
			ended <- perform(append([]string{"shaker", command, "--config", conf, "--page", socket}, long...), s)
		}()
		await(t, "the shaker plays", func() bool { return strings.Contains(out.String(), "chair") })
		if status, text, refused := rigCommand(t, "stop", "--page", socket); status != exitDone || !strings.Contains(text, "stopped rig shaker "+command) {
			t.Fatalf("%s: status %d, %q, %q", command, status, text, refused)
		}
		if status := <-ended; status != exitFailed || !strings.Contains(errs.String(), "stopped by the operator") {
			t.Errorf("%s: status %d, %q", command, status, errs.String())
		}
	}
}

// A line at a moment of the sweep marks the frequency of that moment, one before it begins none.
func TestMarksOfASweep(t *testing.T) {
	m := &marker{}
	m.read(strings.NewReader("\n"))
	m.at(42)
	m.read(strings.NewReader("\n\n"))
	if got := m.list(); len(got) != 2 || got[0] != 42 {
		t.Errorf("%v", got)
	}
	c := shakerSweepCmd{From: 20, To: 80, Seconds: 10}
	if c.hz(0) != 20 || c.hz(5000) < 39.9 || c.hz(5000) > 40.1 || c.hz(20_000) != 80 {
		t.Errorf("%g, %g, %g Hz", c.hz(0), c.hz(5000), c.hz(20_000))
	}
	var out strings.Builder
	if err := c.print(&streams{out: &out}, sweepResult{"seat", 20, 80, []float64{40, 44.1}}); err != nil || !strings.Contains(out.String(), "resonance_hz = 42\n") {
		t.Errorf("%v, %q", err, out.String())
	}
}

// Devices and their use are listed, and what the configuration names in vain is told.
func TestSoundDevicesAreListedAndChecked(t *testing.T) {
	audiotest.Start(t, 4)
	conf := soundConfig(t, "[[shaker]]\nplace = \"pedals\"\nchannel = 9\n[[shaker]]\nplace = \"pedals\"\nchannel = 1\ndevice = \"thunder\"\n")
	out, _ := done(t, "devices", "--config", conf)
	if !strings.Contains(out, audiotest.SinkName) || !strings.Contains(out, "channels 1 front left, 2 center, 3 front right, 4 rear center") || !strings.Contains(out, "→ sound, shaker chair at channel 4") {
		t.Errorf("%s", out)
	}
	_, out, _ = rigCommand(t, "check", "--config", conf)
	for _, want := range []string{"shaker[1]", "is at channel 9", "shaker[2]", "thunder"} {
		if !strings.Contains(out, want) {
			t.Errorf("rig check lacks %q: %s", want, out)
		}
	}
}
