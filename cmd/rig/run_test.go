package main

import (
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/recording"
)

// What is chosen for one drive is in the log's first lines and in the recording.
func TestADriveWithAnotherCar(t *testing.T) {
	file := filepath.Join(t.TempDir(), "drive.mcap")
	status, _, errs := rigCommand(t, "run", "--demo", "--headless", "--duration", "20ms", "--config", onSkidpad(t), "--page", socketPath(t), "--record="+file,
		"--car", "gt", "--platform", "hexapod-6", "--camera", "cockpit")
	if status != exitDone {
		t.Fatalf("status %d, %s", status, errs)
	}
	lines := strings.SplitN(errs, "\n", 3)
	if !strings.HasSuffix(lines[0], "/rig.toml; --car gt --platform hexapod-6 --camera cockpit") || !strings.Contains(lines[1], "car=gt track=skidpad") {
		t.Errorf("said first %q", lines[:2])
	}
	r, err := recording.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, key := range []string{ // the platform is kept as its keys
		"car = 'gt'", "track = 'skidpad'", "camera = 'cockpit'", "kind = 'hexapod'"} {
		if !strings.Contains(r.Header.Config, key) {
			t.Errorf("the recording's configuration has no %s", key)
		}
	}
	if r.Header.CarName != "gt" {
		t.Errorf("the recording's car is %q", r.Header.CarName)
	}
}

func TestAWrongChoiceIsWrongUsage(t *testing.T) {
	for flag, want := range map[string]string{"car": "spaceship: not found", "track": "spaceship: not found", "platform": "spaceship: not found", "camera": `"spaceship": must be chase`} {
		status, out, errs := rigCommand(t, "run", "--demo", "--headless", "--duration", "1ms", "--page", socketPath(t), "--"+flag, "spaceship")
		if status != exitUsage || out != "" || !strings.HasPrefix(errs, "rig: --"+flag+": "+want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("--%s: status %d, %q", flag, status, errs)
		}
	}
}
