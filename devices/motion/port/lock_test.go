package port

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// holdPort is set to a port in a process that opens it, says so, and holds it.
const holdPort = "RIG_TEST_HOLD_PORT"

// TestHoldPort is what the other process does.
func TestHoldPort(t *testing.T) {
	port := os.Getenv(holdPort)
	if port == "" {
		t.Skip("of TestNoTwoProcessesOpenOnePort")
	}
	if _, err := Open(port, 500_000); err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString("open\n")
	time.Sleep(time.Hour)
}

// A port that a rig has open is refused to another one, under any name and to root, and
// the error names the one that has it.
func TestNoTwoLinesOpenOnePort(t *testing.T) {
	path, l := openPair(t, 500_000)
	link := filepath.Join(t.TempDir(), "platform")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link} {
		_, err := Open(name, 500_000)
		if want := "process " + strconv.Itoa(os.Getpid()); !errors.Is(err, unix.EBUSY) || !strings.Contains(err.Error(), want) {
			t.Errorf("opened twice: %v, want that %s has it", err, want)
		}
	}
	l.Close()
	again, err := Open(link, 500_000)
	if err != nil {
		t.Fatalf("after it was closed: %v", err)
	}
	again.Close()
}

// The lock of a process holds as long as it lives, and no longer.
func TestNoTwoProcessesOpenOnePort(t *testing.T) {
	rw, path, err := OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	defer rw.Close()
	other := exec.Command(os.Args[0], "-test.run=^TestHoldPort$")
	other.Env = append(os.Environ(), holdPort+"="+path)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer other.Process.Kill()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "open\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	_, err = Open(path, 500_000)
	if want := "process " + strconv.Itoa(other.Process.Pid); !errors.Is(err, unix.EBUSY) || !strings.Contains(err.Error(), want) {
		t.Errorf("user %d opens it as well: %v, want that %s has it", os.Getuid(), err, want)
	}
	other.Process.Kill()
	other.Wait()
	l, err := Open(path, 500_000)
	if err != nil {
		t.Fatalf("after that process died: %v", err)
	}
	l.Close()
}
