// Package x11 gives a test an X server of its own, and a keyboard on it.
package x11

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"rig.example/rig/test/level"
)

// Server is an X server whose screen exists only in memory (Xvfb), for one test.
type Server struct {
	Name string // display name, for the variable DISPLAY
	path string // path of the program Xvfb
	cmd  *exec.Cmd
}

// Start starts an X server for the test and returns its name, for DISPLAY.
func Start(t testing.TB) string {
	t.Helper()
	return NewServer(t).Name
}

// NewServer starts an X server for the test.
//
// `make quick` skips tests that draw, and so does RIG_WINDOW=no, because scripts/prove runs them
// separately. Without Xvfb the test is skipped, or fails in CI.
func NewServer(t testing.TB) *Server {
	t.Helper()
	level.SkipIfQuick(t)
	if os.Getenv("RIG_WINDOW") == "no" {
		t.Skip("the lanes `display` and `window` of scripts/prove run it")
	}
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("Xvfb is missing; install xvfb and libgl1-mesa-dri")
		}
		t.Skip("Xvfb is missing: the window is not tested; install xvfb and libgl1-mesa-dri")
	}
	s := &Server{path: path}
	t.Cleanup(s.Kill)
	s.Begin(t)
	return s
}

// Begin starts the server. After Kill it starts it again with the same display name.
func (s *Server) Begin(t testing.TB) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	args := []string{"-displayfd", "3", "-screen", "0", "1280x720x24", "-nolisten", "tcp"}
	if s.Name != "" {
		args = append([]string{s.Name}, args...)
	}
	cmd := exec.Command(s.path, args...)
	cmd.ExtraFiles = []*os.File{write}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	s.cmd = cmd
	read.SetReadDeadline(time.Now().Add(2 * time.Minute))
	var number string
	if _, err := fmt.Fscanln(read, &number); err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	s.Name = ":" + number
}

// Kill ends the server at once and closes all its windows.
func (s *Server) Kill() {
	if s.cmd != nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
		s.cmd = nil
	}
}
