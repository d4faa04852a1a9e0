package display

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the driver chose in the window is found again, for each car, and a damaged file costs no more than that.
func TestChoicesAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "profiles", "display.toml")
	r, err := remember(path)
	if err != nil || r.Chosen || r.Eye["gt"] != (moved{}) {
		t.Fatalf("without a file: %+v, %v", r, err)
	}
	r.move("gt", 1, -2)
	r.move("gt", 1, 0)
	r.Chosen, r.Fullscreen, r.Monitor = true, true, "DP-1"
	if err := r.save(); err != nil {
		t.Fatal(err)
	}
	again, err := remember(path)
	if want := (moved{Ahead: 2 * eyeStep, Up: -2 * eyeStep}); err != nil || again.Eye["gt"] != want || again.Eye["coupe"] != (moved{}) || !again.Chosen || !again.Fullscreen || again.Monitor != "DP-1" {
		t.Errorf("%+v, %v", again, err)
	}
	for range 1000 {
		again.move("gt", -1, 1)
	}
	if m := again.Eye["gt"]; m.Ahead != -1 || m.Up != 1 {
		t.Errorf("moved by %+v", m)
	}
	for _, text := range []string{"eye = 3", "[eye.gt]\nahead_m = 7", "\x00"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if bad, err := remember(path); err == nil || !strings.Contains(err.Error(), path) || bad.Eye == nil {
			t.Errorf("%q: %+v, %v", text, bad, err)
		}
	}
	nowhere, err := remember("")
	if err != nil || nowhere.save() != nil {
		t.Errorf("without a path: %v", err)
	}
}

func FuzzRemember(f *testing.F) {
	f.Add([]byte("fullscreen = true\nchosen = true\nmonitor = \"DP-1\"\n[eye.gt]\nahead_m = 0.1\nup_m = -0.02\n"))
	path := filepath.Join(f.TempDir(), "display.toml")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		r, _ := remember(path)
		r.move("gt", 1, 1)
		for car, m := range r.Eye {
			if !(m.Ahead >= -1 && m.Ahead <= 1 && m.Up >= -1 && m.Up <= 1) {
				t.Errorf("%s: %+v", car, m)
			}
		}
	})
}
