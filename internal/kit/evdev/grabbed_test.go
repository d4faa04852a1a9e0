package evdev

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// A device counts as grabbed only if the kernel reports another position of an axis and no event arrives.
func TestGrabDetection(t *testing.T) {
	type look struct {
		abs           int32
		seen, updates uint64
	}
	for _, c := range []struct {
		name  string
		looks []look
		want  int // the look that finds it, -1 for none
	}{
		{"stands still", []look{{5, 0, 0}, {5, 0, 50}, {5, 0, 100}, {5, 0, 150}}, -1},
		{"moves without events", []look{{5, 9, 0}, {6, 9, 50}, {7, 9, 100}}, 2},
		{"moved once without events", []look{{5, 9, 0}, {6, 9, 50}, {6, 9, 100}}, 2},
		{"moves with events", []look{{5, 0, 0}, {6, 1, 50}, {7, 2, 100}, {8, 3, 150}}, -1},
		{"its event is read after the look", []look{{5, 0, 0}, {6, 0, 50}, {6, 2, 100}, {6, 2, 150}}, -1},
		{"the loop stands still", []look{{5, 0, 7}, {6, 0, 7}, {7, 0, 7}, {8, 0, 9}, {9, 0, 22}}, -1},
		{"and goes on", []look{{5, 0, 7}, {6, 0, 7}, {7, 0, 7}, {8, 0, 23}}, 3},
		{"and reads what waited", []look{{5, 0, 7}, {6, 0, 7}, {7, 0, 7}, {8, 4, 23}, {8, 4, 73}}, -1},
	} {
		var q grabDetector
		found := -1
		for i, l := range c.looks {
			var abs [absCodes]int32
			abs[3] = l.abs
			if q.observe(&abs, l.seen, l.updates) && found < 0 {
				found = i
			}
		}
		if found != c.want {
			t.Errorf("%s: found at look %d, want %d", c.name, found, c.want)
		}
	}
}

// Update of a grabbed device returns an error, and its last values are not used.
func TestAGrabbedInputIsNotRead(t *testing.T) {
	n, _ := pipeNode(t)
	in := &Input{node: n}
	if err := in.Update(); err != nil || !in.Alive() {
		t.Fatalf("%v, alive %v before", err, in.Alive())
	}
	in.grabbedElsewhere.Store(true)
	if err := in.Update(); !errors.Is(err, ErrGrabbed) || in.Alive() {
		t.Errorf("%v, alive %v while another program has it", err, in.Alive())
	}
}

func TestProgramsUsingANodeAreNamed(t *testing.T) {
	path, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(path, "event7")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := ProgramsUsing("", path); len(got) != 0 {
		t.Errorf("%q, want nobody but this program", got)
	}
	other := exec.Command("cat") // ends when its input does
	other.ExtraFiles = []*os.File{f}
	in, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer other.Wait()
	defer in.Close()
	if got, want := ProgramsUsing("", path), []Program{{other.Process.Pid, "cat", true}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := (Program{7, "cat", false}).String(); got != "cat (pid 7)" {
		t.Errorf("%q", got)
	}
}

// A program that only reads a node plays no forces on it.
func TestProgramsThatOnlyReadAreTold(t *testing.T) {
	root := t.TempDir()
	for pid, flags := range map[string]string{"41": "0100000", "42": "0104002"} {
		process := filepath.Join(root, "proc", pid)
		for _, folder := range []string{"fd", "fdinfo"} {
			if err := os.MkdirAll(filepath.Join(process, folder), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		err := errors.Join(os.WriteFile(filepath.Join(process, "comm"), []byte("game\x1b\n"), 0o644),
			os.WriteFile(filepath.Join(process, "fdinfo/7"), []byte("pos:\t0\nflags:\t"+flags+"\nmnt_id:\t26\n"), 0o644),
			os.Symlink("/dev/input/event7", filepath.Join(process, "fd/7")), os.Symlink("/dev/null", filepath.Join(process, "fd/8")))
		if err != nil {
			t.Fatal(err)
		}
	}
	got, want := ProgramsUsing(root, "/dev/input/event7"), []Program{{41, `game\x1b`, false}, {42, `game\x1b`, true}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
