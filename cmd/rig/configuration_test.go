package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/test/level"
)

func TestEveryCommandSaysFirstWhichConfigurationIsInForce(t *testing.T) {
	level.SkipIfQuick(t)
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Chdir(dir)
	path := filepath.Join(dir, "my\x1b[2J.toml")
	if err := os.WriteFile(path, []byte("track = \"skidpad\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	named, none := `rig: configuration: `+dir+`/my\x1b[2J.toml`, "rig: configuration: built-in defaults"
	if p := config.Find(os.Getenv, os.Geteuid()); p != "" { // of this machine
		none = "rig: configuration: " + p
	}
	for _, command := range []string{
		"run --demo --headless --duration 1ms --page PAGE", "check", "check --json", "devices --json", "latency --duration 1ms --json",
		"calibrate wheel --yes --page PAGE --device none", "calibrate pedals --yes --device none", "calibrate ffb --yes --page PAGE --device none",
		"motion home --page PAGE", "motion park --page PAGE", "motion jog 1 --page PAGE", "motion sweep --page PAGE", "motion config --page PAGE",
		"motion omct --mode nothing", "ffb test --page PAGE --device none", "ffb map --car none",
	} {
		args := strings.Fields(strings.ReplaceAll(command, "PAGE", socketPath(t)))
		for want, more := range map[string][]string{named: {"--config", path}, none: nil} {
			if want == none && strings.HasPrefix(command, "run") {
				continue // the club circuit takes its time
			}
			_, out, errs := rigCommand(t, append(args, more...)...)
			if first, _, _ := strings.Cut(errs, "\n"); first != want {
				t.Errorf("%s: the first line is %q, want %q", command, first, want)
			}
			if strings.Contains(command, "--json") && !json.Valid([]byte(out)) {
				t.Errorf("%s: stdout is no JSON: %.200s", command, out)
			}
		}
	}
}

// Who runs this may be root or not; Find's own test has both.
func TestAConfigurationThatIsPassedOverIsNamed(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("NOTIFY_SOCKET", "@manager") // as the service has it
	if err := os.WriteFile("rig.toml", []byte("[guard]\nengage_s = 3.25\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, errs := rigCommand(t, "check", "--json")
	if !strings.Contains(errs, "; ./rig.toml is ignored (root and the service do not read it") || strings.Contains(out, "3.25") {
		t.Errorf("it was read, or passed over silently: %s", errs)
	}
	_, out, errs = rigCommand(t, "check", "--json", "--config", "rig.toml")
	if first, _, _ := strings.Cut(errs, "\n"); first != "rig: configuration: "+dir+"/rig.toml" || !strings.Contains(out, "3.25") {
		t.Errorf("named, it is not in force: %s", errs)
	}
}
