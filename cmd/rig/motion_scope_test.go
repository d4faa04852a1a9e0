package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/live/rig"
)

// publishPlatform gives a page with a platform of two actuators, of which one moves, until the test ends.
func publishPlatform(t *testing.T) string {
	t.Helper()
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	path := socketPath(t)
	socket, err := framepage.Reserve(path)
	if err != nil {
		t.Fatal(err)
	}
	scene := &frame.Scene{Names: rig.Names([]string{"left", "right"})}
	if err := p.SetScene(scene); err != nil {
		t.Fatal(err)
	}
	if err := socket.Serve(p); err != nil {
		t.Fatal(err)
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for n := uint64(0); ; n++ {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			f := frame.Frame{Tick: n}
			f.Motion.Target[0], f.LegsFeedback[0] = 0.6, 0.55
			p.Publish(&f)
		}
	}()
	t.Cleanup(func() { close(end); <-ended; socket.Close(); p.Close() })
	return path
}

func TestAScopeWritesWhatItShows(t *testing.T) {
	path, folder := publishPlatform(t), t.TempDir()
	csv, plot := filepath.Join(folder, "scope.csv"), filepath.Join(folder, "scope.svg")
	out, _ := done(t, "motion", "scope", "--axis", "left,roll", "--duration", "300ms", "--csv", csv, "--plot", plot, "--page", path)
	const header = "time_s,left_target_percent,left_feedback_percent,left_error_percent,roll_target_deg,roll_feedback_deg,roll_error_deg"
	if !strings.HasPrefix(out, header+"\n0.0000,60.0000,55.0000,-5.0000,0.0000,0.0000,0.0000\n") {
		t.Errorf("shown:\n%.300s", out)
	}
	table, err := os.ReadFile(csv)
	if err != nil || string(table) != out {
		t.Errorf("%v: the table differs from what was shown:\n%.300s", err, table)
	}
	if picture, err := os.ReadFile(plot); err != nil || !strings.Contains(string(picture), "feedback") {
		t.Errorf("plot: %v", err)
	}
}

func TestAScopeAsksForAxes(t *testing.T) {
	path := publishPlatform(t)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--axis", "rear"}, `axis "rear": not found; choose left, right, surge`},
		{[]string{"--rate", "0"}, "must be 1 to 200"},
		{[]string{"--plot", "x.txt"}, "--plot"},
	} {
		if status, _, errs := rigCommand(t, append([]string{"motion", "scope", "--page", path}, tt.args...)...); status != exitUsage || !strings.Contains(errs, tt.want) {
			t.Errorf("%q: status %d, %q", tt.args, status, errs)
		}
	}
}
