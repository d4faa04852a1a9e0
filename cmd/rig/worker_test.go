package main

import (
	"bufio"
	"io"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rig.example/rig/internal/session/keys"
	"rig.example/rig/internal/session/server"
)

// workerProcess starts a worker, and waits until it has logged a text.
func workerProcess(t *testing.T, key, logged string) (worker *exec.Cmd, output io.Reader) {
	t.Helper()
	worker = rigProcess("worker", key, "--workers", "1")
	errs, err := worker.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = worker.Process.Kill() })
	lines := bufio.NewReader(errs)
	for text := ""; !strings.Contains(text, logged); {
		if text, err = lines.ReadString('\n'); err != nil {
			t.Fatalf("%q, %v", text, err)
		}
	}
	return worker, lines
}

// Workers drive a sweep for another machine: one of them ends, and the table is the local one.
func TestWorkersDriveASweep(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	f, err := keys.OpenFolder("", "lab")
	if err != nil {
		t.Fatal(err)
	}
	host, err := server.Start(server.Options{Listen: "127.0.0.1:0", Folder: f, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	key := filepath.Join(t.TempDir(), "w.rig")
	done(t, "session", "invite", "w", "--role", "worker", "--out", key)
	members, err := f.Members()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Reload(members); err != nil {
		t.Fatal(err)
	}
	args := []string{"maneuver", "drop", "--sweep", "mass_kg=1000..1400:30", "--csv", "-"}
	want, _ := done(t, args...)
	type result struct {
		status    int
		out, errs string
	}
	ended := make(chan result, 1)
	go func() {
		status, out, errs := rigCommand(t, append(args, "--on", "lab")...)
		ended <- result{status, out, errs}
	}()
	end := func(worker *exec.Cmd, output io.Reader) {
		_ = worker.Process.Signal(syscall.SIGINT)
		rest, _ := io.ReadAll(output)
		if err := worker.Wait(); err != nil || !strings.Contains(string(rest), "worker: ended after ") {
			t.Errorf("%v, %s", err, rest)
		}
	}
	end(workerProcess(t, key, "worker: sweep: drop, coupe: 30 points"))
	second, output := workerProcess(t, key, "worker: waiting for sweeps of session lab")
	got := <-ended
	end(second, output)
	if got.status != exitDone || got.out != want {
		t.Errorf("status %d, %s, %s, want %s", got.status, got.errs, got.out, want)
	}
}

func TestWorkerWrongUsage(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	key := filepath.Join(t.TempDir(), "watcher.rig")
	done(t, "session", "invite", "anna", "--session", "lab", "--role", "watcher", "--out", key)
	for want, args := range map[string][]string{
		"is a key of role watcher; ask for one of role worker":                                                                          {"worker", key},
		"rig: --on " + key + ": it is for a watcher; this needs one made with --role official":                                          {"maneuver", "drop", "--sweep", "mass_kg=1200,1300", "--on", key},
		"rig: --on: " + filepath.Join(data, "rig", "sessions") + " has no session none; it has: lab; or name the file of an invitation": {"maneuver", "drop", "--sweep", "mass_kg=1200,1300", "--on", "none"},
		"--workers: with --on the workers say":                                                                                          {"maneuver", "drop", "--sweep", "mass_kg=1200,1300", "--on", "lab", "--workers", "2"},
		"--on: belongs to --sweep":                                                                                                      {"maneuver", "drop", "--on", "lab"},
		"must be 1 to":                                                                                                                  {"worker", key, "--workers", "0"},
	} {
		status, out, errs := rigCommand(t, args...)
		if status != exitUsage || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d, %q, %q", args, status, out, errs)
		}
	}
}
