package main

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
)

// watchers are the commands that follow a running rig.
var watchers = [][]string{{"watch"}, {"watch", "--json"}, {"ffb"}, {"ffb", "--json"}, {"motion", "watch"}, {"motion", "watch", "--json"}}

// A watcher says that the rig has ended, how, and with which status: what it showed last is no
// state of now.
func TestAWatcherSaysHowTheRigEnded(t *testing.T) {
	for _, c := range []struct {
		why  string
		text string
		end  map[string]any
	}{
		{"", "the rig has ended: parked, status 0", map[string]any{"state": "parked", "status": 0.0, "error": ""}},
		{"ended parked (\x1b[2J)", "the rig has ended: parked, status 1: ended parked (\\x1b[2J)", map[string]any{"state": "parked", "status": 1.0, "error": "ended parked (\\x1b[2J)"}},
	} {
		page, path := publish(t)
		page.Publish(&frame.Frame{Tick: 7, State: uint64(guard.Parked), Speed: 98 / 3.6})
		page.End(c.why)
		for _, args := range watchers {
			status, out, errs := rigCommand(t, append(args, "--page", path)...)
			if status != exitDone || errs != "" {
				t.Errorf("%q: status %d, %q", args, status, errs)
			}
			lines := strings.Split(strings.TrimSpace(out), "\n")
			last := lines[len(lines)-1]
			if args[len(args)-1] != "--json" {
				if last != c.text || strings.Contains(out, "98") && !strings.Contains(out, "98 km/h (frozen)") && !strings.Contains(out, "98.0 km/h (frozen)") {
					t.Errorf("%q: %q", args, out)
				}
				continue
			}
			var end struct {
				Tick  float64
				Ended map[string]any
			}
			if err := json.Unmarshal([]byte(last), &end); err != nil || end.Tick != 7 || len(end.Ended) != 3 {
				t.Fatalf("%q: %v in %q", args, err, last)
			}
			for key, want := range c.end {
				if end.Ended[key] != want {
					t.Errorf("%q: %s is %v, want %v", args, key, end.Ended[key], want)
				}
			}
			for _, l := range lines[:len(lines)-1] {
				if strings.Contains(l, "ended") {
					t.Errorf("%q: %q before the end", args, l)
				}
			}
		}
	}
}

// publish gives a page of this process to watchers.
func publish(t *testing.T) (p *framepage.Page, path string) {
	t.Helper()
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	path = socketPath(t)
	socket, err := framepage.Reserve(path)
	if err == nil {
		err = socket.Serve(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close(); p.Close() })
	return p, path
}

// A rig that is killed says nothing: its watchers do, and fail. One that is only stopped has
// not ended.
func TestAWatcherTellsADeadRigFromOneThatStandsStill(t *testing.T) {
	level.SkipIfQuick(t)
	path := socketPath(t)
	drive := rigProcess("run", "--demo", "--headless", "--config", onSkidpad(t), "--page", path)
	if err := drive.Start(); err != nil {
		t.Fatal(err)
	}
	defer drive.Wait()
	defer drive.Process.Kill()
	await(t, "the drive", func() bool { return shows(path) })
	text := &watching{args: []string{"watch"}}
	objects := &watching{args: []string{"watch", "--json"}}
	done := make(chan bool, 2)
	for _, w := range []*watching{text, objects} {
		go func() { w.run(t, path); done <- true }()
	}
	await(t, "both to watch", func() bool { return text.out.String() != "" && objects.out.String() != "" })
	if err := drive.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	await(t, "word of the pause", func() bool {
		return strings.Contains(text.errs.String(), "shows nothing new") && strings.Contains(objects.errs.String(), "shows nothing new")
	})
	drive.Process.Kill()
	for range 2 {
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatal("a watcher waits for a dead rig")
		}
	}
	for _, w := range []*watching{text, objects} {
		if said := w.errs.String(); w.status != exitFailed || strings.Count(said, "died without") != 1 || strings.Count(said, "shows nothing new") != 1 {
			t.Errorf("%q: status %d, %q", w.args, w.status, said)
		}
	}
	if out := strings.TrimSpace(objects.out.String()); !strings.HasSuffix(out, "}}") || !strings.Contains(out[strings.LastIndex(out, "\n")+1:], `"ended":{"state":"died","status":null,`) {
		t.Errorf("the last object is %q", out[strings.LastIndex(out, "\n")+1:])
	}
}
