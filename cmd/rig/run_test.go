package main

import (
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/files/recording"
	"rig.example/rig/test/level"
)

// What is chosen for one drive is in the log's first lines and in the recording.
func TestADriveWithAnotherCar(t *testing.T) {
	level.SkipIfQuick(t)
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

func TestWrongLapsAreWrongUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"rig: --laps: -1: must be 1 or more\n":                                 {"--laps=-1"},
		"rig: --laps: the laps end the drive; leave --duration out\n":          {"--laps", "1", "--duration", "1s"},
		"rig: --at: it is the moment of --picture; give that too\n":            {"", "--at", "1"},
		"rig: --picture: p.jpg: end its name with .png\n":                      {"", "--picture", "p.jpg"},
		"rig: --picture: it only draws a picture; leave the other flags out\n": {"", "--picture", "p.png", "--verify"},
	} {
		line := append([]string{"run", "--demo", "--headless"}, args...)
		if args[0] == "" {
			line = append([]string{"replay", "none.mcap"}, args[1:]...)
		}
		if status, out, errs := rigCommand(t, line...); status != exitUsage || out != "" || errs != want {
			t.Errorf("%q: status %d, %q, want %q", line, status, errs, want)
		}
	}
}
