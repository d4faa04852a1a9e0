package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/tools/setup"
)

// setUp runs `rig setup` where nobody types.
func setUp(args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = realMain(append([]string{"setup"}, args...), strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

func TestSetupNeedsATerminalOrYes(t *testing.T) {
	status, out, errs := setUp()
	if status != exitUsage || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "--yes") {
		t.Errorf("%d, %q, %q", status, out, errs)
	}
}

// A script gets one object, and a file that the next command takes.
func TestSetupForScripts(t *testing.T) {
	dir := t.TempDir()
	nodes, err := evdev.List()
	if err != nil {
		t.Skip(err)
	}
	_, noWheel := wheel.Choose(nodes, "")
	_, noPedals := pedals.Choose(nodes, "", calib.Store{Dir: dir})
	if noWheel == nil || noPedals == nil {
		t.Skip("it would wait for somebody who moves the wheel or the pedals of this machine")
	}
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("DISPLAY", "")
	file := filepath.Join(dir, "mine.toml")
	status, out, errs := setUp("--yes", "--json", "--no-drive", "--config", file, "--page", filepath.Join(dir, "page"))
	var sum setup.Summary
	if err := json.Unmarshal([]byte(out), &sum); err != nil || status == exitUsage {
		t.Fatalf("%d, %v: %s\n%s", status, err, out, errs)
	}
	if !sum.Written || sum.Config != file || sum.Drive || len(sum.Steps) != 5 {
		t.Errorf("%+v", sum)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

// Faults of the present configuration are shown with their places, and nothing is asked.
func TestSetupWantsACorrectConfiguration(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(file, []byte("car = \"gt\"\ncarr = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errs := setUp("--yes", "--config", file, "--page", filepath.Join(t.TempDir(), "page"))
	if status != exitUsage || out != "" || !strings.HasPrefix(errs, file+":2:1: ") {
		t.Errorf("%d, %q, %q", status, out, errs)
	}
}
