package rig

import (
	"os"
	"path/filepath"
	"testing"

	"rig.example/rig/internal/config"
	"rig.example/rig/test/level"
)

func TestTheRigHasALineToDraw(t *testing.T) {
	level.NotQuick(t)
	fast, err := undriven(t, config.Default()).racing()
	if err != nil {
		t.Fatal(err)
	}
	slow, err := demo(t).racing()
	if err != nil {
		t.Fatal(err)
	}
	if a, b := fast.speeds.Time(), slow.speeds.Time(); a < 60 || b > 200 || b < a || !fast.line.Closed() || !slow.line.Closed() {
		t.Errorf("laps of %.1f s and %.1f s", a, b)
	}
	brakes, drives := 0, 0
	for s := 0.0; s < fast.line.Length(); s++ {
		switch _, ahead := fast.speeds.At(s); {
		case ahead < -1:
			brakes++
		case ahead > 1:
			drives++
		}
	}
	if brakes < 200 || drives < 500 {
		t.Errorf("brakes over %d m and speeds up over %d m", brakes, drives)
	}
}

// Where there is no room for a racing line the demo drives in the middle.
func TestANarrowRoadIsDrivenInTheMiddle(t *testing.T) {
	cfg := config.Default()
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cfg.Track = file("narrow.toml", "[layout]\nwidth_m = 2\n[[layout.piece]]\nturn_deg = 360\nradius_m = 60\n")
	cfg.Car = file("wide.toml", "width_m = 2.2\n")
	r := demoOf(t, cfg)
	if got := r.drive.Model().Line(); got != r.drive.Setup.Circuit.Line {
		t.Error("the demo's driver has a line of its own")
	}
	if line, err := r.racing(); line.line != nil || err != nil {
		t.Errorf("a line is drawn, error %v", err)
	}
}
