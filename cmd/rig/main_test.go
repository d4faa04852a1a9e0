package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/kit/version"
	"rig.example/rig/test/level"
)

const asRig = "RIG_TEST_AS_RIG"

// The test binary is rig when it is told so: rig starts itself as the display.
func TestMain(m *testing.M) {
	if os.Getenv(asRig) != "" {
		main()
	}
	folder, err := os.MkdirTemp("", "rig-test-")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_DATA_HOME", folder) // recordings and black boxes of the tests' drives
	os.Setenv("TERM", "xterm")         // of the tests' pseudo-terminals
	os.Unsetenv("NO_COLOR")
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// rigProcess is the program as a process of its own, without a screen.
func rigProcess(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asRig+"=1", "DISPLAY=", "WAYLAND_DISPLAY=")
	return cmd
}

// realMain runs the program in this process. Its commands without a drive take no orders of other processes: one that waits
// for a connection would hold up virtual time.
func realMain(args []string, in io.Reader, out, errw io.Writer) int {
	return perform(args, newStreams(in, out, errw))
}

// inNewFolder makes a new folder the working folder, and that of the user's configuration.
func inNewFolder(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
}

// rigCommand runs the program in this process.
func rigCommand(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = realMain(args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

// said is what a command wrote to stderr after the line that names its configuration.
func said(errs string) string {
	if first, rest, _ := strings.Cut(errs, "\n"); strings.HasPrefix(first, "rig: configuration: ") {
		return rest
	}
	return errs
}

func socketPath(t *testing.T) string { return filepath.Join(t.TempDir(), "page") }

func TestDemoPrintsItsSummary(t *testing.T) {
	level.SkipIfQuick(t)
	status, out, errs := rigCommand(t, "run", "--demo", "--headless", "--duration", "3s", "--json", "--page", socketPath(t))
	if status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if got["ticks"] != 3000.0 || got["exit_state"] != "parked" {
		t.Errorf("ticks %v, exit state %v", got["ticks"], got["exit_state"])
	}
	for _, key := range []string{"missed", "dropped", "distance_m", "max_rim_torque_nm", "max_platform_roll_deg"} {
		if _, ok := got[key].(float64); !ok {
			t.Errorf("%s is %v, want a number", key, got[key])
		}
	}
	if d := got["distance_m"].(float64); d < 3 || d > 100 {
		t.Errorf("drove %g m in 3 s from standstill", d)
	}
	if h, _ := got["state_hash"].(string); len(h) != 16 {
		t.Errorf("hash %q", h)
	}
	if got["state_hash_target"] != version.Current().Target {
		t.Errorf("hash of target %v, want %s", got["state_hash_target"], version.Current().Target)
	}
	if laps, ok := got["laps"].([]any); !ok || len(laps) != 0 || got["lap_count"] != 0.0 || got["best_lap_s"] != nil {
		t.Errorf("laps %v, count %v, best %v in 3 s", got["laps"], got["lap_count"], got["best_lap_s"])
	}
	for _, key := range []string{"lateness_us", "tick_us"} {
		q, _ := got[key].(map[string]any)
		for _, p := range []string{"p50", "p99", "p99_9", "max"} {
			if _, ok := q[p].(float64); !ok {
				t.Errorf("%s.%s is %v", key, p, q[p])
			}
		}
	}
}

// onSkidpad is a configuration whose circuit is built soon.
func onSkidpad(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rig.toml")
	if err := os.WriteFile(path, []byte("track = \"skidpad\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEqualDrivesLeaveEqualBits(t *testing.T) {
	level.SkipIfQuick(t)
	skidpad := onSkidpad(t)
	hash := func() string {
		_, out, errs := rigCommand(t, "run", "--demo", "--headless", "--duration", "2s", "--json", "--config", skidpad, "--page", socketPath(t))
		var got struct {
			Hash string `json:"state_hash"`
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%v\n%s", err, errs)
		}
		return got.Hash
	}
	if a, b := hash(), hash(); a != b {
		t.Errorf("two drives of 2000 ticks left %s and %s", a, b)
	}
}

func TestBadConfigurationIsExitStatus2(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct {
		name, path string
		want       []string // parts of the one line
	}{
		{"unknown key", file("a.toml", "[wheel]\nmax_torqe_nm = 3\n"), []string{"a.toml:2:1: ", `"wheel.max_torqe_nm"`, `did you mean "max_torque_nm"?`}},
		{"wrong unit", file("b.toml", "[guard]\nengage_ms = 2000\n"), []string{"b.toml:2:1: ", `"guard.engage_ms"`, `"engage_s"`}},
		{"out of range", file("c.toml", "\n[guard]\n  max_torque_nm = 99\n"), []string{"c.toml:3:3: ", "max_torque_nm", "99", "must be 0 to 25"}},
		{"wrong type", file("d.toml", "[guard]\nmax_torque_nm = true\n"), []string{"d.toml:2:", "give a number"}},
		{"missing file", filepath.Join(dir, "none.toml"), []string{"none.toml: cannot be read: no such file or directory"}},
		{"unknown car", file("e.toml", "car = \"spaceship\"\n"), []string{"e.toml:1:1: ", "spaceship", "coupe"}},
		{"missing car", file("h.toml", "\ncar = \"none.toml\"\n"), []string{"h.toml:2:1: car: " + dir + "/none.toml: cannot be read"}},
		{"car beside its file", file("i.toml", "car = \""+filepath.Base(file("heavy.toml", "mass_kg = 1e9\n"))+"\"\n"), []string{dir + "/heavy.toml:1:1: "}},
		{"unknown track", file("f.toml", "track = \"moon\"\n"), []string{"f.toml:1:1: ", "moon", "club"}},
		{"car out of range", file("g.toml", "car = \""+file("car.toml", "mass_kg = -5\n")+"\"\n"), []string{"car.toml:1:1: ", "mass_kg", "-5"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, command := range [][]string{{"run", "--demo", "--headless", "--duration", "1s", "--page", socketPath(t)}, {"latency", "--duration", "1s"}} {
				status, _, errs := rigCommand(t, append(command, "--config", tt.path)...)
				if status != exitUsage {
					t.Errorf("%s: status %d, want %d", command[0], status, exitUsage)
				}
				lines := strings.Split(strings.TrimSpace(errs), "\n")
				last := lines[len(lines)-1]
				for _, part := range tt.want {
					if !strings.Contains(last, part) {
						t.Errorf("%s: %q lacks %q", command[0], last, part)
					}
				}
			}
		})
	}
}

func TestWrongUsage(t *testing.T) {
	for _, args := range [][]string{{"fly"}, {"run", "--warp"}, {"run", "--duration", "soon"}, {"calibrate"}, {"run", "--duration=-5s"},
		{"run", "--demo", "--duration=1us"}, {"latency", "--duration=-100ms"},
		{"calibrate", "ffb", "--hold", "2m"}, {"calibrate", "ffb", "--hold", "999ms"}} {
		status, _, errs := rigCommand(t, args...)
		if status != exitUsage || strings.Count(strings.TrimSpace(errs), "\n") != 0 {
			t.Errorf("%q: status %d, said %q", args, status, errs)
		}
	}
	if status, out, _ := rigCommand(t, "--help"); status != exitDone || !strings.Contains(out, "latency") {
		t.Errorf("help: status %d, %q", status, out)
	}
}

func TestCheckResolvesTheConfiguration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rig.toml")
	os.WriteFile(path, []byte("[guard]\nengage_s = 3.5\n"), 0o600)
	status, out, errs := rigCommand(t, "check", "--json", "--config", path)
	var loose map[string]any
	if err := json.Unmarshal([]byte(out), &loose); err != nil || status != exitDone {
		t.Fatalf("%v, status %d, %s", err, status, errs)
	}
	guard := loose["resolved"].(map[string]any)["guard"].(map[string]any)
	if guard["engage_s"] != 3.5 || guard["max_torque_nm"] != 8.0 {
		t.Errorf("resolved guard %v", guard)
	}
	for _, p := range loose["problems"].([]any) {
		m := p.(map[string]any)
		if m["what"] == "" || m["remedy"] == "" {
			t.Errorf("a problem without its remedy: %v", m)
		}
	}
}

func TestDevicesIsAnArray(t *testing.T) {
	status, out, errs := rigCommand(t, "devices", "--json")
	var got []map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitDone {
		t.Fatalf("%v, status %d, %s", err, status, errs)
	}
	if strings.TrimSpace(out) == "null" {
		t.Error("no devices must be an empty array")
	}
}

func TestLatencyReports(t *testing.T) {
	level.SkipIfQuick(t)
	skidpad := onSkidpad(t)
	status, out, errs := rigCommand(t, "latency", "--duration", "300ms", "--json", "--config", skidpad)
	var got struct {
		Lateness map[string]float64 `json:"lateness_us"`
		Tick     map[string]float64 `json:"tick_us"`
		Verdict  string             `json:"verdict"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitDone {
		t.Fatalf("%v, status %d, %s", err, status, errs)
	}
	if got.Tick["p50"] <= 0 || got.Tick["max"] < got.Tick["p99"] || got.Verdict == "" {
		t.Errorf("%+v", got)
	}
	if _, text, _ := rigCommand(t, "latency", "--duration", "300ms", "--config", skidpad); !strings.Contains(text, "█") || !strings.Contains(text, "p99.9") {
		t.Errorf("no histogram in %s", text)
	}
}

func TestWatchWithoutARigSaysSo(t *testing.T) {
	status, _, errs := rigCommand(t, "watch", "--page", socketPath(t))
	if status != exitFailed || !strings.Contains(errs, "is rig running?") {
		t.Errorf("status %d, %q", status, errs)
	}
}
