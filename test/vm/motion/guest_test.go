// Package motion drives simulated controllers through the kernel's own serial
// drivers: a 16550, and an adapter on the USB bus.
package motion

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/vm/mono"
)

// inGuest skips the test outside the virtual machine.
func inGuest(t *testing.T) {
	t.Helper()
	if os.Getenv("RIG_VM") == "" {
		t.Skip("needs the virtual machine: see test/vm/README.md")
	}
}

// until waits for a condition and returns how long that took.
func until(t *testing.T, what string, limit time.Duration, holds func() bool) time.Duration {
	t.Helper()
	const step = 2 * time.Millisecond
	start := mono.Now()
	for !holds() {
		if mono.Now()-start > limit {
			t.Fatalf("no %s within %v", what, limit)
		}
		mono.SleepUntil(mono.Now() + step)
	}
	return mono.Now() - start
}

// logbook keeps what the platform says, a line each.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// line returns the first line with all of the words in it, "" if there is none.
func (l *logbook) line(words ...string) string {
next:
	for _, line := range strings.Split(l.String(), "\n") {
		for _, w := range words {
			if !strings.Contains(line, w) {
				continue next
			}
		}
		return line
	}
	return ""
}

const idler = "RIG_VM_IDLER"

// TestIdler is no test but the program that keepBusy starts.
func TestIdler(t *testing.T) {
	if os.Getenv(idler) == "" {
		t.Skip("keepBusy runs it")
	}
	a, b, c, d := 1, 2, 3, 4
	for a|b|c|d != 0 { // always; many instructions between jumps, for jumps cost the emulator most
		a, b, c, d = a+b, b^c, c+d, d^a
		a, b, c, d = a+b, b^c, c+d, d^a
		a, b, c, d = a+b, b^c, c+d, d^a
		a, b, c, d = a+b, b^c, c+d, d^a
		a, b, c, d = a+b, b^c, c+d, d^a
		a, b, c, d = a+b, b^c, c+d, d^a
		a, b, c, d = a+b, b^c, c+d, d^a
		a, b, c, d = a+b, b^c, c+d, d^a
	}
}

// keepBusy has a process of the lowest rank take what time is left.
//
// The bytes of a serial port leave the machine and come back. In virtual time an
// idle machine leaps over any time while they are under way; a busy one does not.
func keepBusy(t *testing.T) {
	t.Helper()
	if os.Getenv("RIG_VM_CLOCK") != "virtual" {
		return
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestIdler$")
	cmd.Env = append(os.Environ(), idler+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if err := lowest(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
}

// lowest gives all threads of a process the time that nobody else wants.
func lowest(pid int) error {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return err
	}
	for _, thread := range threads {
		var tid int
		fmt.Sscan(thread.Name(), &tid)
		attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}
		if err := unix.SchedSetAttr(tid, &attr, 0); err != nil {
			return err
		}
	}
	return nil
}
