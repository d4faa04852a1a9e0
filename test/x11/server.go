// Package x11 gives a test an X server of its own, and a keyboard on it.
package x11

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"rig/test/level"
)

// Start starts an X server for the test and returns its name, for DISPLAY.
//
// A test that draws is not quick, and scripts/prove leaves it to a lane of its own by
// RIG_WINDOW=no. Where Xvfb is missing it is skipped, or fails if it runs for CI.
func Start(t *testing.T) string {
	t.Helper()
	level.NotQuick(t)
	if os.Getenv("RIG_WINDOW") == "no" {
		t.Skip("the lane `window` of scripts/prove runs it")
	}
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("Xvfb is missing; install xvfb and libgl1-mesa-dri")
		}
		t.Skip("Xvfb is missing: the window is not tested; install xvfb and libgl1-mesa-dri")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", "1280x720x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{write}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	read.SetReadDeadline(time.Now().Add(2 * time.Minute))
	var number string
	if _, err := fmt.Fscanln(read, &number); err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	return ":" + number
}
