package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/server"
	"rig.example/rig/internal/kit/version"
	"rig.example/rig/test/level"
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
	level.SkipIfQuick(t)
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
	third, output := workerProcess(t, key, "worker: waiting for sweeps of session lab")
	host.Close()
	for lines := bufio.NewScanner(output); !strings.Contains(lines.Text(), "session lab: connection lost"); {
		if !lines.Scan() {
			t.Fatal("a lost connection is not reported")
		}
	}
	end(third, output)
}

// Ctrl-C is heard while a server does not answer. A sweep then replaces no file by an empty table, and writes the one of
// what --resume has.
func TestAnInterruptionWhileConnecting(t *testing.T) {
	level.SkipIfQuick(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	f, err := keys.OpenFolder("", "lab")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for role, name := range map[session.Role]string{session.Worker: "w.rig", session.Official: "desk.rig"} {
		i, err := f.Invite(session.ID("a-"+string(role)), role, []string{"tls://" + silent.Addr().String()})
		if err == nil {
			err = keys.Write(path(name), i)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	interrupted := func(args ...string) (status int, errs string) {
		cmd := rigProcess(args...)
		var text strings.Builder
		cmd.Stderr = &text
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		c, err := silent.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close() // after the program has ended
		_ = cmd.Process.Signal(syscall.SIGINT)
		_ = cmd.Wait()
		return cmd.ProcessState.ExitCode(), text.String()
	}
	if status, errs := interrupted("worker", path("w.rig")); status != exitDone || !strings.Contains(errs, "worker: ended before it was connected") {
		t.Errorf("status %d, %s", status, errs)
	}
	if err := os.WriteFile(path("a.csv"), []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	sweep := []string{"maneuver", "drop", "--sweep", "mass_kg=1000..1400:3", "--resume", path("a.jsonl"), "--csv", path("a.csv")}
	status, errs := interrupted(append(sweep, "--on", path("desk.rig"))...)
	if status != exitFailed || !strings.Contains(errs, "3 of 3 points are not done") {
		t.Errorf("status %d, %s", status, errs)
	}
	if text, _ := os.ReadFile(path("a.csv")); string(text) != "precious" {
		t.Errorf("the table became %q", text)
	}
	done(t, sweep...)
	whole, _ := os.ReadFile(path("a.jsonl"))
	lines := strings.SplitAfter(string(whole), "\n")
	if err := os.WriteFile(path("a.jsonl"), []byte(strings.Join(lines[:3], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	status, errs = interrupted(append(sweep, "--on", path("desk.rig"))...)
	if status != exitFailed || !strings.Contains(errs, "1 of 3 points are not done") {
		t.Errorf("status %d, %s", status, errs)
	}
	if text, _ := os.ReadFile(path("a.csv")); strings.Count(string(text), "\n") != 3 {
		t.Errorf("the table became %q", text)
	}
}

// Builds without a clean commit are told apart by their files.
func TestBuildsWithoutACommitDiffer(t *testing.T) {
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	want := version.Current().String()
	if !version.Current().IsClean() {
		sum := sha256.Sum256(text)
		want += fmt.Sprintf(" file %x", sum[:6])
	}
	if got, err := sameBuild(); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
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
