//go:build !cgo

package main

import (
	"strings"
	"testing"

	"rig.example/rig/test/level"
)

// A build without a window is no reason to drive without one where there is a screen.
func TestABuildWithoutAWindowDrivesOnlyWithoutAScreen(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		display, wayland string
		status           int
	}{{":0", "", exitFailed}, {"", "wayland-0", exitFailed}, {"", "", exitDone}} {
		t.Setenv("DISPLAY", tt.display)
		t.Setenv("WAYLAND_DISPLAY", tt.wayland)
		status, out, errs := rigCommand(t, "run", "--demo", "--duration", "50ms", "--config", onSkidpad(t), "--page", socketPath(t))
		if status != tt.status || strings.Contains(out, "drove") != (status == exitDone) || strings.Contains(errs, "from=parked") != (status == exitDone) {
			t.Errorf("%+v: status %d, %s%s", tt, status, out, errs)
		}
		if status == exitFailed && (strings.Count(errs, "built without cgo") != 1 || !strings.HasSuffix(errs, "--headless\n")) {
			t.Errorf("%+v: %s", tt, errs)
		}
	}
}
