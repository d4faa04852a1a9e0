package telemetry

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/core/frame"
)

// memoryPath returns a path for a shared memory of the test's own.
func memoryPath(t *testing.T) string { return filepath.Join(t.TempDir(), "SIMAPI.DAT") }

// contents returns the content for a tick.
func contents(tick uint64) []byte {
	return Append(nil, formatSimAPI, &Sample{Frame: &frame.Frame{Tick: tick}, Scene: &frame.Scene{}})
}

func opened(t *testing.T, path string) *simAPIFile {
	t.Helper()
	f, err := openSimAPI(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.close() })
	return f.(*simAPIFile)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheSharedMemoryHoldsTheNewestState(t *testing.T) {
	path := memoryPath(t)
	f := opened(t, path)
	for tick := range uint64(3) {
		if err := f.send(contents(tick + 7)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); string(got) != string(contents(tick+7)) {
			t.Fatalf("tick %d: %d bytes that differ from the content", tick, len(got))
		}
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	if err := f.close(); err != nil {
		t.Error(err)
	}
	if b := read(t, path); len(b) != simAPISize || b[16] != 0 || b[simAPISize-4] != 0 {
		t.Errorf("after the end: %d bytes, status %d, on %d", len(b), b[16], b[simAPISize-4])
	}
}

// What is not a file of the user's own is refused, and stays as it is.
func TestAStrangersFileIsRefused(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func(path string) error{
		"a symbolic link": func(path string) error { return os.Symlink(victim, path) },
		"a second name":   func(path string) error { return os.Link(victim, path) },
		"a named pipe":    func(path string) error { return unix.Mkfifo(path, 0o600) },
		"a folder":        func(path string) error { return os.Mkdir(path, 0o700) },
		"another user's": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o666), os.Chown(path, 65534, 65534))
		},
	} {
		path := memoryPath(t)
		if err := make(path); err != nil {
			if name == "another user's" && os.Geteuid() != 0 {
				continue
			}
			t.Fatal(err)
		}
		f, err := openSimAPI(path)
		if err == nil {
			f.close()
			t.Errorf("%s was opened", name)
		} else if !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if string(read(t, victim)) != "mine" {
		t.Error("the file behind a link was changed")
	}
}

// A second rig, and another writer before or while this one writes, end the output.
func TestOneWriterAtATime(t *testing.T) {
	path := memoryPath(t)
	f := opened(t, path)
	if _, err := openSimAPI(path); !errors.Is(err, errOtherWriter) {
		t.Errorf("a second rig: %v", err)
	}
	if err := f.send(contents(1)); err != nil {
		t.Fatal(err)
	}
	other, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.WriteAt(contents(500)[:100], 0); err != nil {
		t.Fatal(err)
	}
	if err := f.send(contents(2)); !errors.Is(err, errOtherWriter) {
		t.Errorf("another writer: %v", err)
	}
	f.close()
	if b := read(t, path); string(b[:100]) != string(contents(500)[:100]) {
		t.Error("what the other writer wrote was changed")
	}
	writing, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for tick := uint64(0); ; tick++ {
			select {
			case <-writing:
				return
			default:
				_, _ = other.WriteAt(contents(tick)[:16], 0)
			}
		}
	}()
	if _, err := openSimAPI(path); !errors.Is(err, errOtherWriter) {
		t.Errorf("while another program writes: %v", err)
	}
	close(writing)
	<-ended
}

// A file that somebody cuts short is written whole again; nothing is mapped that could be lost.
func TestATruncatedFileIsWrittenAgain(t *testing.T) {
	path := memoryPath(t)
	f := opened(t, path)
	for tick := range uint64(4) {
		if err := f.send(contents(tick + 1)); err != nil {
			t.Fatal(err)
		}
		if b := read(t, path); string(b[:simAPICars]) != string(contents(tick + 1)[:simAPICars]) || len(b) != simAPISize {
			t.Errorf("tick %d: %d bytes", tick, len(b))
		}
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
	}
}
