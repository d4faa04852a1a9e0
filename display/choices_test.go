//go:build cgo

package display

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/test/x11"
)

// F11 fills the monitor, and the next window begins so. The eye moves by keys. Both are kept.
func TestChoicesInTheWindowAreKept(t *testing.T) {
	x, path := x11.Start(t), filepath.Join(t.TempDir(), "display.toml")
	s := displaytest.Oval()
	s.CarName = "gt"
	p := scenePage(t, s, displaytest.OvalFrame(0))
	const pageUp, end, f11 = 112, 115, 95 // of the server
	if stats := pressed(t, x, p, path, f11, pageUp, pageUp, end); stats.Size == [2]int{800, 600} {
		t.Errorf("F11: the picture has still %v pixels", stats.Size)
	}
	r, err := remember(path)
	if want := (moved{Ahead: -eyeStep, Up: 2 * eyeStep}); err != nil || r.Eye["gt"] != want || !r.Chosen || !r.Fullscreen {
		t.Errorf("kept %+v, %v", r, err)
	}
	if stats := pressed(t, x, p, path); stats.Size == [2]int{800, 600} {
		t.Errorf("the next window has %v pixels, want it to fill the monitor", stats.Size)
	}
	if stats := pressed(t, x, p, path, f11); stats.Size != [2]int{800, 600} {
		t.Errorf("F11 again: %v pixels", stats.Size)
	}
	if r, _ := remember(path); r.Fullscreen {
		t.Error("the window is not kept")
	}
}

// pressed opens a window, presses keys one after the other, and ends it.
func pressed(t *testing.T, x string, p *framepage.Page, path string, keys ...byte) (stats Stats) {
	t.Helper()
	cmd := childCommand(t, x, childJob{files: p.Files(), Remember: path, Width: 800, Height: 600})
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	pictures := func(n uint64) {
		t.Helper()
		for _, first := p.Keys(); ; {
			if _, now := p.Keys(); now >= first+n {
				return
			}
			select {
			case err := <-ended:
				t.Fatalf("the window ended early: %v, %s", err, out.String())
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	pictures(3)
	k := x11.NewKeyboard(t, x)
	for _, key := range append(keys, x11.KeyEscape) {
		k.Press(t, key, true)
		pictures(2)
		k.Press(t, key, false)
		time.Sleep(50 * time.Millisecond) // GLFW takes a press that soon after a release for a repetition
		pictures(2)
	}
	k.Press(t, x11.KeyEscape, true) // it has asked, and ends now
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	k.Press(t, x11.KeyEscape, false)
	if err := json.Unmarshal(out.Bytes(), &stats); err != nil {
		t.Fatal(err)
	}
	return stats
}
