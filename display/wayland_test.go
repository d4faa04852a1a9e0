//go:build cgo

package display

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/test/level"
)

// The window opens on a Wayland desktop that has Xwayland.
func TestTheWindowOpensOnWayland(t *testing.T) {
	level.SkipUnlessAll(t, "the window opens on X servers")
	for _, program := range []string{"weston", "Xwayland"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("weston or Xwayland is missing: the window on Wayland is not tested; install weston and xwayland")
		}
	}
	folder := t.TempDir()
	log := filepath.Join(folder, "log")
	cmd := exec.Command("weston", "--backend=headless-backend.so", "--xwayland", "--idle-time=0", "--log="+log)
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+folder)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	listens := regexp.MustCompile(`xserver listening on display (:\d+)`)
	x := ""
	for began := time.Now(); x == "" && time.Since(began) < time.Minute; time.Sleep(50 * time.Millisecond) {
		if text, err := os.ReadFile(log); err == nil {
			if m := listens.FindSubmatch(text); m != nil {
				x = string(m[1])
			}
		}
	}
	if x == "" {
		t.Fatal("weston has no X server")
	}
	if stats := display(t, x, childJob{files: testPage(t, displaytest.OvalFrame(0)).Files(), Pictures: 10}); stats.Frames < 10 {
		t.Errorf("%d pictures", stats.Frames)
	}
}
