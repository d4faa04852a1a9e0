// Package motion tests the platform with simulated controllers on the kernel's serial drivers: a 16550, and an
// adapter on the USB bus.
package motion

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
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

// logbook stores the platform's log lines.
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

// line returns the first line that contains all words, or "" if there is none.
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

const loadVariable = "RIG_VM_IDLER"

// TestProcessorLoad is not a test but the program that keepBusy starts.
func TestProcessorLoad(t *testing.T) {
	if os.Getenv(loadVariable) == "" {
		t.Skip("keepBusy runs it")
	}
	a, b, c, d := 1, 2, 3, 4
	for a|b|c|d != 0 { // always true; few jumps, because they cost the emulator most
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

// keepBusy starts a process of the lowest priority that uses all idle processor time.
//
// The bytes of a serial port leave the virtual machine and return. While they do, the virtual time of an idle machine
// may jump ahead by any amount, but not that of a busy one.
func keepBusy(t *testing.T) {
	t.Helper()
	if os.Getenv("RIG_VM_CLOCK") != "virtual" {
		return
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestProcessorLoad$")
	cmd.Env = append(os.Environ(), loadVariable+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started, ended := make(chan error), make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread() // Pdeathsig is sent when the thread that started the process ends, as those of sessions do
		err := cmd.Start()
		if started <- err; err == nil {
			cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); <-ended })
	if err := lowest(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
}

// lowest sets all threads of a process to the lowest priority (SCHED_IDLE).
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
