package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without screens there is no true size to check, and what to set is said.
func TestScreensAskForWhatTheyNeed(t *testing.T) {
	if status, _, errs := rigCommand(t, "screens", "--config", emptyConfig(t)); status != exitUsage || !strings.Contains(errs, "set preset to single, triple or ultrawide-curved") {
		t.Errorf("no screens: status %d, %q", status, errs)
	}
	path := filepath.Join(t.TempDir(), "rig.toml")
	text := "[display.screens]\npreset = \"triple\"\ndistance_m = 0.65\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	status, out, errs := rigCommand(t, "screens", "--config", path)
	asked, cannot := strings.Contains(errs, "DISPLAY"), strings.Contains(errs, "built without cgo") // by how this test was built
	if status != exitFailed || !strings.Contains(out, "left     49.4° across, 29.0° upright, turned by 50.6°, 0.650 m away") || asked == cannot {
		t.Errorf("without a desktop: status %d, %q, %q", status, out, errs)
	}
	for text, want := range map[string]string{
		"[display.screens]\npreset = \"quad\"\n":                                                                "preset",
		"[display.screens]\npreset = \"ultrawide-curved\"\nradius_m = 0.3\nwidth_m = 2":                         "reach around the driver",
		"[display.screens]\npreset = \"triple\"\n[[display.screen]]\nwidth_m = 1\nheight_m = 1\ndistance_m = 1": "takes its place",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, _, errs := rigCommand(t, "screens", "--list", "--config", path); status != exitUsage || !strings.Contains(errs, want) || strings.Count(strings.TrimSpace(errs), "\n") > 0 {
			t.Errorf("%q: status %d, %q", text, status, errs)
		}
	}
}
